import { usePages } from 'holdfast/react';
import { getEvents } from './api.ts';

export function Events() {
  const { items, hasMore, isLoadingMore, loadMore } = usePages(getEvents);
  return (
    <section aria-label="Events">
      {items.map((event) => (
        <p key={event.id}>{event.text}</p>
      ))}
      {hasMore && (
        <button disabled={isLoadingMore} onClick={() => void loadMore()}>
          More
        </button>
      )}
    </section>
  );
}
