import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { ApolloProvider } from '@apollo/client/react';
import { Events } from './load-pages.tsx';
import { TaskList } from './read-list.tsx';

interface Pages {
  events: unknown[];
  next: string | null;
}

const client = new ApolloClient({
  link: new HttpLink({ uri: '/api/graphql' }),
  cache: new InMemoryCache({
    typePolicies: {
      Query: {
        fields: {
          events: {
            keyArgs: false,
            merge: (before: Pages | undefined, page: Pages) => ({
              ...page,
              events: [...(before?.events ?? []), ...page.events],
            }),
          },
        },
      },
    },
  }),
});

export const App = () => (
  <ApolloProvider client={client}>
    <TaskList />
    <Events />
  </ApolloProvider>
);
