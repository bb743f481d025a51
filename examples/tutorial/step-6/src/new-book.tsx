import { useMutation } from 'holdfast/react';
import { useState } from 'react';
import { BookResource } from './resources.ts';

export function NewBook() {
  const [title, setTitle] = useState('');
  const { mutate } = useMutation(BookResource.getList.push, {
    onSuccess: () => setTitle(''),
  });
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
    </form>
  );
}
