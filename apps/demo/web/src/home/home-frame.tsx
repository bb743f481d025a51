// The frame of the first screen, with a place for each part: the paint before there is data looks like the one after.
import type { ReactNode } from 'react';

interface HomeFrameProps {
  races: ReactNode;
  board: ReactNode;
  table: ReactNode;
  xray: ReactNode;
}

export function HomeFrame({ races, board, table, xray }: HomeFrameProps): ReactNode {
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
        {races}
      </div>
      <div className="home-views">
        {board}
        {table}
      </div>
      {xray}
    </section>
  );
}
