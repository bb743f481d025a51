// The button in the top bar that makes the network bad, for everybody who wants to try to break it.
import { useId } from 'react';
import type { ReactNode } from 'react';
import { useExternalValue } from '../external-value.ts';
import { LineIcon } from '../ui/icons.tsx';
import { chooseConditions, conditions, GOOD, PRESETS } from './conditions.ts';

export function NetworkControl(): ReactNode {
  const chosen = useExternalValue(conditions);
  const id = useId();
  return (
    <div className="network-control">
      <button
        type="button"
        className={chosen === GOOD ? 'button' : 'button is-bad'}
        popoverTarget={id}
        aria-label={`Network: ${chosen.name}`}
      >
        <LineIcon name="wave" /> <span className="wide-only">Network:</span> {chosen.name}
      </button>
      <div id={id} popover="auto" className="popover" role="dialog" aria-label="Network conditions">
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
      </div>
    </div>
  );
}
