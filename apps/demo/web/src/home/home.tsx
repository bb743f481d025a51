// The first screen: a board and a table over the same rows, races to try to break them, and an X-ray of what the library does.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Board } from '../board/board.tsx';
import { Races } from '../races/races.tsx';
import type { User } from '../resources/user.ts';
import type { Status } from '../resources/vocabulary.ts';
import { XrayStrip } from '../xray/xray-strip.tsx';
import { RowTable } from './row-table.tsx';
import { HOME_PROJECT, HOME_STATUSES } from './rows-of.ts';

export function Home({ user }: { user: User }): ReactNode {
  const [status, setStatus] = useState<Status | null>(null);
  return (
    <section className="home" aria-label="First look">
      <div className="home-top">
        <header className="home-head">
          <h1>Every view, the same rows</h1>
          <p>
            Drag a card: the table, the counts and the sidebar follow, and no code here updates them. Or play
            a race, and see who wins.
          </p>
        </header>
        <Races projectId={HOME_PROJECT} userId={user.id} filterTable={setStatus} />
      </div>
      <div className="home-views">
        <Board projectId={HOME_PROJECT} statuses={HOME_STATUSES} />
        <RowTable projectId={HOME_PROJECT} status={status} onFilter={setStatus} />
      </div>
      <XrayStrip />
    </section>
  );
}
