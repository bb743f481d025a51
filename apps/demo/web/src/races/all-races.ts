// The races in the order of the first screen.
import { deletedRow } from './deleted-row.ts';
import { draft } from './draft.ts';
import { failedEdit } from './failed-edit.ts';
import { filterChange } from './filter-change.ts';
import { lateRead } from './late-read.ts';
import { logOut } from './log-out.ts';
import { oneTitle } from './one-title.ts';
import type { Race } from './race.ts';
import { twoDrags } from './two-drags.ts';

export const RACES: readonly Race[] = [
  lateRead,
  twoDrags,
  failedEdit,
  draft,
  deletedRow,
  filterChange,
  logOut,
  oneTitle,
];
