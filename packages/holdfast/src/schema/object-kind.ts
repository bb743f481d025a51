// Plain objects: `{k: S}` and `schema.Object`. Members without a schema are kept as they are; a member that is deleted
// or lacks a required part makes the whole invalid, unless it is named optional.
import { inDevelopment } from '#env';
import { putField } from '../store/fields.ts';
import type { Kind, QueryContext, ReadContext, TableOwner, WriteContext } from './protocol.ts';
import { INVALID, ReadFrame, UNKNOWN, WriteFrame } from './protocol.ts';
import { copyPlain } from '../support/copy-plain.ts';
import { nameOf } from '../support/errors.ts';

export class ObjectKind implements Kind {
  readonly #kindOf: (schema: unknown) => Kind;
  #definition: Record<string, unknown>;
  readonly #optional: readonly string[];
  #members: Map<string, Kind> | null = null;

  constructor(
    definition: Record<string, unknown>,
    kindOf: (schema: unknown) => Kind,
    optional: readonly string[] = [],
  ) {
    this.#definition = definition;
    this.#kindOf = kindOf;
    this.#optional = optional;
  }

  define(definition: Record<string, unknown>): void {
    this.#definition = { ...this.#definition, ...definition };
    this.#members = null;
  }

  /** Made on first use: schemas may refer to each other in a circle. */
  get members(): Map<string, Kind> {
    this.#members ??= new Map(
      Object.keys(this.#definition).map((name) => [name, this.#kindOf(this.#definition[name])]),
    );
    return this.#members;
  }

  enter(value: unknown, at: WriteContext): unknown {
    if (value === null || value === undefined) return value;
    if (typeof value !== 'object' || Array.isArray(value)) {
      return at.fail('WRONG_SHAPE', { expected: 'an object', found: nameOf(value) });
    }
    inDevelopment(() => warnOfMissing(value, this.members, this.#optional, at));
    return new ObjectWrite(this.members, value as Record<string, unknown>, at.isOwned); // cast: an object, checked above
  }

  open(stored: unknown, _at: ReadContext): unknown {
    if (typeof stored !== 'object' || stored === null) return stored;
    return new ObjectRead(this.members, stored as Record<string, unknown>, this.#optional); // cast: an object, checked above
  }

  query(args: readonly unknown[], at: QueryContext): unknown {
    const found: Record<string, unknown> = {};
    for (const [name, kind] of this.members) {
      const stored = kind.query(args, at);
      if (stored !== UNKNOWN) putField(found, name, stored);
      else if (!this.#optional.includes(name)) return UNKNOWN;
    }
    return found;
  }

  owners(): readonly TableOwner[] {
    return [...this.members.values()].flatMap((kind) => kind.owners?.() ?? []);
  }
}

/** Of answers only: a guess need not be whole. Plain members have defaults. */
function warnOfMissing(
  value: object,
  members: Map<string, Kind>,
  optional: readonly string[],
  at: WriteContext,
): void {
  if (!at.isOwned) return;
  for (const [member, kind] of members) {
    if (Object.hasOwn(value, member) || optional.includes(member) || !kind.owners) continue;
    at.warn('MEMBER_MISSING', `${[...members.keys()].join()} ${member}`, { member });
  }
}

class ObjectWrite extends WriteFrame {
  readonly size: number;
  readonly #names: string[];
  readonly #members: Map<string, Kind>;
  readonly #input: Record<string, unknown>;
  readonly #stored: Record<string, unknown>;

  constructor(members: Map<string, Kind>, input: Record<string, unknown>, isOwned: boolean) {
    super();
    this.#members = members;
    this.#names = [...members.keys()].filter((name) => Object.hasOwn(input, name));
    this.size = this.#names.length;
    this.#input = input;
    this.#stored = { ...input };
    if (isOwned) return;
    for (const name of Object.keys(input)) {
      if (!members.has(name)) putField(this.#stored, name, copyPlain(input[name]));
    }
  }

  next(at: WriteContext): unknown {
    const name = this.#names[this.index]!; // index < size
    at.parent = this.#input;
    at.key = name;
    at.existing = undefined;
    return this.#members.get(name)!.enter(this.#input[name], at); // names come from members
  }

  accept(stored: unknown): void {
    putField(this.#stored, this.#names[this.index]!, stored); // index < size
  }

  finish(): unknown {
    return this.#stored;
  }

  step(): string {
    return `.${this.#names[this.index]}`;
  }
}

class ObjectRead extends ReadFrame {
  readonly size: number;
  readonly #names: string[];
  readonly #members: Map<string, Kind>;
  readonly #stored: Record<string, unknown>;
  readonly #value: Record<string, unknown>;
  readonly #optional: readonly string[];
  #isInvalid = false;

  constructor(members: Map<string, Kind>, stored: Record<string, unknown>, optional: readonly string[]) {
    super();
    this.#members = members;
    this.#names = [...members.keys()];
    this.size = this.#names.length;
    this.#stored = stored;
    this.#value = { ...stored };
    this.#optional = optional;
  }

  next(at: ReadContext): unknown {
    const name = this.#names[this.index]!; // index < size
    const stored = Object.hasOwn(this.#stored, name) ? this.#stored[name] : undefined;
    return this.#members.get(name)!.open(stored, at); // names come from members
  }

  accept(value: unknown): void {
    const name = this.#names[this.index]!; // index < size
    if (value === INVALID && this.#optional.includes(name)) putField(this.#value, name, undefined);
    else if (value === INVALID) this.#isInvalid = true;
    else if (value !== undefined || Object.hasOwn(this.#stored, name)) putField(this.#value, name, value);
  }

  finish(): unknown {
    return this.#isInvalid ? INVALID : this.#value;
  }
}
