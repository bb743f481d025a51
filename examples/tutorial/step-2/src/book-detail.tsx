import { useSuspense } from 'holdfast/react';
import { BookResource } from './resources.ts';

export function BookDetail({ id }: { id: string }) {
  const book = useSuspense(BookResource.get, { id });
  return (
    <article>
      <h2>{book.title}</h2>
      <p>by {book.author}</p>
    </article>
  );
}
