import { errorText, isHttpError } from 'holdfast';
import { useMutation } from 'holdfast/react';
import { useState } from 'react';
import { BookResource } from './resources.ts';

/** What the server says about each field, in an answer 422. */
function fieldErrorsOf(error: unknown): Record<string, string> {
  if (!isHttpError(error, 422)) return {};
  return (error.problem?.['errors'] ?? {}) as Record<string, string>;
}

export function NewBook() {
  const [title, setTitle] = useState('');
  const { mutate, error } = useMutation(BookResource.getList.push, {
    onSuccess: () => setTitle(''),
  });
  const fieldErrors = fieldErrorsOf(error);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mutate({ title });
      }}
    >
      <label>
        New book{' '}
        <input
          value={title}
          onChange={({ target }) => setTitle(target.value)}
        />
      </label>
      <button>Add</button>
      {fieldErrors['title'] && (
        <p role="alert">The title {fieldErrors['title']}.</p>
      )}
      {error && !fieldErrors['title'] && (
        <p role="alert">{errorText(error)}</p>
      )}
    </form>
  );
}
