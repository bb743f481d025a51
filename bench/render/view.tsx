// The page, the same for every library: a table of issues, from one list hook or from one hook per row. Renders
// are counted where they happen.
import { memo, useState } from 'react';
import type { ReactNode } from 'react';

import type { IssueRow } from '../payloads/issues.ts';
import type { Reading, RenderClient } from './client.ts';

/** How many rows rendered, and how many components with a hook of their own ran. */
export const renders = { rows: 0, hooks: 0 };
const countRow = () => void (renders.rows += 1);
const countHook = () => void (renders.hooks += 1);

const Row = memo(function Row({ issue }: { readonly issue: IssueRow }): ReactNode {
  countRow();
  return (
    <tr data-id={issue.id}>
      <td>{issue.title}</td>
      <td>{issue.state}</td>
      <td>{issue.votes}</td>
      <td>{issue.author.name}</td>
      <td>{issue.labels.map((label) => label.name).join(', ')}</td>
    </tr>
  );
});

const HookedRow = memo(function HookedRow({
  id,
  useOne,
}: {
  readonly id: string;
  readonly useOne: RenderClient['useOne'];
}): ReactNode {
  countHook();
  const issue = useOne(id);
  return issue ? <Row issue={issue} /> : null;
});

function ListTable({
  shown,
  useRows,
}: {
  readonly shown: number;
  readonly useRows: RenderClient['useList'];
}): ReactNode {
  const rows = useRows();
  return (
    <table>
      <tbody>
        {rows.slice(0, shown).map((issue) => (
          <Row key={issue.id} issue={issue} />
        ))}
      </tbody>
    </table>
  );
}

function HookedTable({
  ids,
  useOne,
}: {
  readonly ids: readonly string[];
  readonly useOne: RenderClient['useOne'];
}): ReactNode {
  return (
    <table>
      <tbody>
        {ids.map((id, position) => (
          <HookedRow key={`${position} ${id}`} id={id} useOne={useOne} />
        ))}
      </tbody>
    </table>
  );
}

export interface PageOptions {
  readonly client: RenderClient;
  readonly reading: Reading;
  /** Rows of the list that are on the page. */
  readonly shown: number;
  /** Rows that have a hook of their own. */
  readonly hookedIds: readonly string[];
  /** Receives the switch that shows the page: ingest and first render are timed together. */
  readonly onReady: (show: () => void) => void;
}

export function Page({ client, reading, shown, hookedIds, onReady }: PageOptions): ReactNode {
  const { Provider, useList, useOne, useSorted } = client;
  return (
    <Provider>
      <Gate onReady={onReady}>
        {reading !== 'rows' && (
          <ListTable shown={shown} useRows={reading === 'sorted' ? useSorted : useList} />
        )}
        {(reading === 'rows' || reading === 'both') && <HookedTable ids={hookedIds} useOne={useOne} />}
      </Gate>
    </Provider>
  );
}

function Gate({
  onReady,
  children,
}: {
  readonly onReady: PageOptions['onReady'];
  readonly children: ReactNode;
}): ReactNode {
  const [isOpen, setOpen] = useState(false);
  onReady(() => setOpen(true));
  return isOpen ? children : null;
}
