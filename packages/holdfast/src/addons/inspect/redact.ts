// Hides values that must not leave the page: the values of redacted names, every other string that contains such a value (see
// SHORTEST_PART), and every other number that equals such a value. The inspector's trace uses it.
import { tryRun } from '../../support/call-safely.ts';
import { ensure } from '../../support/ensure.ts';
import { isObject, isPlain, someLeaf, tagOf } from '../../support/plain.ts';

export const REDACTED = '[redacted]';

/**
 * A secret with fewer characters is hidden only as a whole word, because otherwise the secret `1` would hide every text with a 1.
 */
const SHORTEST_PART = 4;

/** Objects that are nested deeper are replaced by `…`. */
const MOST_DEPTH = 12;

type NamePatterns = readonly (string | RegExp)[];

function isSecret(patterns: NamePatterns, name: string): boolean {
  return patterns.some((pattern) =>
    // `search` ignores `lastIndex`, which a pattern with the flag `g` keeps from its last use.
    typeof pattern === 'string' ? pattern === name : name.search(pattern) >= 0,
  );
}

export class Redaction {
  readonly #patterns: NamePatterns;
  readonly #secrets = new Set<string>();
  /**
   * The secrets by their first SHORTEST_PART characters, so that a string is scanned once for all secrets. Shorter secrets are not
   * in this map.
   */
  readonly #secretsByStart = new Map<string, string[]>();

  constructor(patterns: NamePatterns) {
    this.#patterns = patterns;
  }

  isHidden(name: string): boolean {
    return isSecret(this.#patterns, name);
  }

  /**
   * Remembers all strings, numbers and dates in the value of a hidden property as secrets, also in the form that they have in a URL
   * and in JSON.
   */
  addSecretsIn(value: unknown): void {
    someLeaf(value, (leaf) => {
      const given = leaf instanceof Date ? leaf.toJSON() : leaf; // null for an invalid date
      const isEmpty = given === '' || given === null || given === undefined;
      if (!isEmpty && typeof given !== 'boolean') this.#addSecret(String(given));
      return false;
    });
  }

  #addSecret(text: string): void {
    const encoded = tryRun(() => encodeURIComponent(text)) ?? text; // half a surrogate pair cannot be encoded
    for (const form of [text, encoded, encoded.replaceAll('%20', '+'), JSON.stringify(text).slice(1, -1)]) {
      if (this.#secrets.has(form)) continue;
      this.#secrets.add(form);
      if (form.length >= SHORTEST_PART)
        ensure(this.#secretsByStart, form.slice(0, SHORTEST_PART), () => []).push(form);
    }
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
    if (typeof value === 'string' || typeof value === 'bigint')
      return this.#withoutSecretsInText(String(value));
    if (typeof value === 'number' && this.#secrets.has(String(value))) return REDACTED;
    if (!isObject(value)) return typeof value === 'function' || typeof value === 'symbol' ? undefined : value;
    if (depth > MOST_DEPTH) return '…';
    if (Array.isArray(value)) return value.map((item: unknown) => this.withoutSecrets(item, depth + 1));
    if (value instanceof Date) return this.withoutSecrets(value.toJSON()); // null for an invalid date
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
