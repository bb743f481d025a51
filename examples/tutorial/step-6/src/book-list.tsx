import { viewKey } from 'holdfast';
import { usePages } from 'holdfast/react';
import { BookResource } from './resources.ts';

export function BookList({ onOpen }: { onOpen: (id: string) => void }) {
  const { items, data, loading, hasMore, isLoadingMore, loadMore } =
    usePages(BookResource.getList);
  if (loading) return <p>Loading</p>;
  return (
    <>
      <p>
        {items.length} of {data?.total} books
      </p>
      <ul>
        {items.map((book) => (
          <li key={viewKey(book)}>
            <button onClick={() => onOpen(book.id)}>{book.title}</button>
            {book.finished && ' (finished)'}
          </li>
        ))}
      </ul>
      {hasMore && (
        <button disabled={isLoadingMore} onClick={() => void loadMore()}>
          More
        </button>
      )}
    </>
  );
}
