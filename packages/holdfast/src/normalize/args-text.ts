// Arguments as a text that is the same for equal arguments and different for others: what a look-up is remembered by.
// Plain objects count by content in any order of members; dates by time; any other object by identity.

/** Below this depth objects count by identity: nobody asks by such, and an object that holds itself has no end. */
const DEEPEST = 16;

export class ArgsText {
  readonly #ids = new WeakMap<object, number>();
  #count = 0;

  of(value: unknown, depth: number = 0): string {
    // the length tells where a text ends, whatever is in it
    if (typeof value === 'string') return `"${value.length}:${value}`;
    if (typeof value === 'bigint') return `${value}n`;
    if (typeof value === 'function') return `#${this.#idOf(value)}`;
    // -0 is 0 to every reader; symbols by their description
    if (typeof value !== 'object') return value === 0 ? '0' : String(value);
    if (value === null) return 'null';
    if (depth > DEEPEST) return `#${this.#idOf(value)}`;
    if (Array.isArray(value)) return this.ofAll(value, depth + 1);
    if (value instanceof Date) return `@${value.getTime()}`;
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) return `#${this.#idOf(value)}`;
    const names = Object.keys(value);
    if (names.length > 1) names.sort();
    let text = '{';
    for (const name of names) {
      const member = (value as Record<string, unknown>)[name]; // cast: a plain object
      // an absent member and an undefined one ask for the same
      if (member !== undefined) text += `${this.of(name)}:${this.of(member, depth + 1)},`;
    }
    return `${text}}`;
  }

  ofAll(values: readonly unknown[], depth: number = 0): string {
    let text = '[';
    for (const item of values) text += `${this.of(item, depth)},`;
    return `${text}]`;
  }

  #idOf(value: object): number {
    let id = this.#ids.get(value);
    if (id === undefined) this.#ids.set(value, (id = this.#count += 1));
    return id;
  }
}
