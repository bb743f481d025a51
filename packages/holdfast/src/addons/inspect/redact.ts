// Hides values that must not leave the page: the values of redacted names, and every string or number that contains such a value
// elsewhere. Used for the inspector's trace.
import { ensure } from '../../support/ensure.ts';
import { isObject, isPlain, leavesIn, tagOf } from '../../support/plain.ts';

export const REDACTED = '[redacted]';

/** A secret with fewer characters is hidden only as a whole word: otherwise the secret `1` would hide every text with a 1. */
const SHORTEST_PART = 4;

/** Objects that are nested deeper are replaced by `…`. */
const MOST_DEPTH = 12;

type NamePatterns = readonly (string | RegExp)[];

function isSecret(patterns: NamePatterns, name: string): boolean {
  return patterns.some((pattern) =>
    // `search` ignores `lastIndex`, which a pattern with the flag `g` keeps from its last use
    typeof pattern === 'string' ? pattern === name : name.search(pattern) >= 0,
  );
}

export class Redaction {
  readonly #patterns: NamePatterns;
  readonly #secrets = new Set<string>();
  /** The secrets of at least SHORTEST_PART characters, by their first characters, so that a string is scanned once for all. */
  readonly #secretsByStart = new Map<string, string[]>();

  constructor(patterns: NamePatterns) {
    this.#patterns = patterns;
  }

  isHidden(name: string): boolean {
    return isSecret(this.#patterns, name);
  }

  /** Remembers all strings and numbers in the value of a hidden property as secrets. */
  addSecretsIn(value: unknown): void {
    for (const leaf of isPlain(value) ? leavesIn(value) : [value])
      if (leaf !== null && leaf !== undefined && typeof leaf !== 'boolean')
        this.#addSecretForms(String(leaf));
  }

  /** Remembers the string also as it is encoded in a URL and in JSON. */
  #addSecretForms(text: string): void {
    if (text === '') return;
    const encoded = encodeURIComponent(text);
    for (const form of [text, encoded, encoded.replaceAll('%20', '+'), JSON.stringify(text).slice(1, -1)])
      this.#addSecret(form);
  }

  #addSecret(secret: string): void {
    if (this.#secrets.has(secret)) return;
    this.#secrets.add(secret);
    const start = secret.slice(0, SHORTEST_PART);
    if (start.length === SHORTEST_PART) ensure(this.#secretsByStart, start, () => []).push(secret);
  }

  /** Remembers the values of all hidden properties in a value. */
  addHiddenIn(value: unknown, depth = 0): void {
    if (!isPlain(value) || depth > MOST_DEPTH) return;
    for (const [name, member] of Object.entries(value)) {
      if (!Array.isArray(value) && this.isHidden(name)) this.addSecretsIn(member);
      else this.addHiddenIn(member, depth + 1);
    }
  }

  /** A copy of the value that JSON can represent, without secrets. */
  withoutSecrets(value: unknown, depth = 0): unknown {
    if (typeof value === 'string') return this.#withoutSecretsInText(value);
    if (typeof value === 'bigint') return this.#withoutSecretsInText(String(value));
    if (typeof value === 'number' && this.#secrets.has(String(value))) return REDACTED;
    if (!isObject(value)) return typeof value === 'function' || typeof value === 'symbol' ? undefined : value;
    if (depth > MOST_DEPTH) return '…';
    if (Array.isArray(value)) return value.map((item: unknown) => this.withoutSecrets(item, depth + 1));
    if (value instanceof Date) return this.#withoutSecretsInText(value.toJSON());
    const isOwnKind = !isPlain(value) as boolean; // cast: by its type, every object is plain
    if (isOwnKind) return `[${tagOf(value)}]`;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        this.isHidden(name) ? REDACTED : this.withoutSecrets(member, depth + 1),
      ]),
    );
  }

  #withoutSecretsInText(text: string): string {
    const secrets = this.#secrets;
    const isShort = (word: string): boolean => word.length < SHORTEST_PART && secrets.has(word);
    if (secrets.has(text) || text.split(/[^\w-]+/).some(isShort)) return REDACTED;
    for (let at = 0; at + SHORTEST_PART <= text.length; at += 1) {
      const alike = this.#secretsByStart.get(text.slice(at, at + SHORTEST_PART));
      if (alike?.some((secret) => text.startsWith(secret, at))) return REDACTED;
    }
    return text;
  }
}
