// The object through which `getOptimisticResponse` reads the store: the server's data with earlier optimistic updates applied. It
// is declared here because endpoints use it; the controller implements it.
import type { DenormalizeNullable, Queryable, Schema, SchemaArgs } from '../schema/protocol/schema.types.ts';

/** The properties of an endpoint that a snapshot needs. EndpointInterface is not used, because it refers to Snapshot. */
interface SnapshotEndpoint {
  // oxlint-disable-next-line typescript/no-explicit-any -- with `never`, `Parameters` of this type would be `never`
  (...args: any): Promise<unknown>;
  key(...args: never): string;
  readonly schema?: Schema | undefined;
}

/**
 * The stored response of a call as a snapshot reads it.
 *
 * @example
 * const isKnown = (stored: Snapshot.Response<unknown>) => stored.expiryStatus === ExpiryStatus.Valid;
 * isKnown(new Controller().snapshot().getResponse(TodoResource.getList));
 */
export interface SnapshotResponse<T> {
  readonly data: T;
  readonly expiryStatus: number;
  readonly expiresAt: number;
}

/**
 * Reads the store. Each read returns what is stored at the time of the read. `getOptimisticResponse` may use its snapshot only until it returns.
 *
 * @example
 * function voteOptimistically(snapshot: Snapshot, { id }: { id: string | number }) {
 *   const post = snapshot.get(Post, { id });
 *   if (!post) throw snapshot.abort;
 *   return { id, votes: post.votes + 1 };
 * }
 * const vote = PostResource.get.extend({ method: 'POST', body: undefined, getOptimisticResponse: voteOptimistically });
 */
export interface Snapshot {
  /**
   * Reads a schema: an entity by its primary key or by a field in its `indexes`, a Collection by its arguments. Returns undefined
   * when the value is not stored or cannot be shown.
   */
  get<S extends Queryable>(schema: S, ...args: SchemaArgs<S>): DenormalizeNullable<S> | undefined;
  /** The stored response of a call. */
  getResponse<E extends SnapshotEndpoint>(
    endpoint: E,
    ...args: Parameters<E> | readonly [null]
  ): SnapshotResponse<SnapshotData<E> | undefined>;
  /**
   * The stored error of a call, if there is one. While there is data that was not invalidated, an error that `errorPolicy` calls
   * soft is left out.
   */
  getError<E extends SnapshotEndpoint>(
    endpoint: E,
    ...args: Parameters<E> | readonly [null]
  ): Error | undefined;
  /** The time at which the mutation, or `controller.snapshot()`, was called, in milliseconds since 1970. */
  readonly fetchedAt: number;
  /** Throw this error if this call must not make an optimistic update. */
  readonly abort: Error;
}

type SnapshotData<E extends SnapshotEndpoint> = E extends { schema: infer S extends Schema }
  ? DenormalizeNullable<S>
  : Awaited<ReturnType<E>>;

export declare namespace Snapshot {
  export type { SnapshotResponse as Response };
}
