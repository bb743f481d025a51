// The actions on rows that a bulk change did not reach.
import { useController } from 'holdfast/react';
import { bulkIssues, Refusal } from '../resources/bulk.ts';

interface RefusalActions {
  /** One request for all of them. */
  retryRows(rows: readonly Refusal[]): void;
  dismissRow(row: Refusal): void;
}

export function useRefusalActions(): RefusalActions {
  const controller = useController();
  return {
    retryRows: (rows) =>
      void controller.fetch(bulkIssues, {
        update: rows.flatMap(({ wanted }) => wanted ?? []),
        delete: rows.flatMap(({ id, wanted }) => (wanted ? [] : id)),
      }),
    dismissRow: ({ id }) => void controller.set(Refusal, { id }, { isDismissed: true }),
  };
}
