// Schemas and store alone, with no network: the public face of the engine. For tests, tools, and applications
// with their own transport; the Controller stands on the same engine.
import { unsubscribe } from '../store/graph.ts';
import { Engine } from './engine.ts';
import { kindOf } from '../schema/kinds/kind-of.ts';
import { systemClock, systemRandom } from '../support/environment.ts';
import type { Environment } from '../support/environment.ts';
import { Timeline, writeNow } from '../store/stamp.ts';
import type { DenormalizeNullable, Queryable, Schema, SchemaArgs } from '../schema/protocol/schema.types.ts';

/**
 * How a payload is handed over.
 *
 * @example
 * new Cache().write([User], JSON.parse('[{ "id": "1", "name": "Ada" }]'), [], { isOwned: true });
 */
export interface CacheWriteOptions {
  /**
   * The payload is a tree that was made for the cache alone, as `JSON.parse` makes it: its objects are kept instead of
   * copied, and rewritten even where the payload is refused. A change of one of them afterwards changes what is stored.
   */
  readonly isOwned?: boolean;
}

/**
 * A normalized cache. Writers have applied when they return; a read of unchanged data gives the same reference.
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

  /** Stores a payload. A payload that the schema refuses throws a ValidationError and changes nothing. */
  write<S extends Schema>(
    schema: S,
    value: unknown,
    args: readonly unknown[] = [],
    { isOwned = false }: CacheWriteOptions = {},
  ): void {
    const effects = this.#engine.normalize(kindOf(schema), value, { args, isOwned });
    this.#engine.apply(effects, writeNow(this.#engine.store.timeline));
  }

  /** What the cache holds for the schema and arguments; undefined when it does not. */
  read<S extends Queryable>(schema: S, args: SchemaArgs<S> | [] = []): DenormalizeNullable<S> {
    const value = this.#engine.lookUp(kindOf(schema), args);
    return value as DenormalizeNullable<S>; // cast: the schema says what it reads as
  }

  /** Calls the listener after every batch of writes that changed what `read` gives. */
  subscribe<S extends Queryable>(schema: S, args: SchemaArgs<S> | [], listener: () => void): () => void {
    const view = this.#engine.cellView(kindOf(schema), args);
    const subscriber = { wake: () => listener() };
    this.#engine.store.subscribe(view, subscriber);
    return () => unsubscribe(view, subscriber);
  }

  /** Groups writes: subscribers hear of all of them once. */
  batch<T>(run: () => T): T {
    return this.#engine.store.batch(run);
  }
}

export declare namespace Cache {
  export type { CacheWriteOptions as WriteOptions };
}
