import { errorText, viewKey } from 'holdfast';
import { useMutation, usePages } from 'holdfast/react';
import { BookResource } from './resources.ts';

export function BookList({ onOpen }: { onOpen: (id: string) => void }) {
  const {
    items,
    data,
    loading,
    error,
    refetch,
    hasMore,
    isLoadingMore,
    moreError,
    loadMore,
  } = usePages(BookResource.getList);
  const remove = useMutation(BookResource.delete);
  if (loading) return <p>Loading</p>;
  if (error)
    return (
      <p role="alert">
        {errorText(error)}{' '}
        <button onClick={() => void refetch()}>Try again</button>
      </p>
    );
  return (
    <>
      <p>
        {items.length} of {data?.total} books
      </p>
      {remove.error && <p role="alert">{errorText(remove.error)}</p>}
      <ul>
        {items.map((book) => (
          <li key={viewKey(book)}>
            <button onClick={() => onOpen(book.id)}>{book.title}</button>
            {book.finished && ' (finished)'}{' '}
            <button
              aria-label={`Remove ${book.title}`}
              onClick={() => remove.mutate({ id: book.id })}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      {moreError && <p role="alert">{errorText(moreError)}</p>}
      {hasMore && (
        <button disabled={isLoadingMore} onClick={() => void loadMore()}>
          More
        </button>
      )}
    </>
  );
}
