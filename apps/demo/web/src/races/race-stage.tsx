// The race that is being played: its steps and its end, with the explanations of the inspector.
import { useQuery } from 'holdfast/react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useExternalValue } from '../external-value.ts';
import { askForPanel } from '../inspector/load-inspector.ts';
import { Issue } from '../resources/issue.ts';
import { LineIcon } from '../ui/icons.tsx';
import { endedRight, leaveRace, play } from './play.ts';
import type { Ending, Race } from './race.ts';
import { Reader } from './reader.tsx';
import type { OpenReading } from './reader.tsx';
import { docsPage, raceSource } from './readings.ts';
import type { Reading } from './readings.ts';

/** Without `onReplay` the race can only be watched. */
export function RaceStage({ onReplay }: { onReplay?: (race: Race) => void }): ReactNode {
  const now = useExternalValue(play);
  if (!now) return null;
  const { race, steps, card, typing, ending } = now;
  const verdict = ending ? (endedRight(ending) ? 'right' : 'wrong') : 'open';
  return (
    <section className="stage" aria-label={race.name} data-of={card ?? ''} data-verdict={verdict}>
      <header>
        <h2>{race.name}</h2>
        <p>{race.happens}</p>
        <p className="elsewhere">
          <strong>Elsewhere:</strong> {race.others}
        </p>
      </header>
      <div className="stage-steps">
        <ol aria-live="polite">
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        {typing && <Typing {...typing} />}
      </div>
      <div className="stage-end">
        {ending ? (
          <EndingOf ending={ending} />
        ) : (
          <p className="stage-waits">
            <span className="spinner" aria-hidden="true" /> Under way. Watch the cards and the X-ray.
          </p>
        )}
        <StageLinks race={race} onReplay={ending ? onReplay : undefined} />
      </div>
    </section>
  );
}

function EndingOf({ ending }: { ending: Ending }): ReactNode {
  return (
    <>
      <ul className="stage-checks">
        {ending.checks.map(({ text, isRight }) => (
          <li key={text} className={isRight ? 'is-right' : 'is-wrong'}>
            <LineIcon name={isRight ? 'check' : 'close'} />
            <span className="visually-hidden">{isRight ? 'Right:' : 'Wrong:'}</span> {text}
          </li>
        ))}
      </ul>
      <details className="stage-why" open>
        <summary>Why, says the inspector</summary>
        <ul>
          {[...new Set(ending.why)].map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </details>
    </>
  );
}

interface StageLinksProps {
  race: Race;
  onReplay: ((race: Race) => void) | undefined;
}

function StageLinks({ race, onReplay }: StageLinksProps): ReactNode {
  const [reading, setReading] = useState<OpenReading | null>(null);
  const read = ({ title, load }: Reading): void => setReading({ title, text: load() });
  return (
    <div className="stage-links">
      <button
        type="button"
        className="text-link"
        title={race.docs.title}
        onClick={() => read(docsPage(race.docs.page))}
      >
        Docs
      </button>
      <button
        type="button"
        className="text-link"
        title={`${race.id}.ts`}
        onClick={() => read(raceSource(race.id))}
      >
        Source
      </button>
      <button type="button" className="text-link" onClick={() => askForPanel(true)}>
        Inspector
      </button>
      {onReplay && (
        <span className="stage-buttons">
          <button type="button" className="button small" onClick={() => onReplay(race)}>
            <LineIcon name="retry" /> Again
          </button>
          <button type="button" className="button small" onClick={() => void leaveRace()}>
            All races
          </button>
        </span>
      )}
      {reading && <Reader reading={reading} onClose={() => setReading(null)} />}
    </div>
  );
}

/** Typed text belongs to the visitor: it stays when the row is deleted. */
function Typing({ id, text }: { id: string; text: string }): ReactNode {
  const issue = useQuery(Issue, { id });
  return (
    <label className="stage-typing">
      <span>
        Title of {id}
        {issue ? '' : ': somebody has deleted the issue, your text is still here'}
      </span>
      <input value={text} readOnly />
    </label>
  );
}
