// What is bundled for the size table: for each library the imports that a small application has.

export interface SizeEntry {
  readonly name: string;
  readonly source: string;
  /** The target of the design, in bytes of gzip. */
  readonly target?: number;
}

const app = 'an application: resource, provider, reading hook, controller';

export const ourEntries: readonly SizeEntry[] = [
  {
    name: `holdfast, ${app}`,
    source: `export { Entity, createResource } from 'holdfast';
      export { DataProvider, useSuspense, useController } from 'holdfast/react';`,
    target: 30_000,
  },
  {
    name: 'holdfast, schemas and store alone',
    source: `export { Cache, Entity, schema } from 'holdfast';`,
    target: 17_000,
  },
  { name: 'holdfast, Entity and Cache', source: `export { Cache, Entity } from 'holdfast';` },
  { name: 'holdfast, everything in the root entry', source: `export * from 'holdfast';` },
  {
    name: 'holdfast, everything with every hook',
    source: `export * from 'holdfast'; export * from 'holdfast/react';`,
  },
];

export const peerEntries: readonly SizeEntry[] = [
  {
    name: `data-client 0.10, ${app}`,
    source: `export { Entity, createResource } from '@data-client/rest';
      export { CacheProvider, useSuspense, useController } from '@data-client/react';`,
  },
  {
    name: 'TanStack Query: client, provider, useQuery',
    source: `export { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';`,
  },
  {
    name: 'TanStack Query: with suspense and mutations',
    source: `export { QueryClient, QueryClientProvider, useQuery, useSuspenseQuery, useMutation, useQueryClient }
      from '@tanstack/react-query';`,
  },
  { name: 'SWR: useSWR, useSWRConfig', source: `export { default as useSWR, useSWRConfig } from 'swr';` },
  {
    name: 'SWR: with mutations',
    source: `export { default as useSWR, useSWRConfig } from 'swr'; export { default as useSWRMutation } from 'swr/mutation';`,
  },
  {
    name: 'RTK Query: createApi, store, provider',
    source: `export { configureStore } from '@reduxjs/toolkit';
      export { createApi, fetchBaseQuery } from '@reduxjs/toolkit/query/react'; export { Provider } from 'react-redux';`,
  },
  {
    name: 'Apollo Client: client, cache, link, hooks',
    source: `export { ApolloClient, InMemoryCache, HttpLink } from '@apollo/client';
      export { ApolloProvider, useQuery, useMutation } from '@apollo/client/react';`,
  },
  {
    name: 'urql with graphcache',
    source: `export { Client, Provider, useQuery, useMutation, fetchExchange } from 'urql';
      export { cacheExchange } from '@urql/exchange-graphcache';`,
  },
  {
    name: 'TanStack Query with normy',
    source: `export { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
      export { createNormalizer } from '@normy/core';`,
  },
  {
    name: 'TanStack DB: collection and live query',
    source: `export { createCollection, createLiveQueryCollection, eq } from '@tanstack/db';`,
  },
  { name: 'normalizr', source: `export { normalize, denormalize, schema } from 'normalizr';` },
];
