// The button in the top bar for everybody who asks why the page shows what it shows.
import type { ReactNode } from 'react';
import { LineIcon } from '../ui/icons.tsx';
import { isInspecting, toggleInspector } from './load-inspector.ts';

export function InspectorButton(): ReactNode {
  const isOn = isInspecting();
  return (
    <button
      type="button"
      className="button wide-only"
      aria-pressed={isOn}
      title={isOn ? 'Alt+Shift+H shows and hides the panel' : 'Loads the page again, with the inspector'}
      onClick={toggleInspector}
    >
      <LineIcon name="eye" /> Inspect
    </button>
  );
}
