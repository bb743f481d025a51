// The window that `getOptimisticResponse` gets on the store: server truth plus earlier intents. Declared here because
// endpoints call it; the controller implements it.
import type { DenormalizeNullable, Queryable, Schema, SchemaArgs } from '../schema/protocol/schema.types.ts';

/** As much of an endpoint as a snapshot needs: endpoints themselves know snapshots. */
interface StoredEndpoint {
  // oxlint-disable-next-line typescript/no-explicit-any -- as in EndpointInterface
  (...args: any): Promise<unknown>;
  key(...args: never): string;
  readonly schema?: Schema | undefined;
}

/**
 * What a read through a snapshot found for an endpoint.
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
 * A view of the store at one moment, valid during the call it is given to.
 *
 * @example
 * function guessVote(snapshot: Snapshot, { id }: { id: string | number }) {
 *   const post = snapshot.get(Post, { id });
 *   if (!post) throw snapshot.abort;
 *   return { id, votes: post.votes + 1 };
 * }
 * const vote = PostResource.get.extend({ method: 'POST', body: undefined, getOptimisticResponse: guessVote });
 */
export interface Snapshot {
  /** The value of a schema: an entity by its fields or pk, a collection by its arguments. */
  get<S extends Queryable>(schema: S, ...args: SchemaArgs<S>): DenormalizeNullable<S> | undefined;
  /** The stored result of an endpoint. */
  getResponse<E extends StoredEndpoint>(
    endpoint: E,
    ...args: Parameters<E> | readonly [null]
  ): SnapshotResponse<SnapshotData<E> | undefined>;
  /** The stored failure of an endpoint. */
  getError<E extends StoredEndpoint>(
    endpoint: E,
    ...args: Parameters<E> | readonly [null]
  ): Error | undefined;
  /** When the mutation was sent. */
  readonly fetchedAt: number;
  /** Throw it to give no optimistic response this time. */
  readonly abort: Error;
}

type SnapshotData<E extends StoredEndpoint> = E extends { schema: infer S extends Schema }
  ? DenormalizeNullable<S>
  : Awaited<ReturnType<E>>;

export declare namespace Snapshot {
  export type { SnapshotResponse as Response };
}
