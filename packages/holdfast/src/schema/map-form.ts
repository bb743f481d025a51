// Maps: how `schema.Values` writes and reads its members, and how a Collection over it keeps them, each under its name.
import { putField } from '../store/fields.ts';
import type { View } from '../store/view.ts';
import { NamedMember } from '../store/reference.ts';
import { nameOf } from '../support/errors.ts';
import { beginList, endList } from './list-read.ts';
import { toPlain } from './plain-form.ts';
import { isThere, ReadFrame, WriteFrame } from './protocol.ts';
import type { Kind, ListForm, ReadContext, WriteContext } from './protocol.ts';
import { share } from './share.ts';

export function membersOf(value: unknown, at: WriteContext): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>; // cast: checked
  return at.fail('WRONG_SHAPE', { expected: 'an object', found: nameOf(value) });
}

/** Writes the members; each sees the map as its parent and its own name as the key. */
export class ValuesWrite extends WriteFrame {
  readonly size: number;
  protected readonly names: readonly string[];
  protected readonly stored: Record<string, unknown> = {};
  readonly #item: Kind;
  readonly #input: Record<string, unknown>;

  constructor(item: Kind, input: Record<string, unknown>) {
    super();
    this.#item = item;
    this.#input = input;
    this.names = Object.keys(input).filter((name) => input[name] !== undefined && input[name] !== null);
    this.size = this.names.length;
  }

  next(at: WriteContext): unknown {
    const name = this.names[this.index]!; // index < size
    at.parent = this.#input;
    at.key = name;
    at.existing = undefined;
    return this.#item.enter(this.#input[name], at);
  }

  accept(stored: unknown): void {
    putField(this.stored, this.names[this.index]!, stored); // index < size
  }

  finish(_at: WriteContext): unknown {
    return this.stored;
  }

  step(): string {
    return `.${this.names[this.index]}`;
  }
}

export class ValuesRead extends ReadFrame {
  readonly size: number;
  readonly #item: Kind;
  readonly #names: readonly string[];
  readonly #stored: Record<string, unknown>;
  readonly #value: Record<string, unknown> = {};

  constructor(item: Kind, stored: Record<string, unknown>) {
    super();
    this.#item = item;
    this.#stored = stored;
    this.#names = Object.keys(stored);
    this.size = this.#names.length;
  }

  next(at: ReadContext): unknown {
    return this.#item.open(this.#stored[this.#names[this.index]!], at); // index < size
  }

  accept(value: unknown): void {
    if (isThere(value)) putField(this.#value, this.#names[this.index]!, value); // index < size
  }

  finish(): unknown {
    return this.#value;
  }
}

class NamedMembersWrite extends ValuesWrite {
  readonly #done: (members: readonly unknown[]) => unknown;

  constructor(item: Kind, input: Record<string, unknown>, done: (members: readonly unknown[]) => unknown) {
    super(item, input);
    this.#done = done;
  }

  override finish(_at: WriteContext): unknown {
    return this.#done(this.names.map((name) => new NamedMember(name, this.stored[name])));
  }
}

class NamedMembersRead extends ReadFrame {
  readonly size: number;
  override readonly view: View;
  readonly #item: Kind;
  readonly #members: readonly unknown[];
  readonly #previous: unknown;
  readonly #value: Record<string, unknown>;

  constructor(view: View, item: Kind, members: readonly unknown[]) {
    super();
    this.view = view;
    this.#item = item;
    this.#members = members;
    this.size = members.length;
    this.#previous = view.value;
    this.#value = beginList(view, {});
  }

  #member(): NamedMember {
    return this.#members[this.index] as NamedMember; // cast: a keyed list holds no other
  }

  next(at: ReadContext): unknown {
    return this.#item.open(this.#member().member, at);
  }

  accept(value: unknown): void {
    if (isThere(value)) putField(this.#value, this.#member().name, value);
  }

  finish(at: ReadContext): unknown {
    endList(this.#value);
    const value = this.isShared ? this.#value : share(this.#previous, this.#value);
    at.complete(this.view, value);
    return value;
  }
}

/** A list's members as a map. */
export const mapForm: ListForm = {
  isKeyed: true,
  readers: new WeakMap(),
  write: (item, value, at, done) => new NamedMembersWrite(item, membersOf(value, at), done),
  read: (view, item, members) => new NamedMembersRead(view, item, members),
  take: (value) => value,
  keep(members) {
    const byName: Record<string, unknown> = {};
    for (const member of members) {
      const { name, member: stored } = member as NamedMember; // cast: members of a map are named
      putField(byName, name, stored);
    }
    return byName;
  },
  openKept: (item, stored) =>
    stored instanceof Object ? new ValuesRead(item, stored as Record<string, unknown>) : stored, // cast: made by `keep`
  toPlain: (members) =>
    Object.fromEntries(members.map((named) => [(named as NamedMember).name, toPlain(named)])), // cast: as above
};
