// The rows that were left out of lists because they failed their checks, and why. Nothing about a bad row is hidden: the count is
// that of the shown rows, and this report lists the others.
import type { getRefused } from 'holdfast/validate';
import { watchRefused } from 'holdfast/validate';
import { useController } from 'holdfast/react';
import { useId, useMemo, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { Issue } from '../resources/issue.ts';
import { LineIcon } from '../ui/icons.tsx';

export function useRefusedIssues(): readonly getRefused.Row[] {
  const controller = useController();
  const refused = useMemo(() => watchRefused(controller), [controller]);
  return useSyncExternalStore(refused.subscribe, refused.read).filter(({ entity }) => entity === Issue.key);
}

interface RefusedReportProps {
  /** How many this list lost. */
  count: number;
  /** All that are known: other lists may have lost other rows. */
  rows: readonly getRefused.Row[];
}

export function RefusedReport({ count, rows }: RefusedReportProps): ReactNode {
  const id = useId();
  return (
    <>
      <button type="button" className="refused-button" popoverTarget={id}>
        <LineIcon name="warning" /> {count === 1 ? '1 row' : `${count} rows`} left out
      </button>
      <div
        id={id}
        popover="auto"
        className="popover centered"
        role="dialog"
        aria-label="Rows that were left out"
      >
        <h2>Left out: they did not pass their checks</h2>
        {rows.length > count && (
          <p>
            {count} of these {rows.length} belong to this table.
          </p>
        )}
        <table className="refused">
          <thead>
            <tr>
              <th scope="col">Row</th>
              <th scope="col">Field</th>
              <th scope="col">What is wrong</th>
            </tr>
          </thead>
          <tbody>
            {rows.flatMap(({ entity, pk, fields }) =>
              fields.map(({ field, message }) => (
                <tr key={`${pk} ${field}`}>
                  <th scope="row">
                    {entity} {pk}
                  </th>
                  <td>
                    <code>{field}</code>
                  </td>
                  <td>{message}</td>
                </tr>
              )),
            )}
          </tbody>
        </table>
      </div>
    </>
  );
}
