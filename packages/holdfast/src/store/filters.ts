// How the key of a list filters rows: the values of a row, or of a request, are compared with the strings of the key.
import { stableText } from '../support/stable-text.ts';
import { hasToJson, isObject } from '../support/plain.ts';
import { fieldOf, isEqual } from './fields.ts';
import type { Fields, Fit, List, ListIdentity, Row, RowEvent, RowState, ValuesOf } from './nodes.ts';
import { knowsOf } from './order.ts';
import { toPlain } from './stored-form.ts';

/**
 * The string of a value in a list's key. A primitive is written by `String`, a row as its primary key, any other stored form as the
 * string of its plain form, a value with `toJSON` as the string of the result of `toJSON`, an array of primitives without commas as
 * its joined items, and other data by `stableText`.
 */
export function argumentText(value: unknown): string {
  if (!isObject(value)) return String(value);
  const plain = hasToJson(value) ? value.toJSON() : toPlain(value);
  if (plain !== value) return argumentText(plain);
  const isFlat = Array.isArray(value) && !value.some((item) => isObject(item) || String(item).includes(','));
  return isFlat ? value.map(String).join() : stableText(value);
}

/**
 * The strings of a key that may come from a boolean or from 0, each with its number. A value matches the string also if it loosely
 * equals the number: `true == 'true'` and `'' == '0'` are false, but `true == 1` and `'' == 0` are true.
 */
export const LOOSE_NUMBERS: Readonly<Record<string, number>> = { true: 1, false: 0, 0: 0 };

/**
 * Whether a value loosely equals a string of a list's key, or the boolean or 0 from which the string may come: 1 and '1', true and
 * 'true' are equal.
 */
function looselyEquals(value: unknown, text: string | undefined): boolean {
  const plain = typeof value === 'object' ? argumentText(value) : value;
  // oxlint-disable-next-line eqeqeq -- the contract asks for loose equality
  return plain == text || plain == (LOOSE_NUMBERS[text!] ?? text);
}

/**
 * The default filter: the list has a key, each filter in the key agrees with one of the values under its name, and the list's tests
 * are met.
 */
export function matchesFilters(
  { identity: { key, filterNames, testFit } }: List,
  valuesOf: ValuesOf,
): boolean {
  return (
    !!key &&
    filterNames.every((name) => valuesOf(name).some((value) => looselyEquals(value, key.get(name)))) &&
    (!testFit || testFit(valuesOf) === 'in')
  );
}

/** A list, or the filters of a local query in the form of a list. */
interface FilteredList {
  readonly identity: Pick<ListIdentity, 'key' | 'filterNames' | 'testFit'>;
}

/** Whether a row with these fields belongs to the list. */
export function fitOf({ identity: { key, filterNames, testFit: test } }: FilteredList, state: RowState): Fit {
  if (!state) return 'unknown';
  let fit: Fit = test ? test((name) => [fieldOf(state, name)]) : 'in';
  if (fit === 'out') return fit;
  for (const name of filterNames)
    if (!Object.hasOwn(state, name)) fit = 'unknown';
    else if (!looselyEquals(state[name], key?.get(name))) return 'out';
  return fit;
}

export function hasFields(state: Fields, names: readonly string[]): boolean {
  for (const name of names) if (!Object.hasOwn(state, name)) return false;
  return true;
}

/**
 * The fields of `state` that came with a request that was sent when the row became stale, or later. The other fields may be out of
 * date. If the row is not stale, `state` itself.
 */
export function confirmedFields({ fieldStamps, staleSince, stamp }: Row, state: Fields): Fields {
  if (!staleSince) return state;
  return Object.fromEntries(
    Object.entries(state).filter(([name]) => knowsOf((fieldStamps?.get(name) ?? stamp).sent, staleSince)),
  );
}

/**
 * Whether the event concerns one of these fields: `incoming` of the event contains the field; or, for an event without `incoming`,
 * the values of the field in `before` and `after` differ.
 */
export function touchesAny(names: readonly string[], { after, before, incoming }: RowEvent): boolean {
  for (const name of names)
    if (incoming ? Object.hasOwn(incoming, name) : !isEqual(fieldOf(before, name), fieldOf(after, name)))
      return true;
  return false;
}
