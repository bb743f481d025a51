import { useSuspense } from 'holdfast/react';
import { BookResource } from './resources.ts';

export function BookList({ onOpen }: { onOpen: (id: string) => void }) {
  const books = useSuspense(BookResource.getList);
  return (
    <ul>
      {books.map((book) => (
        <li key={book.id}>
          <button onClick={() => onOpen(book.id)}>{book.title}</button>
          {book.finished && ' (finished)'}
        </li>
      ))}
    </ul>
  );
}
