// The names of the races, in the order of the first screen. The first is the one that the page offers. The races themselves are loaded
// when one is played.

export interface RaceName {
  /** The name of its file. */
  readonly id: string;
  /** Also the name of its end-to-end test. */
  readonly name: string;
  readonly happens: string;
}

export const RACE_NAMES: readonly RaceName[] = [
  {
    id: 'late-read',
    name: 'A late response',
    happens:
      'A column is read, and the response is late. You move a card out of the column. Then the old response arrives.',
  },
  {
    id: 'two-drags',
    name: 'Two quick drags',
    happens:
      'You drag a card twice in a row. The response to the first drag arrives after the response to the second.',
  },
  {
    id: 'failed-edit',
    name: 'One of three edits fails',
    happens: 'You rename a card, move it and make it urgent, all at once. The server refuses the move.',
  },
  {
    id: 'draft',
    name: 'Edit before it has an id',
    happens: 'You add a card and edit it before the server has given it an id.',
  },
  {
    id: 'deleted-row',
    name: 'Deleted under your hands',
    happens: 'You rename a card. Before your request reaches the server, somebody else deletes the card.',
  },
  {
    id: 'filter-change',
    name: 'Filter while it moves',
    happens:
      'You widen the filter, and the response is late. Meanwhile a card moves into the list that you requested.',
  },
  {
    id: 'log-out',
    name: 'Log out mid-flight',
    happens: 'A change and a read are in flight. You sign out, and somebody else signs in on the same page.',
  },
  {
    id: 'one-title',
    name: 'Two people, one title',
    happens: 'You rename a card. Before your request reaches the server, somebody else renames it too.',
  },
];

export function named(id: string): RaceName {
  const found = RACE_NAMES.find((one) => one.id === id);
  if (!found) throw new Error(`there is no race ${id}`);
  return found;
}
