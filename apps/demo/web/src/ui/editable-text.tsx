// Text that turns into a field when it is clicked or focused. Enter or leaving saves, Escape takes
// the typing back. While nobody types it shows what the store says, so it follows other views.
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
  const [draft, setDraft] = useState<string | null>(null);
  const isCancelled = useRef(false);

  const finish = (): void => {
    const text = draft?.trim();
    setDraft(null);
    if (isCancelled.current) isCancelled.current = false;
    else if (text !== undefined && text !== value && (text !== '' || !isRequired)) onSave(text);
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
      value={draft ?? value}
      onChange={(event) =>
        setDraft(isMultiline ? event.target.value : event.target.value.replaceAll('\n', ' '))
      }
      onBlur={finish}
      onKeyDown={onKeyDown}
    />
  );
}
