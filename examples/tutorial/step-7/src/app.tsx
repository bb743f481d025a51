import { useState } from 'react';
import { BookDetail } from './book-detail.tsx';
import { BookList } from './book-list.tsx';
import { NewBook } from './new-book.tsx';

export function App() {
  const [id, setId] = useState<string>();
  return (
    <>
      <NewBook />
      <BookList onOpen={setId} />
      {id !== undefined && <BookDetail id={id} />}
    </>
  );
}
