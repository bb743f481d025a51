// Writes and reads maps: the entries of `schema.Values`, and the members of a Collection of Values, which are stored with their
// names.
import { isPlain, isRecord, putField } from '../../support/plain.ts';
import { itemsOf } from '../../store/graph.ts';
import type { View } from '../../store/graph.ts';
import type { Row } from '../../store/nodes.ts';
import { NamedMember, rowOf, toPlain } from '../../store/stored-form.ts';
import { tryRun } from '../../support/call-safely.ts';
import { describeType } from '../../support/errors.ts';
import { beginList, endList } from './list-read.ts';
import { isThere } from '../protocol/protocol.ts';
import type { Kind, ListForm, ReadContext, WriteContext } from '../protocol/protocol.ts';
import { share } from '../protocol/share.ts';

export function requireEntries(value: unknown, at: WriteContext): Readonly<Record<string, unknown>> {
  if (isRecord(value)) return value;
  return at.fail('WRONG_SHAPE', { expected: 'an object', found: describeType(value) });
}

/** Normalizes the entries, except those that are null or undefined. Hooks of an entry get the map as parent and the name as key. */
export function enterValues(
  item: Kind,
  input: Readonly<Record<string, unknown>>,
  at: WriteContext,
  stored: Record<string, unknown> = {},
): Record<string, unknown> {
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined || value === null) continue;
    // The map itself is passed as `existing`: by `existing === parent`, checked-kind.ts recognises an entry of a map, which it may
    // leave out.
    at.moveTo(name, input, name, input);
    putField(stored, name, item.enter(value, at));
  }
  return stored;
}

export function openValues(
  item: Kind,
  stored: Record<string, unknown>,
  at: ReadContext,
): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(stored)) {
    const member = at.open(item, inner);
    if (isThere(member)) putField(value, name, member);
  }
  return value;
}

function readMap(view: View, item: Kind, members: readonly unknown[], at: ReadContext): void {
  const previous = view.value;
  const value = beginList(view, (at.unfinishedOf(view) ?? {}) as Record<string, unknown>); // cast: created here in an earlier attempt
  for (const name of Object.keys(value)) Reflect.deleteProperty(value, name);
  for (const named of members) {
    const { qualifier: name, inside: member } = named as NamedMember; // cast: all members of a keyed list are named
    const part = at.open(item, member);
    if (isThere(part)) putField(value, name, part);
  }
  if (at.isWaiting) return;
  endList(value);
  at.finishView(view, at.isInCycle(view) ? value : share(previous, value));
}

/** The name of a row in the first map that contains the row; its primary key when no map contains it. */
function nameInMaps(row: Row): string {
  for (const { base } of itemsOf(row.listsInBase))
    for (const member of base)
      if (member instanceof NamedMember && rowOf(member) === row) return member.qualifier;
  return row.pk;
}

/** The form of a Collection whose value is a map. */
export const mapForm: ListForm = {
  isKeyed: true,
  readers: new WeakMap(),
  write: (item, value, at) =>
    Object.entries(enterValues(item, requireEntries(value, at), at)).map(
      ([name, stored]) => new NamedMember(stored, name),
    ),
  read: readMap,
  toWriteInput(value, item, at) {
    // The entries of a map are usually objects. A single entity has a field that is not an object, such as its id.
    const isSingleRow = Object.values(value).some((field) => typeof field !== 'object');
    const row = isSingleRow && tryRun(() => item.identify?.(value, at));
    return row ? { [nameInMaps(row)]: value } : value;
  },
  toStoredForm: (members) =>
    Object.fromEntries(
      (members as readonly NamedMember[]).map(({ qualifier, inside }) => [qualifier, inside]),
    ), // cast: all members of a map are named
  openCreated: (item, stored, at) =>
    isPlain(stored) ? openValues(item, stored as Record<string, unknown>, at) : at.open(item, stored), // cast: made by `toStoredForm`
  toPlain: (members) => toPlain(mapForm.toStoredForm(members)),
  withName: (member, name) => new NamedMember(member instanceof NamedMember ? member.inside : member, name),
};
