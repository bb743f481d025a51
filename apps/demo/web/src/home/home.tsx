// The first screen: a board and a table over the same rows, races that try to break them, and an X-ray of the work of the
// library.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Board } from '../board/board.tsx';
import { Races } from '../races/races.tsx';
import type { User } from '../resources/user.ts';
import type { Status } from '../resources/vocabulary.ts';
import { XrayStrip } from '../xray/xray-strip.tsx';
import { HomeFrame } from './home-frame.tsx';
import { RowTable } from './row-table.tsx';
import { HOME_PROJECT, HOME_STATUSES } from './rows-of.ts';

export function Home({ user }: { user: User }): ReactNode {
  const [status, setStatus] = useState<Status | null>(null);
  return (
    <HomeFrame
      races={<Races projectId={HOME_PROJECT} userId={user.id} filterTable={setStatus} />}
      board={<Board projectId={HOME_PROJECT} statuses={HOME_STATUSES} />}
      table={<RowTable projectId={HOME_PROJECT} status={status} onFilter={setStatus} />}
      xray={<XrayStrip />}
    />
  );
}
