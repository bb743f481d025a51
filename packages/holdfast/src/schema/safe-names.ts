// Which names of a payload can simply be assigned to an instance of a class. Used by entity-read.ts for every row.
import type { Fields } from '../store/nodes.ts';
import type { EntityHooks } from './entity-hooks.ts';

type Default = readonly [name: string, value: unknown];

export class SafeNames {
  readonly #entity: EntityHooks;
  readonly #known = new Map<string, boolean>();
  #last: readonly string[] = [];
  #shared: readonly Default[] | null = null;
  #leftOut: readonly Default[] | null = null;

  constructor(entity: EntityHooks) {
    this.#entity = entity;
  }

  /** Whether assigning to this name makes an own field: a getter or a method of the class would be in the way. */
  has(name: string): boolean {
    let isSafe = this.#known.get(name);
    if (isSafe === undefined) {
      isSafe = Object.hasOwn(this.#entity.defaults, name) || !(name in this.#entity.prototype);
      this.#known.set(name, isSafe);
    }
    return isSafe;
  }

  /** Whether all names can be assigned; rows of one answer have the same ones, so the last are remembered. */
  cover(fields: Fields): boolean {
    let at = 0;
    for (const name in fields) {
      if (this.#last[at] !== name) return this.#learn(fields);
      at += 1;
    }
    return at === this.#last.length || this.#learn(fields);
  }

  /** The defaults that are objects. */
  get sharedDefaults(): readonly Default[] {
    this.#shared ??= Object.entries(this.#entity.defaults).filter(
      ([, value]) => typeof value === 'object' && value !== null,
    );
    return this.#shared;
  }

  /** Those of them that the fields which were covered last do not have. */
  get leftOut(): readonly Default[] {
    this.#leftOut ??= this.sharedDefaults.filter(([name]) => !this.#last.includes(name));
    return this.#leftOut;
  }

  #learn(fields: Fields): boolean {
    const names = Object.keys(fields);
    if (!names.every((name) => this.has(name))) return false;
    this.#last = names;
    this.#leftOut = null;
    return true;
  }
}
