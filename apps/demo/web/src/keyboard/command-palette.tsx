// One field for everything: issues by id or title, places, and commands.
import { useDebounce } from 'holdfast/react';
import { useEffect, useId, useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { useOpen } from '../navigation/navigation.tsx';
import { LineIcon } from '../ui/icons.tsx';
import { useSearch } from './search.ts';
import { findCommands, useCommands } from './use-commands.ts';
import type { Command } from './use-commands.ts';

const MOST_COMMANDS = 8;
const TYPING_PAUSE_MS = 150;

export function CommandPalette({ onClose }: { onClose: () => void }): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const open = useOpen();
  const commands = useCommands();
  const [query] = useDebounce(text.trim(), TYPING_PAUSE_MS);
  const { found, isSearching } = useSearch(query);
  useEffect(() => dialog.current?.showModal(), []);

  const issues: Command[] = (text.trim() === '' ? [] : found).map((issue) => ({
    name: issue.title,
    kind: issue.id,
    run: () => open(`/issues/${issue.id}`, 'beside'),
  }));
  const shown = [...findCommands(commands, text).slice(0, MOST_COMMANDS), ...issues];
  const current = Math.min(active, shown.length - 1);

  const run = (command: Command | undefined): void => {
    if (!command) return;
    // closed first: the focus returns to the page, and the opened view may take it
    dialog.current?.close();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setActive((current + step + shown.length) % Math.max(1, shown.length));
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      run(shown[current]);
    }
  };
  return (
    <dialog ref={dialog} className="dialog palette" aria-label="Find or do" onClose={onClose}>
      <label className="palette-field">
        <LineIcon name="search" />
        <input
          type="text"
          role="combobox"
          aria-label="Find an issue, a place or something to do"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={shown.length > 0 ? `${id}-${current}` : undefined}
          placeholder="Find an issue, a place or something to do"
          autoComplete="off"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
        />
      </label>
      <ul id={`${id}-list`} role="listbox" aria-label="Results" aria-busy={isSearching}>
        {shown.map((command, index) => (
          <li
            key={`${command.kind} ${command.name}`}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === current}
            onPointerMove={() => setActive(index)}
            onClick={() => run(command)}
          >
            <span>{command.name}</span>
            <small>{command.kind}</small>
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p className="empty-note">{isSearching ? 'Searching…' : 'Nothing found.'}</p>}
    </dialog>
  );
}
