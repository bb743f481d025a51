// `holdfast`, the main entry: schemas, endpoints, managers, the controller, saved states and pages, for any framework. No file
// of the library imports it. The exports are grouped by folder: bundlers keep this order, and a bundle compresses better when
// similar code is adjacent.
export { Cache } from './normalize/cache.ts';
export { All } from './schema/kinds/all.ts';
export { Collection } from './schema/collection/collection.ts';
export { byRole } from './schema/collection/argument-roles.ts';
export type { ArgumentRoles } from './schema/collection/argument-roles.ts';
export { orderBy } from './schema/collection/list-order.ts';
export { totalOf } from './schema/collection/total.ts';
export type { CollectionOptions } from './schema/collection/collection.types.ts';
export { Entity, validateRequired } from './schema/entity/entity.ts';
export { EntityMixin } from './schema/entity/entity-mixin.ts';
export { snakeCase, wireNames } from './schema/entity/wire-names.ts';
export type { WireNames } from './schema/entity/wire-names.ts';
export { toPlain } from './schema/entity/to-plain.ts';
export type { PlainOf } from './schema/entity/to-plain.ts';
export { versionBy } from './schema/entity/versions.ts';
export { Invalidate } from './schema/kinds/invalidate.ts';
export { Lazy } from './schema/kinds/lazy.ts';
/**
 * All schemas under one name, such as `schema.Collection` and `schema.Union`.
 *
 * @example const list = new schema.Collection([Todo]);
 */
export * as schema from './schema/namespace.ts';
export type { Meta } from './schema/protocol/protocol.ts';
export { Query } from './schema/kinds/query.ts';
export type {
  Denormalize,
  DenormalizeNullable,
  EntityFields,
  Normalize,
  Queryable,
  Schema,
  SchemaArgs,
} from './schema/protocol/schema.types.ts';
export type { StandardSchema } from './schema/protocol/standard-schema.ts';
export { Union } from './schema/kinds/union.ts';
export { Values } from './schema/kinds/values.ts';
export { isDraft, viewKey } from './schema/protocol/view-key.ts';
export type { Environment } from './support/environment.ts';
export { errorText } from './support/error-text.ts';
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
export { createResource, createResource as resource } from './endpoint/create-resource.ts';
export { Endpoint } from './endpoint/endpoint.ts';
export type { EndpointOptions, FetchFunction } from './endpoint/endpoint.ts';
export type {
  AnyEndpoint,
  AnyMutation,
  AnyReadEndpoint,
  EndpointArgs,
  EndpointExtraOptions,
  EndpointInterface,
  ReadEndpoint,
} from './endpoint/endpoint-interface.ts';
export { hookifyResource } from './endpoint/hookify-resource.ts';
export type { HookResource } from './endpoint/hookify-resource.ts';
export type { PathParams, ShortenPath } from './endpoint/path.types.ts';
export type {
  AnySearch,
  ExtendedResource,
  Resource,
  ResourceMembers,
  ResourceOptions,
} from './endpoint/resource.types.ts';
export { RestEndpoint } from './endpoint/rest-endpoint.ts';
export type { Json } from './endpoint/response.types.ts';
export type { RestOptions } from './endpoint/rest.types.ts';
export { testKey } from './endpoint/test-key.ts';
export { withOptions } from './endpoint/with-options.ts';
export type { Snapshot } from './endpoint/snapshot.ts';
export { getDefaultManagers } from './dispatch/default-managers.ts';
export { DevToolsManager } from './dispatch/dev-tools-manager.ts';
export { FailedManager } from './dispatch/failed-manager.ts';
export type { FailedMutation } from './dispatch/failed-manager.ts';
export { FocusManager } from './dispatch/focus-manager.ts';
export type { Manager } from './dispatch/manager.ts';
export { LogManager } from './dispatch/log-manager.ts';
export { PollingManager } from './dispatch/polling-manager.ts';
export { RetryManager } from './dispatch/retry-manager.ts';
export { StreamManager } from './dispatch/stream-manager.ts';
export { Controller } from './controller/controller.ts';
export type { ControllerOptions } from './controller/controller-options.ts';
export { ExpiryStatus } from './controller/slot/decide.ts';
export type { ResolveType, ResponseData, ResponseMeta } from './controller/controller.types.ts';
export type { Pending } from './controller/state/core.ts';
export { getPending, watchPending, watchQuery } from './controller/watch.ts';
export type { Observer, ObserverState } from './controller/observe/shown.ts';
export { savedState } from './addons/state/arrivals.ts';
export { dehydrate } from './addons/state/dehydrate.ts';
export { hydrate } from './addons/state/hydrate.ts';
export { loadMore, loadPrevious } from './addons/pages/load-more.ts';
export { inPages } from './addons/pages/rule.ts';
export { defaults } from './addons/defaults.ts';
