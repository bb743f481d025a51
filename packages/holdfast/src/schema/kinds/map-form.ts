// Maps: how `schema.Values` writes and reads its members, and how a Collection over it keeps them, each under its name.
import { isPlain, isRecord, putField } from '../../support/plain.ts';
import { itemsOf } from '../../store/graph.ts';
import type { View } from '../../store/graph.ts';
import type { Row } from '../../store/nodes.ts';
import { NamedMember, rowOf, toPlain } from '../../store/stored-form.ts';
import { tryRun } from '../../support/call-safely.ts';
import { nameOf } from '../../support/errors.ts';
import { beginList, endList } from './list-read.ts';
import { isThere } from '../protocol/protocol.ts';
import type { Kind, ListForm, ReadContext, WriteContext } from '../protocol/protocol.ts';
import { share } from '../protocol/share.ts';

export function membersOf(value: unknown, at: WriteContext): Readonly<Record<string, unknown>> {
  if (isRecord(value)) return value;
  return at.fail('WRONG_SHAPE', { expected: 'an object', found: nameOf(value) });
}

/** Writes the members; each sees the map as its parent and its own name as the key. */
export function enterValues(
  item: Kind,
  input: Readonly<Record<string, unknown>>,
  at: WriteContext,
  stored: Record<string, unknown> = {},
): Record<string, unknown> {
  for (const name of Object.keys(input)) {
    const value = input[name];
    if (value === undefined || value === null) continue;
    // for what is there it gives itself: by that a member knows that it may be left out
    at.place(name, input, name, input);
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
  for (const name of Object.keys(stored)) {
    const member = at.open(item, stored[name]);
    if (isThere(member)) putField(value, name, member);
  }
  return value;
}

function readNamed(view: View, item: Kind, members: readonly unknown[], at: ReadContext): void {
  const previous = view.value;
  const value = beginList(view, (at.madeOf(view) ?? {}) as Record<string, unknown>); // cast: made here before
  for (const name of Object.keys(value)) Reflect.deleteProperty(value, name);
  for (const one of members) {
    const { mark: name, inside: member } = one as NamedMember; // cast: a keyed list holds no other
    const part = at.open(item, member);
    if (isThere(part)) putField(value, name, part);
  }
  if (at.isWaiting) return;
  endList(value);
  at.complete(view, at.isShared(view) ? value : share(previous, value));
}

/** The name that a row has in the lists that hold it; else its key. */
function memberName(row: Row): string {
  for (const { base } of itemsOf(row.holders))
    for (const member of base) if (member instanceof NamedMember && rowOf(member) === row) return member.mark;
  return row.pk;
}

/** A list's members as a map. */
export const mapForm: ListForm = {
  isKeyed: true,
  readers: new WeakMap(),
  write: (item, value, at) =>
    Object.entries(enterValues(item, membersOf(value, at), at)).map(
      ([name, stored]) => new NamedMember(stored, name),
    ),
  read: readNamed,
  take(value, item, at) {
    // the members of a map are objects; an entity has a field that is none, such as its id
    const isOne = Object.values(value).some((field) => typeof field !== 'object');
    const row = isOne && tryRun(() => item.identify?.(value, at));
    return row ? { [memberName(row)]: value } : value;
  },
  hold: (members) =>
    Object.fromEntries((members as readonly NamedMember[]).map(({ mark, inside }) => [mark, inside])), // cast: members of a map are named
  openKept: (item, stored, at) =>
    isPlain(stored) ? openValues(item, stored as Record<string, unknown>, at) : at.open(item, stored), // cast: made by `keep`
  toPlain: (members) => toPlain(mapForm.hold(members)),
  withName: (member, name) => new NamedMember(member instanceof NamedMember ? member.inside : member, name),
};
