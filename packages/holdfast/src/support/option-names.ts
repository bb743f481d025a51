// The names of all options, for checks that the compiler cannot make: in development, and in the lint rules. The types
// are the authority: a type test compares these lists with them.

/** Options of `new RestEndpoint` and of an endpoint's `extend`. */
export const ENDPOINT_OPTIONS = [
  'path',
  'urlPrefix',
  'method',
  'schema',
  'body',
  'searchParams',
  'paginationField',
  'pages',
  'keepPreviousData',
  'content',
  'requestInit',
  'signal',
  'name',
  'sideEffect',
  'idParam',
  'movePath',
  'testKey',
  'fetch',
  'url',
  'searchToString',
  'getRequestInit',
  'getHeaders',
  'fetchResponse',
  'parseResponse',
  'process',
  'key',
  'splitArgs',
  'dataExpiryLength',
  'errorExpiryLength',
  'pollFrequency',
  'invalidIfStale',
  'timeoutMs',
  'retry',
  'idempotencyKey',
  'queue',
  'optimistic',
  'errors',
  'extra',
  'errorPolicy',
  'getOptimisticResponse',
] as const;

/** Options that `createResource` has besides. */
export const RESOURCE_OPTIONS = ['Endpoint', 'Collection', 'nonFilterArgumentKeys'] as const;

/** Options of `new schema.Collection`. */
export const COLLECTION_OPTIONS = [
  'argsKey',
  'nestKey',
  'createCollectionFilter',
  'nonFilterArgumentKeys',
  'membership',
  'order',
] as const;
