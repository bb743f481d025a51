// The public class Cache: schemas and store without network, for tests, tools, and applications with their own transport. The
// Controller uses the same engine.
import { unsubscribe } from '../store/graph.ts';
import { Engine } from './engine.ts';
import { kindOf } from '../schema/kinds/kind-of.ts';
import { systemClock, systemRandom } from '../support/environment.ts';
import type { Environment } from '../support/environment.ts';
import { stampOfWriteNow } from '../store/order.ts';
import { Timeline } from '../store/timeline.ts';
import type { DenormalizeNullable, Queryable, Schema, SchemaArgs } from '../schema/protocol/schema.types.ts';

/**
 * Options of `Cache.write`.
 *
 * @example
 * new Cache().write([User], JSON.parse('[{ "id": "1", "name": "Ada" }]'), [], { isOwned: true });
 */
export interface CacheWriteOptions {
  /**
   * True when no other code uses the payload, as after `JSON.parse`: the cache stores the payload's objects and not copies. The
   * cache also modifies these objects, even when the schema rejects the payload. If other code changes the objects later, the store
   * changes.
   */
  readonly isOwned?: boolean;
}

/**
 * A normalized cache. A write is visible as soon as it returns; reads of unchanged data return the same reference.
 *
 * @example
 * const cache = new Cache();
 * cache.write([User], [{ id: '1', name: 'Ada' }]);
 * cache.read(User, ['1'])?.name; // 'Ada'
 */
export class Cache {
  readonly #engine: Engine;

  constructor(options: Partial<Pick<Environment, 'clock' | 'random'>> = {}) {
    const { clock = systemClock, random = systemRandom } = options;
    this.#engine = new Engine({ timeline: new Timeline(clock), random });
  }

  /** Stores a payload. Throws a ValidationError, and stores nothing, when the schema rejects the payload. */
  write<S extends Schema>(
    schema: S,
    value: unknown,
    args: readonly unknown[] = [],
    { isOwned = false }: CacheWriteOptions = {},
  ): void {
    const effects = this.#engine.normalize(kindOf(schema), value, { args, isOwned });
    this.#engine.apply(effects, stampOfWriteNow(this.#engine.store.timeline));
  }

  /** The stored value of the schema for these arguments; undefined when no value is stored or the value cannot be shown. */
  read<S extends Queryable>(schema: S, args: SchemaArgs<S> | [] = []): DenormalizeNullable<S> {
    const value = this.#engine.lookUp(kindOf(schema), args);
    return value as DenormalizeNullable<S>; // cast: the schema determines the type
  }

  /** Calls the listener after every batch of writes that changed the result of `read`. Returns a function that unsubscribes. */
  subscribe<S extends Queryable>(schema: S, args: SchemaArgs<S> | [], listener: () => void): () => void {
    const view = this.#engine.cellView(kindOf(schema), args);
    const subscriber = { wake: () => listener() };
    this.#engine.store.subscribe(view, subscriber);
    return () => unsubscribe(view, subscriber);
  }

  /** Runs a group of writes. Subscribers are notified once, after all writes. */
  batch<T>(run: () => T): T {
    return this.#engine.store.batch(run);
  }
}

export declare namespace Cache {
  export type { CacheWriteOptions as WriteOptions };
}
