// The races of the first screen: one click plays one.
import { useController } from 'holdfast/react';
import type { ReactNode } from 'react';
import { useExternalValue } from '../external-value.ts';
import { readInspector } from '../inspector/load-inspector.ts';
import type { Status } from '../resources/vocabulary.ts';
import { failures } from '../saving/failures.ts';
import { pace, play, playRace } from './play.ts';
import { RaceList } from './race-list.tsx';
import { RaceStage } from './race-stage.tsx';
import type { Race } from './race.ts';

interface RacesProps {
  projectId: string;
  userId: string;
  filterTable: (status: Status | null) => void;
}

export function Races({ projectId, userId, filterTable }: RacesProps): ReactNode {
  const controller = useController();
  const now = useExternalValue(play);
  const inspector = readInspector();
  const start = (race: Race): void => {
    if (!inspector) return window.location.reload();
    filterTable(null);
    const readFailed = () => failures.get();
    void playRace(race, { controller, inspector, projectId, userId, filterTable, readFailed });
  };
  if (now) return <RaceStage onReplay={start} />;
  return (
    <RaceList onStart={start}>
      <PaceSwitch />
    </RaceList>
  );
}

function PaceSwitch(): ReactNode {
  const chosen = useExternalValue(pace);
  return (
    <label className="pace">
      <input
        type="checkbox"
        checked={chosen === 'quick'}
        onChange={(event) => pace.write(event.target.checked ? 'quick' : 'slow')}
      />
      Play them quickly
    </label>
  );
}
