// The paint before any data: the frame of the first screen, with grey shapes in place of its data. The build writes it into the
// document (web/prerender.ts), and the page shows it until it knows the user, so that nothing moves.
import type { ReactNode } from 'react';
import { HomeFrame } from '../home/home-frame.tsx';
import { HOME_STATUSES } from '../home/rows-of.ts';
import { RaceList } from '../races/race-list.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Brand } from './brand.tsx';
import { TopHint } from './top-hint.tsx';

export function FirstPaint(): ReactNode {
  return (
    <div className="shell">
      <header className="top-bar">
        <span className="narrow-only brand-small">Harbor</span>
        <TopHint />
      </header>
      <aside className="sidebar" aria-label="Sidebar">
        <Brand />
        <Skeleton label="the sidebar" count={8} />
      </aside>
      <main className="panes">
        <div className="offline-note" />
        <section className="pane main">
          <header className="pane-bar" />
          <HomeFrame
            races={<RaceList />}
            board={
              <section className="board">
                {HOME_STATUSES.map((status) => (
                  <div key={status} className="column">
                    <Skeleton label={status} kind="card" count={4} />
                  </div>
                ))}
              </section>
            }
            table={
              <section className="row-table">
                <Skeleton label="rows" kind="row" count={8} />
              </section>
            }
            xray={<section className="xray" />}
          />
        </section>
      </main>
    </div>
  );
}
