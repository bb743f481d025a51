// The title of an issue, which saves itself while it is typed. Other views show each letter at once. While the field has the focus,
// its text is the visitor's: what others write is shown when the focus leaves.
import { useEdit } from 'holdfast/edit/react';
import { useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { failureOf } from 'holdfast/validate';
import { FieldChoice } from '../conflicts/field-choice.tsx';
import { IssueResource } from '../resources/issue.ts';
import { explain } from '../saving/describe-failure.ts';
import { FieldError } from '../ui/field-error.tsx';

const changeIssue = IssueResource.partialUpdate;

/** The texts of the server by field, of a change that it refused. */
function readFieldErrors(error: Error): Record<string, string> {
  const failure = failureOf(changeIssue, error);
  const errors = failure?.kind === 422 ? failure.body.errors : [];
  return Object.fromEntries(errors.map(({ field, message }) => [field, message]));
}

export function IssueTitle({ id }: { id: string }): ReactNode {
  const { field, values, set, flush, state, error, fieldErrors } = useEdit(
    changeIssue,
    { id },
    { fieldErrors: readFieldErrors },
  );
  const title = values.title ?? '';
  const [typed, setTyped] = useState<string | null>(null);
  const began = useRef('');
  const props = field('title');

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault();
      event.currentTarget.blur();
    } else if (event.key === 'Escape') {
      event.stopPropagation();
      if (title !== began.current) set({ title: began.current });
      event.currentTarget.blur();
    }
  };
  return (
    <>
      <textarea
        {...props}
        className="editable issue-title"
        aria-label="Title"
        rows={1}
        value={typed ?? title}
        onFocus={() => {
          began.current = title;
          setTyped(title);
        }}
        onChange={({ target }) => {
          const text = target.value.replaceAll('\n', ' ');
          setTyped(text);
          // an issue has a title: an empty field changes nothing
          if (text.trim() !== '') set({ title: text.trim() });
        }}
        onBlur={() => {
          setTyped(null);
          props.onBlur();
        }}
        onKeyDown={onKeyDown}
      />
      <FieldChoice id={id} field="title" />
      <FieldError name="Title" message={fieldErrors.title} />
      {state === 'failed' && !fieldErrors.title && (
        <p className="field-error" role="alert">
          The title is not saved: {explain(error)}{' '}
          <button type="button" className="button small" onClick={() => void flush().catch(() => undefined)}>
            Try again
          </button>
        </p>
      )}
    </>
  );
}
