import { gql, type TypedDocumentNode } from '@apollo/client';
import { useQuery } from '@apollo/client/react';

interface Data {
  events: {
    __typename: 'Events';
    events: { __typename: 'Event'; id: string; text: string }[];
    next: string | null;
  };
}

const EVENTS: TypedDocumentNode<Data, { cursor?: string }> = gql`
  query Events($cursor: String) {
    events(cursor: $cursor) {
      events {
        id
        text
      }
      next
    }
  }
`;

export function Events() {
  const { data, fetchMore } = useQuery(EVENTS, { variables: {} });
  const next = data?.events.next;
  return (
    <section aria-label="Events">
      {data?.events.events.map((event) => (
        <p key={event.id}>{event.text}</p>
      ))}
      {next && (
        <button
          onClick={() => void fetchMore({ variables: { cursor: next } })}
        >
          More
        </button>
      )}
    </section>
  );
}
