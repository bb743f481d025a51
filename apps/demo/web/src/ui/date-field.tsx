// A date that is typed or picked. A date field has the value "0202" on the way to 2026: a typed date is sent when it is complete
// and the field is left or Enter is pressed; a picked date is sent at once. Escape undoes the typing.
import { useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';

interface DateFieldProps {
  /** A calendar day like 2026-11-15, or null. */
  value: string | null;
  label: string;
  onSave: (day: string | null) => void;
  describedBy?: string | undefined;
}

const EARLIEST = '1970-01-01';
const LATEST = '2999-12-31';

export function DateField({ value, label, onSave, describedBy }: DateFieldProps): ReactNode {
  const [draft, setDraft] = useState<string | null>(null);
  const isTyping = useRef(false);

  const finish = (field: HTMLInputElement): void => {
    isTyping.current = false;
    setDraft(null);
    const { badInput, rangeUnderflow, rangeOverflow } = field.validity;
    const day = field.value || null;
    if (!badInput && !rangeUnderflow && !rangeOverflow && day !== value) onSave(day);
    // an incomplete date is in the field and nowhere else
    if (badInput) field.value = value ?? '';
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'Enter') return finish(event.currentTarget);
    if (event.key === 'Escape' && isTyping.current) {
      event.stopPropagation();
      isTyping.current = false;
      event.currentTarget.value = value ?? '';
      return setDraft(null);
    }
    if (event.key !== 'Tab') isTyping.current = true;
    return undefined;
  };
  return (
    <input
      type="date"
      aria-label={label}
      aria-describedby={describedBy}
      className="plain-field"
      min={EARLIEST}
      max={LATEST}
      value={draft ?? value ?? ''}
      onPointerDown={() => void (isTyping.current = false)}
      onKeyDown={onKeyDown}
      onChange={(event) => {
        if (isTyping.current) setDraft(event.target.value);
        else finish(event.target);
      }}
      onBlur={(event) => {
        if (isTyping.current) finish(event.target);
      }}
    />
  );
}
