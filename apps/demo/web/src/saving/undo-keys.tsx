// Ctrl+Z undoes the last change, with Shift it does the change again. Fields have an undo of their own. A line says what was left,
// because somebody else has changed the same since.
import type { history } from 'holdfast/edit';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { LineIcon } from '../ui/icons.tsx';
import { usePast } from './past.ts';

export function UndoKeys(): ReactNode {
  const past = usePast();
  const [result, setResult] = useState<history.Result>();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const isTyping =
        event.target instanceof Element && event.target.closest('input, textarea, select, dialog');
      if (isTyping || event.key.toLowerCase() !== 'z' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      // one that fails is in the list of failed changes
      (event.shiftKey ? past.redo() : past.undo()).then(setResult, () => undefined);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [past]);
  const changed = result?.left.filter(({ why }) => why === 'changed').length ?? 0;
  if (changed === 0) return null;
  return (
    <div className="notice">
      <LineIcon name="warning" />
      <span>
        {changed === 1 ? 'One change was' : `${changed} changes were`} not undone: somebody else has changed
        the same since
      </span>
      <button type="button" className="icon-button" aria-label="Dismiss" onClick={() => setResult(undefined)}>
        <LineIcon name="close" />
      </button>
    </div>
  );
}
