// Text that turns into a field when it is clicked or focused. Enter or leaving saves, Escape undoes the typing. Without focus it
// shows the value of the store, so it follows other views; with focus the text does not change while the user may be typing.
import { useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';

interface EditableTextProps {
  value: string;
  label: string;
  onSave: (value: string) => void;
  className?: string;
  placeholder?: string;
  isMultiline?: boolean;
  isRequired?: boolean;
}

export function EditableText(props: EditableTextProps): ReactNode {
  const {
    value,
    label,
    onSave,
    className = '',
    placeholder,
    isMultiline = false,
    isRequired = false,
  } = props;
  const [draft, setDraft] = useState<{ began: string; text: string } | null>(null);
  const isCancelled = useRef(false);

  const finish = (): void => {
    setDraft(null);
    // the value may have changed meanwhile: an edit without typing saves nothing
    const isTyped = !isCancelled.current && draft !== null && draft.text !== draft.began;
    isCancelled.current = false;
    const text = draft?.text.trim() ?? '';
    if (isTyped && text !== value && (text !== '' || !isRequired)) onSave(text);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.key === 'Enter' && (!isMultiline || event.metaKey || event.ctrlKey)) {
      event.preventDefault();
      event.currentTarget.blur();
    } else if (event.key === 'Escape') {
      event.stopPropagation();
      isCancelled.current = true;
      event.currentTarget.blur();
    }
  };
  return (
    <textarea
      className={`editable ${className}`}
      aria-label={label}
      rows={1}
      placeholder={placeholder}
      value={draft?.text ?? value}
      onFocus={() => setDraft({ began: value, text: value })}
      onChange={({ target }) =>
        setDraft({
          began: draft?.began ?? value,
          text: isMultiline ? target.value : target.value.replaceAll('\n', ' '),
        })
      }
      onBlur={finish}
      onKeyDown={onKeyDown}
    />
  );
}
