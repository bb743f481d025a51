// The first screen: a board and a table over the same rows, races to try to break them, and an X-ray of what the library does.
import { useSuspense } from 'holdfast/react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Board } from '../board/board.tsx';
import { Races } from '../races/races.tsx';
import { ProjectResource } from '../resources/project.ts';
import type { User } from '../resources/user.ts';
import type { Status } from '../resources/vocabulary.ts';
import { XrayStrip } from '../xray/xray-strip.tsx';
import { RowTable } from './row-table.tsx';

export function Home({ user }: { user: User }): ReactNode {
  const [project] = useSuspense(ProjectResource.getList);
  const [status, setStatus] = useState<Status | null>(null);
  if (!project) return null;
  return (
    <section className="home" aria-label="First look">
      <div className="home-top">
        <header className="home-head">
          <h1>Every view, the same rows</h1>
          <p>
            Drag a card: the table, the counts and the sidebar follow, and no code here updates them. Or play a
            race, and see who wins.
          </p>
        </header>
        <Races projectId={project.id} userId={user.id} filterTable={setStatus} />
      </div>
      <div className="home-views">
        <Board projectId={project.id} />
        <RowTable projectId={project.id} status={status} onFilter={setStatus} />
      </div>
      <XrayStrip />
    </section>
  );
}
