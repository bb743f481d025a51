// Which names of a payload can simply be assigned to an instance of a class. Used by entity-read.ts for every row.
import type { Fields } from '../../store/nodes.ts';
import type { EntityHooks } from './entity-hooks.ts';

/**
 * What an object without such a field answers to `__proto__`: its prototype, or nothing on platforms that have no such
 * accessor. A few forbid the question.
 */
const [canAsk, PLAIN_ANSWER] = askPlain();

function askPlain(): readonly [canAsk: boolean, answer: unknown] {
  try {
    return [true, ({} as Fields)['__proto__']]; // cast: asked by name
  } catch {
    return [false, undefined];
  }
}

export class SafeNames {
  readonly #entity: EntityHooks;
  readonly #known = new Map<string, boolean>();
  /** The names that would call an accessor of the class; `__proto__` is asked for apart, being every object's. */
  readonly #traps: readonly string[];
  #shared: readonly (readonly [name: string, value: unknown])[] | null = null;

  constructor(entity: EntityHooks) {
    this.#entity = entity;
    this.#traps = accessorsOf(entity.prototype);
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

  /** Whether assigning all fields calls no accessor. */
  cover(fields: Fields): boolean {
    // asked of every row that is read for the first time: an answer costs less than a search
    if (canAsk ? fields['__proto__'] !== PLAIN_ANSWER : Object.hasOwn(fields, '__proto__')) return false;
    for (const name of this.#traps) if (Object.hasOwn(fields, name)) return false;
    return true;
  }

  /** Whether what the class gives each instance can be copied to another: accessors cannot, nor functions that know theirs. */
  get areData(): boolean {
    return Object.values(Object.getOwnPropertyDescriptors(this.#entity.defaults)).every(
      ({ value, writable }) => writable && typeof value !== 'function',
    );
  }

  /** The defaults that are objects. */
  get sharedDefaults(): readonly (readonly [name: string, value: unknown])[] {
    this.#shared ??= Object.entries(this.#entity.defaults).filter(
      ([, value]) => typeof value === 'object' && value !== null,
    );
    return this.#shared;
  }
}

function accessorsOf(prototype: object): string[] {
  const found: string[] = [];
  for (let one: object | null = prototype; one !== null; one = Object.getPrototypeOf(one) as object | null) {
    for (const [name, { get, set }] of Object.entries(Object.getOwnPropertyDescriptors(one)))
      if (name !== '__proto__' && (get ?? set)) found.push(name);
  }
  return found;
}
