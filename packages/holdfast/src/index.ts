// The main entry: everything that needs no framework. Re-exports by name; nothing inside the library imports it. By folders,
// the store first, the controller late and the addons last: bundlers keep the order, and like beside like compresses better.
export { Cache } from './normalize/cache.ts';
export type { CacheWriteOptions } from './normalize/cache.ts';
export { All } from './schema/kinds/all.ts';
export { Collection } from './schema/collection/collection.ts';
export { orderBy } from './schema/collection/list-order.ts';
export { Total, totalOf } from './schema/collection/total.ts';
export type { Countable } from './schema/collection/total.ts';
export type { CompareItems, ListOrder, OrderValues } from './schema/collection/list-order.ts';
export type {
  AssignSchema,
  CollectionArgs,
  CollectionItem,
  CollectionOptions,
  CreationSchema,
  ListDefinition,
  NonFilterKeys,
} from './schema/collection/collection.types.ts';
export type {
  CollectionFilter,
  CollectionKey,
  CreateCollectionFilter,
  MergeMembers,
} from './schema/collection/placement-kind.ts';
export { Entity, validateRequired } from './schema/entity/entity.ts';
export { EntityMixin } from './schema/entity/entity-mixin.ts';
export type { EntityMixinOptions, MixedEntity, MixinBase } from './schema/entity/entity-mixin.ts';
export type { PrimaryKey } from './schema/entity/entity.ts';
export { toPlain } from './schema/entity/to-plain.ts';
export type { PlainOf } from './schema/entity/to-plain.ts';
export { versionBy } from './schema/entity/versions.ts';
export type { VersionRule } from './schema/entity/versions.ts';
export { Invalidate } from './schema/kinds/invalidate.ts';
export { Lazy } from './schema/kinds/lazy.ts';
/**
 * All schemas under one name: `schema.Collection`, `schema.Union`, and the others.
 *
 * @example const list = new schema.Collection([Todo]);
 */
export * as schema from './schema/namespace.ts';
export type { Meta } from './schema/protocol/protocol.ts';
export type { ObjectOptions } from './schema/kinds/object.ts';
export { Query } from './schema/kinds/query.ts';
export type {
  AnswerSchema,
  Denormalize,
  DenormalizeNullable,
  EntityClass,
  EntityFields,
  Given,
  Normalize,
  Queryable,
  Schema,
  SchemaArgs,
  SchemaObject,
} from './schema/protocol/schema.types.ts';
export type { StandardIssue, StandardResult, StandardSchema } from './schema/protocol/standard-schema.ts';
export type { Arrangement } from './schema/kinds/sorted-items.ts';
export { Union } from './schema/kinds/union.ts';
export { Values } from './schema/kinds/values.ts';
export { isDraft, viewKey } from './schema/protocol/view-key.ts';
export type {
  Clock,
  Environment,
  FetchLike,
  IdleScheduler,
  OnlineState,
  TimerId,
  Timers,
  VisibilityState,
} from './support/environment.ts';
export { HoldfastError, ResetError, ValidationError } from './support/errors.ts';
export {
  AbortError,
  ConnectionError,
  HttpError,
  isAbortError,
  isConnectionError,
  isHttpError,
  isNetworkError,
  isParseError,
  isTimeoutError,
  NetworkError,
  ParseError,
  TimeoutError,
} from './support/network-errors.ts';
export type { Problem, RequestName } from './support/network-errors.ts';
export { createResource, createResource as resource } from './endpoint/create-resource.ts';
export { Endpoint } from './endpoint/endpoint.ts';
export type { EndpointBase } from './endpoint/endpoint-base.ts';
export type { EndpointOptions, FetchFunction } from './endpoint/endpoint.ts';
export type {
  AnyEndpoint,
  AnyReadEndpoint,
  EndpointArgs,
  EndpointExtraOptions,
  EndpointInterface,
  ErrorPolicy,
  HttpMethod,
  KeyTest,
  PageRule,
  ReadEndpoint,
  RequestArgs,
  RetryOptions,
} from './endpoint/endpoint-interface.ts';
export type { ErrorSchemas } from './endpoint/failure.types.ts';
export type { UrlParams } from './endpoint/path-template.ts';
export { hookifyResource } from './endpoint/hookify-resource.ts';
export type { HookResource } from './endpoint/hookify-resource.ts';
export type { PathParams, PathValue, ShortenPath } from './endpoint/path.types.ts';
export type {
  AnySearch,
  ExtendedResource,
  Resource,
  ResourceMembers,
  ResourceOptions,
  SearchValue,
} from './endpoint/resource.types.ts';
export type { ResponseContent } from './endpoint/parse-response.ts';
export { RestEndpoint } from './endpoint/rest-endpoint.ts';
export type { Json } from './endpoint/response.types.ts';
export type { RestArgs, RestExtension, RestMembers, RestOptions, RestResult } from './endpoint/rest.types.ts';
export { DEFAULT_TIMEOUT_MS } from './endpoint/run-request.ts';
export type { RequestOutcome } from './endpoint/run-request.ts';
export { testKey } from './endpoint/test-key.ts';
export type { Snapshot, SnapshotResponse } from './endpoint/snapshot.ts';
export { getDefaultManagers } from './dispatch/default-managers.ts';
export { DevToolsManager } from './dispatch/dev-tools-manager.ts';
export type { DevToolsConnection, DevToolsMessage, DevToolsOptions } from './dispatch/dev-tools-manager.ts';
export { FAILED_MUTATIONS_KEPT, FailedManager } from './dispatch/failed-manager.ts';
export type { FailedMutation } from './dispatch/failed-manager.ts';
export { FocusManager } from './dispatch/focus-manager.ts';
export type { FocusOptions } from './dispatch/focus-manager.ts';
export type {
  ControllerEvent,
  LiveSubscription,
  Manager,
  ManagerHost,
  MutationFailure,
  NetworkRequest,
  Send,
} from './dispatch/manager.ts';
export { LogManager } from './dispatch/log-manager.ts';
export type { Log } from './dispatch/log-manager.ts';
export { PollingManager } from './dispatch/polling-manager.ts';
export {
  DEFAULT_RETRY_COUNT,
  DEFAULT_RETRY_DELAY_MS,
  DEFAULT_RETRY_MAX_DELAY_MS,
  RetryManager,
} from './dispatch/retry-manager.ts';
export { StreamManager } from './dispatch/stream-manager.ts';
export { DEFAULT_MAX_RECONNECT_MS, DEFAULT_RECONNECT_MS } from './dispatch/stream-options.ts';
export type { StreamConnection, StreamEvent, StreamOptions } from './dispatch/stream-options.ts';
export type { InitialState } from './controller/state/core.ts';
export { Controller } from './controller/controller.ts';
export type { ControllerOptions } from './controller/controller-options.ts';
export { DEFAULT_RETENTION_MS } from './controller/retention.ts';
export { ExpiryStatus } from './controller/slot/decide.ts';
export type { ArgsOrNull, ResolveType, ResponseData, ResponseMeta } from './controller/controller.types.ts';
export type { Pending } from './controller/state/core.ts';
export { DEFAULT_DATA_EXPIRY_MS, DEFAULT_ERROR_EXPIRY_MS } from './controller/slot/decide.ts';
export { getPending, watchPending, watchQuery } from './controller/watch.ts';
export type { PendingObserver } from './controller/observe/pending-observer.ts';
export type { Observer, ObserverState, Shown, Waiters } from './controller/observe/shown.ts';
export { savedState } from './addons/state/arrivals.ts';
export type { StateSource } from './addons/state/arrivals.ts';
export { dehydrate } from './addons/state/dehydrate.ts';
export type { DehydratedState } from './addons/state/dehydrate.ts';
export { hydrate } from './addons/state/hydrate.ts';
export { loadMore, loadPrevious } from './addons/pages/load-more.ts';
export { inPages } from './addons/pages/rule.ts';
export type { PageOptions } from './addons/pages/loaded-pages.ts';
export type { Finder } from './addons/pages/answers.ts';
