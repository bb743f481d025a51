// The frame of the first screen, with a place for each part: the paint before there is data looks like the one after.
import type { ReactNode } from 'react';
import { Declaration } from './declaration.tsx';
import { HomeLinks } from './home-links.tsx';

interface HomeFrameProps {
  races: ReactNode;
  /** One line about the last move, or about the row below the pointer. */
  line?: ReactNode;
  board: ReactNode;
  table: ReactNode;
  xray: ReactNode;
}

export function HomeFrame({ races, line, board, table, xray }: HomeFrameProps): ReactNode {
  return (
    <section className="home" aria-label="First look">
      <div className="home-grid">
        <div className="home-top">
          <header className="home-head">
            <h1>Holdfast is a TypeScript library that keeps REST data right in React applications</h1>
            <p>
              This issue tracker is built with it. Each row is stored once: drag a card, and every view
              follows. Late, failed and overlapping requests leave nothing wrong on screen: play a race.
            </p>
          </header>
          <div className="home-actions">
            {races}
            <HomeLinks />
          </div>
          <p className="home-line" role="status">
            {line}
          </p>
        </div>
        <div className="home-board">{board}</div>
        <div className="home-side">
          <Declaration />
          {table}
        </div>
        {xray}
      </div>
    </section>
  );
}
