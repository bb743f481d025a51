import useSWRInfinite from 'swr/infinite';

interface Page {
  events: { id: string; text: string }[];
  next: string | null;
}

export function Events() {
  const { data, size, setSize, isValidating } = useSWRInfinite<Page>(
    (index, before: Page | null) => {
      if (index === 0) return '/api/events';
      return before?.next ? `/api/events?cursor=${before.next}` : null;
    },
  );
  return (
    <section aria-label="Events">
      {data
        ?.flatMap((page) => page.events)
        .map((event) => (
          <p key={event.id}>{event.text}</p>
        ))}
      {data?.at(-1)?.next && (
        <button
          disabled={isValidating}
          onClick={() => void setSize(size + 1)}
        >
          More
        </button>
      )}
    </section>
  );
}
