// The names of the options of endpoints, resources and Collections, for checks that the compiler cannot make: in development, and in
// the lint rules. A type test compares these lists with the types.

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
  'sparse',
  'argumentRoles',
  'keepPreviousData',
  'placeholderData',
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
  'precondition',
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

/** Options of `createResource` besides the options of endpoints. */
export const RESOURCE_OPTIONS = ['Endpoint', 'Collection', 'nonFilterArgumentKeys'] as const;

/** Options of `new schema.Collection`. */
export const COLLECTION_OPTIONS = [
  'argsKey',
  'nestKey',
  'createCollectionFilter',
  'nonFilterArgumentKeys',
  'argumentRoles',
  'membership',
  'complete',
  'order',
] as const;
