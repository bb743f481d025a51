import { useState } from 'react';
import { BookDetail } from './book-detail.tsx';
import { BookList } from './book-list.tsx';

export function App() {
  const [id, setId] = useState<string>();
  return (
    <>
      <BookList onOpen={setId} />
      {id !== undefined && <BookDetail id={id} />}
    </>
  );
}
