import { useMutation, useSuspense } from 'holdfast/react';
import { BookResource } from './resources.ts';

export function BookDetail({ id }: { id: string }) {
  const book = useSuspense(BookResource.get, { id });
  const { mutate, isPending } = useMutation(BookResource.partialUpdate);
  return (
    <article>
      <h2>{book.title}</h2>
      <p>by {book.author}</p>
      <label>
        <input
          type="checkbox"
          checked={book.finished}
          onChange={() => mutate({ id }, { finished: !book.finished })}
        />{' '}
        finished
      </label>
      {isPending && <small> saving</small>}
    </article>
  );
}
