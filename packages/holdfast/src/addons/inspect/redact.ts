// Takes out of plain data what must not leave the page: the values of redacted names, wherever they stand, and every text that
// holds one of those values.
import { ensure } from '../../support/ensure.ts';
import { isObject, isPlain, leavesIn, tagOf } from '../../support/plain.ts';

export const REDACTED = '[redacted]';

/** A shorter secret is found only where it is a whole word: else it would take half of every number with it. */
const SHORTEST_PART = 4;

/** How deep a value is shown. */
const MOST_DEPTH = 12;

type Patterns = readonly (string | RegExp)[];

function isSecret(patterns: Patterns, name: string): boolean {
  return patterns.some((pattern) =>
    // `search` begins at the start, also where a pattern with `g` was used before
    typeof pattern === 'string' ? pattern === name : name.search(pattern) >= 0,
  );
}

export class Redaction {
  readonly #patterns: Patterns;
  readonly #secrets = new Set<string>();
  /** The longer ones by how they begin: a text is gone through once, however many there are. */
  readonly #byStart = new Map<string, string[]>();

  constructor(patterns: Patterns) {
    this.#patterns = patterns;
  }

  hides(name: string): boolean {
    return isSecret(this.#patterns, name);
  }

  /** Remembers all texts and numbers in a value that is hidden. */
  learn(value: unknown): void {
    for (const leaf of isPlain(value) ? leavesIn(value) : [value])
      if (leaf !== null && leaf !== undefined && typeof leaf !== 'boolean') this.#learnText(String(leaf));
  }

  /** Also as it stands in an address or in JSON. */
  #learnText(text: string): void {
    if (text === '') return;
    const encoded = encodeURIComponent(text);
    for (const one of [text, encoded, encoded.replaceAll('%20', '+'), JSON.stringify(text).slice(1, -1)])
      this.#add(one);
  }

  #add(secret: string): void {
    if (this.#secrets.has(secret)) return;
    this.#secrets.add(secret);
    const start = secret.slice(0, SHORTEST_PART);
    if (start.length === SHORTEST_PART) ensure(this.#byStart, start, () => []).push(secret);
  }

  /** Learns the hidden members of a value. */
  learnFrom(value: unknown, depth = 0): void {
    if (!isPlain(value) || depth > MOST_DEPTH) return;
    for (const [name, member] of Object.entries(value)) {
      if (!Array.isArray(value) && this.hides(name)) this.learn(member);
      else this.learnFrom(member, depth + 1);
    }
  }

  /** The value as plain data that JSON can write, without what is hidden. */
  clean(value: unknown, depth = 0): unknown {
    if (typeof value === 'string') return this.#cleanText(value);
    if (typeof value === 'bigint') return this.#cleanText(String(value));
    if (typeof value === 'number' && this.#secrets.has(String(value))) return REDACTED;
    if (!isObject(value)) return typeof value === 'function' || typeof value === 'symbol' ? undefined : value;
    if (depth > MOST_DEPTH) return '…';
    if (Array.isArray(value)) return value.map((item: unknown) => this.clean(item, depth + 1));
    if (value instanceof Date) return this.#cleanText(value.toJSON());
    const isOwnKind = !isPlain(value) as boolean; // cast: the check is of the prototype, which types do not tell apart
    if (isOwnKind) return `[${tagOf(value)}]`;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        this.hides(name) ? REDACTED : this.clean(member, depth + 1),
      ]),
    );
  }

  #cleanText(text: string): string {
    const secrets = this.#secrets;
    const isShort = (word: string): boolean => word.length < SHORTEST_PART && secrets.has(word);
    if (secrets.has(text) || text.split(/[^\w-]+/).some(isShort)) return REDACTED;
    for (let at = 0; at + SHORTEST_PART <= text.length; at += 1) {
      const alike = this.#byStart.get(text.slice(at, at + SHORTEST_PART));
      if (alike?.some((secret) => text.startsWith(secret, at))) return REDACTED;
    }
    return text;
  }
}
