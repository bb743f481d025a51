// The button in the top bar that opens the inspector, which explains the data on the page.
import type { ReactNode } from 'react';
import { useExternalValue } from '../external-value.ts';
import { LineIcon } from '../ui/icons.tsx';
import { askForPanel, panel } from './load-inspector.ts';

export function InspectorButton(): ReactNode {
  const isOn = useExternalValue(panel);
  return (
    <button
      type="button"
      className="button wide-only"
      aria-pressed={isOn}
      title="The inspector tells you which response each field came from. Alt+Shift+H shows and hides it."
      onClick={() => askForPanel(!isOn)}
    >
      <LineIcon name="eye" /> Inspect
    </button>
  );
}
