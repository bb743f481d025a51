// The first screen: what the library is, a board and a table over the same rows with the code that declares them, races, and an X-ray of
// the work of the library. A race takes the place of all of it while it is on.
import { lazy, useState } from 'react';
import type { ReactNode } from 'react';
import { Board } from '../board/board.tsx';
import { useExternalValue } from '../external-value.ts';
import { play, playRace } from '../races/play.ts';
import { RaceList } from '../races/race-list.tsx';
import type { Status } from '../resources/vocabulary.ts';
import { Boundary } from '../ui/boundary.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { XrayStrip } from '../xray/xray-strip.tsx';
import { HomeLine } from './home-line.tsx';
import { HomeFrame } from './home-frame.tsx';
import { RowTable } from './row-table.tsx';
import { HOME_PROJECT, HOME_STATUS, HOME_STATUSES } from './rows-of.ts';

const RaceStage = lazy(async () => ({ default: (await import('../races/race-stage.tsx')).RaceStage }));

export function Home(): ReactNode {
  const [status, setStatus] = useState<Status | null>(HOME_STATUS);
  const isPlaying = useExternalValue(play) !== null;
  if (isPlaying)
    return (
      <Boundary name="the race" fallback={<Skeleton label="the race" kind="page" count={4} />}>
        <RaceStage />
      </Boundary>
    );
  return (
    <HomeFrame
      races={<RaceList onStart={(race) => void playRace(race)} />}
      line={<HomeLine />}
      board={<Board projectId={HOME_PROJECT} statuses={HOME_STATUSES} />}
      table={<RowTable projectId={HOME_PROJECT} status={status} onFilter={setStatus} />}
      xray={<XrayStrip />}
    />
  );
}
