// The line above the board: in how many views the row below the pointer is, or what the last move has cost.
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { useExternalValue } from '../external-value.ts';
import { followTwins, twins } from './follow-twins.ts';
import { describeCost, moveCost } from './move-cost.ts';

export function HomeLine(): ReactNode {
  const views = useExternalValue(twins);
  const cost = useExternalValue(moveCost);
  useEffect(followTwins, []);
  return (
    <>
      {cost && (
        <span className="home-cost">
          The last move: <b>{describeCost(cost)}</b>
        </span>
      )}
      {!cost && <span>Point at a row to see where else it is. Move one to see what that costs.</span>}
      {views > 0 && <span className="home-twins">1 row, {views} views</span>}
    </>
  );
}
