// How a list's key compares with a parameter, a body member or a row's field: loosely, so that 1 and '1' and true and
// 'true' agree (`a == v || String(a) === v`), with everything that is not text written as text in one canonical way.
import { stableText } from '../support/stable-text.ts';
import { toPlain } from './plain-form.ts';

/** Any value as the text it has in a list's key: objects with their members sorted, rows as their primary key. */
export function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const plain = toPlain(value);
  return plain === value ? stableText(value) : textOf(plain);
}

/** The comparison of the default filter; `text` is a key's member. */
export function isLooselyEqual(value: unknown, text: string): boolean {
  if (value === undefined) return false;
  // eslint-disable-next-line eqeqeq -- the contract asks for loose equality
  return (typeof value !== 'object' && value == text) || textOf(value) === text;
}

/** The index keys under which a loosely equal text can stand: a superset, checked with `isLooselyEqual` afterwards. */
export function indexKeysOf(value: unknown): readonly string[] {
  if (value === undefined) return [];
  const own = indexKey(textOf(value));
  return typeof value === 'boolean' ? [own, indexKey(value ? '1' : '0')] : [own];
}

/** Texts that are numbers share a key with every other spelling of that number. */
export function indexKey(text: string): string {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isNaN(number) ? `t${text}` : `n${number}`;
}
