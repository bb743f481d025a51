import { useGetEventsInfiniteQuery } from './api.ts';

export function Events() {
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useGetEventsInfiniteQuery();
  return (
    <section aria-label="Events">
      {data?.pages
        .flatMap((page) => page.events)
        .map((event) => (
          <p key={event.id}>{event.text}</p>
        ))}
      {hasNextPage && (
        <button
          disabled={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          More
        </button>
      )}
    </section>
  );
}
