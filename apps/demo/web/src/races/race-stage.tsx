// The race on screen: its steps, and the two boards beside each other with their verdicts and their lanes.
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import '../styles/races.css';
import { useExternalValue } from '../external-value.ts';
import { Reader } from '../reading/reader.tsx';
import type { Reading } from '../reading/reader.tsx';
import { boardSources, docsPage, raceSource } from '../reading/readings.ts';
import { LineIcon } from '../ui/icons.tsx';
import { RACES } from './all-races.ts';
import { leaveRace, pace, play, playRace } from './play.ts';
import type { Race } from './race.ts';
import { RaceBoard } from './race-board.tsx';
import { RaceLanes } from './race-lanes.tsx';
import type { BoardView } from './run-race.ts';

export function RaceStage(): ReactNode {
  const now = useExternalValue(play);
  const [reading, setReading] = useState<Reading | null>(null);
  const stage = useRef<HTMLElement>(null);
  const raceId = now?.race.id;
  // the button that was pressed has gone
  useEffect(() => stage.current?.focus({ preventScroll: true }), [raceId]);
  if (!now) return null;
  const { view } = now;
  const race = RACES.find(({ id }) => id === now.race.id);
  if (!race) return null;
  const verdict = view.isOver ? describeState(view.boards) : 'open';
  return (
    <section
      ref={stage}
      className="stage"
      aria-label={race.name}
      tabIndex={-1}
      data-verdict={view.problem === null ? verdict : 'broken'}
    >
      <header className="stage-head">
        <div>
          <h1>{race.name}</h1>
          <p>{race.happens}</p>
        </div>
        <div className="stage-buttons">
          <PaceSwitch />
          <button type="button" className="button" onClick={() => void playRace(race)}>
            <LineIcon name="retry" /> Again
          </button>
          <NextButton race={race} />
          <button type="button" className="button" onClick={leaveRace}>
            <LineIcon name="close" /> Close
          </button>
        </div>
      </header>
      <ol className="stage-steps" aria-live="polite">
        {Array.from({ length: race.length }, (_, index) => (
          <li
            key={index}
            data-step={index + 1}
            aria-current={index === view.steps.length - 1 ? 'step' : undefined}
            aria-hidden={view.steps[index] === undefined}
          >
            {view.steps[index] ?? '…'}
          </li>
        ))}
      </ol>
      {view.problem !== null && (
        <p className="stage-problem" role="alert">
          The race could not be played to its end: {view.problem}.
        </p>
      )}
      <div className="stage-sides">
        {(['last', 'holdfast'] as const).map((side) => (
          <RaceSide
            key={side}
            side={side}
            race={race}
            board={view.boards.find((board) => board.side === side)}
            cardId={view.cardId}
            onRead={setReading}
          />
        ))}
      </div>
      <p className="stage-links">
        Both boards make the same calls, each on its own copy of the cards. The requests are real, and their
        responses are held until the race releases them.{' '}
        <button type="button" className="text-link" onClick={() => setReading(raceSource(race.id))}>
          Source of this race
        </button>{' '}
        <button type="button" className="text-link" onClick={() => setReading(docsPage(race.docs))}>
          Docs: {race.docs.title}
        </button>
      </p>
      {reading && <Reader key={reading.title} reading={reading} onClose={() => setReading(null)} />}
    </section>
  );
}

/** What the verdicts are together: the left board is expected to be wrong. */
function describeState(boards: readonly BoardView[]): 'right' | 'wrong' {
  return boards.find(({ side }) => side === 'holdfast')?.verdict?.isRight ? 'right' : 'wrong';
}

const SIDES = {
  last: { name: 'Last response wins', hint: 'a simple cache' },
  holdfast: { name: 'Holdfast', hint: 'without code for this race' },
  asks: { name: 'Holdfast', hint: 'told to ask the visitor' },
} as const;

interface RaceSideProps {
  side: BoardView['side'];
  race: Race;
  board: BoardView | undefined;
  cardId: string;
  onRead: (reading: Reading) => void;
}

function RaceSide({ side, race, board, cardId, onRead }: RaceSideProps): ReactNode {
  const { name, hint } = SIDES[side === 'holdfast' && race.asks ? 'asks' : side];
  const verdict = board?.verdict;
  return (
    <section className={`stage-side is-${side}`} aria-label={name} data-user={board?.userId}>
      <header>
        <h2>{name}</h2>
        <small>{board && board.userId !== 'mira' ? 'on Ravi’s screen' : hint}</small>
        <span className="spacer" />
        <button type="button" className="text-link" onClick={() => onRead(boardSources[side])}>
          Source
        </button>
      </header>
      <RaceBoard board={board} cardId={cardId} />
      <div
        className={verdict ? `stage-end is-${verdict.isRight ? 'right' : 'wrong'}` : 'stage-end'}
        role="status"
      >
        {verdict ? (
          <>
            <LineIcon name={verdict.isRight ? 'check' : 'close'} />
            <div>
              <strong>{verdict.isRight ? 'Right' : 'Wrong'}</strong>
              {verdict.lines.map((line) => (
                <p key={line}>{line}</p>
              ))}
            </div>
          </>
        ) : (
          <p className="stage-waits">
            {board?.question || 'At the end the board is compared with the server.'}
          </p>
        )}
      </div>
      <RaceLanes lanes={board?.lanes ?? []} steps={race.length} />
      {board && board.why.length > 0 && (
        <div className="stage-why">
          <h3>Why, says the inspector</h3>
          <ul>
            {board.why.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}

function NextButton({ race }: { race: Race }): ReactNode {
  const next = RACES[(RACES.findIndex(({ id }) => id === race.id) + 1) % RACES.length];
  return (
    next && (
      <button type="button" className="button primary" onClick={() => void playRace(next)}>
        <LineIcon name="play" /> Next: {next.name}
      </button>
    )
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
      Without pauses
    </label>
  );
}
