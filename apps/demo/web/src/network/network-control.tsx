// The button in the top bar that makes the network bad, for visitors who want to break the page.
import { useController, useLive } from 'holdfast/react';
import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import { useExternalValue } from '../external-value.ts';
import { IssueResource } from '../resources/issue.ts';
import { readSessionLog } from '../resources/session.ts';
import { Boundary } from '../ui/boundary.tsx';
import { LineIcon } from '../ui/icons.tsx';
import { chooseConditions, conditions, FAULTS, faults, GOOD, PRESETS, toggleFault } from './conditions.ts';

export function NetworkControl(): ReactNode {
  const chosen = useExternalValue(conditions);
  const chosenFaults = useExternalValue(faults);
  const controller = useController();
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  const isGood = chosen === GOOD && chosenFaults.length === 0;
  const state = chosenFaults.length > 0 ? `${chosen.name} +${chosenFaults.length}` : chosen.name;
  return (
    <div className="network-control">
      <button
        type="button"
        className={isGood ? 'button' : 'button is-bad'}
        popoverTarget={id}
        // it begins with the visible text
        aria-label={`Network: ${[state, ...chosenFaults.map(({ name }) => name)].join(', ')}`}
      >
        <LineIcon name="wave" /> <span className="wide-only">Network:</span> {state}
      </button>
      <div
        id={id}
        popover="auto"
        className="popover"
        role="dialog"
        aria-label="Network conditions"
        onToggle={(event) => setIsOpen(event.newState === 'open')}
      >
        <h2>Try to break it</h2>
        <p>
          The server will treat this page’s requests like a bad network would. Then edit, drag and delete.
        </p>
        <fieldset>
          <legend className="visually-hidden">Network conditions</legend>
          {PRESETS.map((preset) => (
            <label key={preset.name} className="preset">
              <input
                type="radio"
                name={`${id}-preset`}
                checked={preset === chosen}
                onChange={() => chooseConditions(preset)}
              />
              <span>
                <strong>{preset.name}</strong>
                <small>{preset.hint}</small>
              </span>
            </label>
          ))}
        </fieldset>
        <fieldset>
          <legend>And a server that errs</legend>
          {FAULTS.map((fault) => (
            <label key={fault.name} className="preset">
              <input
                type="checkbox"
                checked={chosenFaults.includes(fault)}
                onChange={() => {
                  toggleFault(fault);
                  // the data on screen is read again, under the new conditions
                  controller.expireAll(IssueResource.getList);
                }}
              />
              <span>
                <strong>{fault.name}</strong>
                <small>{fault.hint}</small>
              </span>
            </label>
          ))}
        </fieldset>
        {isOpen && (
          <Boundary name="the session" fallback={<p className="session-log">Asking for the session…</p>}>
            <SessionLog />
          </Boundary>
        )}
      </div>
    </div>
  );
}

/** The counts of the server about the tokens of this visitor. */
function SessionLog(): ReactNode {
  const { renewals, replays } = useLive(readSessionLog);
  return (
    <p className="session-log">
      Session: renewed {renewals} {renewals === 1 ? 'time' : 'times'}, {replays} old{' '}
      {replays === 1 ? 'token' : 'tokens'} shown again.
    </p>
  );
}
