// Plain objects: `{k: S}` and `schema.Object`. Members without a schema are kept as they are; a member that is deleted
// or lacks a required part makes the whole invalid, unless it is named optional.
import { inDevelopment } from '#env';
import { copyPlain, isObject, isRecord, putField } from '../../support/plain.ts';
import type {
  Filler,
  Kind,
  QueryContext,
  ReadContext,
  TableOwner,
  WriteContext,
} from '../protocol/protocol.ts';
import { findKnown, INVALID, UNKNOWN } from '../protocol/protocol.ts';
import { nameOf } from '../../support/errors.ts';

export class ObjectKind implements Kind, Filler {
  readonly #kindOf: (schema: unknown) => Kind;
  #definition: Record<string, unknown>;
  readonly #optional: readonly string[];
  #members: Map<string, Kind> | null = null;
  #isAsked = false;

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
    return (this.#members ??= new Map(
      Object.entries(this.#definition).map(([name, schema]) => [name, this.#kindOf(schema)]),
    ));
  }

  enter(value: unknown, at: WriteContext): unknown {
    if (value === null || value === undefined) return value;
    if (!isRecord(value)) {
      return at.fail('WRONG_SHAPE', { expected: 'an object', found: nameOf(value) });
    }
    // of answers only: a guess need not be whole; plain members have defaults
    inDevelopment(() => {
      for (const [member, kind] of at.isOwned ? this.members : []) {
        if (Object.hasOwn(value, member) || this.#optional.includes(member) || !kind.owners) continue;
        at.warn('MEMBER_MISSING', `${[...this.members.keys()].join()} ${member}`, { member });
      }
    });
    const stored = { ...value };
    at.fill(this, value, stored);
    return stored;
  }

  fill(source: object, stored: Record<string, unknown>, at: WriteContext): void {
    for (const [name, value] of Object.entries(stored)) {
      const kind = this.members.get(name);
      if (kind) at.place(name, source, name);
      if (kind || !at.isOwned) putField(stored, name, kind ? kind.enter(value, at) : copyPlain(value));
    }
  }

  open(stored: unknown, at: ReadContext): unknown {
    if (!isObject(stored)) return stored;
    const value: Record<string, unknown> = { ...stored };
    let isInvalid = false;
    for (const [name, kind] of this.members) {
      const isHeld = Object.hasOwn(stored, name);
      const part = at.open(kind, isHeld ? (stored as Record<string, unknown>)[name] : undefined); // cast: checked
      const isGone = part === INVALID;
      if (isGone && !this.#optional.includes(name)) isInvalid = true;
      else if (isGone || part !== undefined || isHeld) putField(value, name, isGone ? undefined : part);
    }
    return isInvalid ? INVALID : value;
  }

  query(args: readonly unknown[], at: QueryContext): unknown {
    return this.#ask<unknown>(UNKNOWN, () => {
      const found: Record<string, unknown> = {};
      for (const [name, kind] of this.members) {
        const stored = findKnown(kind, args, at);
        if (stored !== UNKNOWN) putField(found, name, stored);
        else if (!this.#optional.includes(name)) return UNKNOWN;
      }
      return found;
    });
  }

  get isLive(): boolean {
    return this.#ask(false, (kinds) => kinds.some((kind) => kind.isLive));
  }

  owners(): readonly TableOwner[] {
    return this.#ask([], (kinds) => kinds.flatMap((kind) => kind.owners?.() ?? []));
  }

  /** Asks the members, or gives `inside` where the question comes from inside: an object may contain itself. */
  #ask<T>(inside: T, call: (kinds: readonly Kind[]) => T): T {
    if (this.#isAsked) return inside;
    this.#isAsked = true;
    try {
      return call([...this.members.values()]);
    } finally {
      this.#isAsked = false;
    }
  }
}
