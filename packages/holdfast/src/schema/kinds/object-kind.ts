// The kind of plain objects: `{k: S}` and `schema.Object`. Properties without a schema are stored unchanged. A property that is
// invalid, for example because its row was deleted, makes the whole object invalid, unless the property is optional.
import { inDevelopment } from '#env';
import { copyPlain, isObject, isRecord, putField } from '../../support/plain.ts';
import type {
  FormFiller,
  HasQuery,
  HasOwners,
  Kind,
  QueryContext,
  ReadContext,
  TableOwner,
  WriteContext,
} from '../protocol/protocol.ts';
import { findKnown, INVALID, ownersOf, UNKNOWN } from '../protocol/protocol.ts';
import { describeType, warnOnce } from '../../support/errors.ts';

export class ObjectKind implements Kind, FormFiller, HasQuery, HasOwners {
  readonly #kindOf: (schema: unknown) => Kind;
  #definition: Record<string, unknown>;
  readonly #optional: readonly string[];
  #members: Map<string, Kind> | null = null;
  #isVisiting = false;

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

  /** The kinds of the properties. They are created at first use, because schemas may refer to each other. */
  get members(): Map<string, Kind> {
    return (this.#members ??= new Map(
      Object.entries(this.#definition).map(([name, schema]) => [name, this.#kindOf(schema)]),
    ));
  }

  enter(value: unknown, at: WriteContext): unknown {
    if (value === null || value === undefined) return value;
    if (!isRecord(value)) {
      return at.fail('WRONG_SHAPE', { expected: 'an object', found: describeType(value) });
    }
    // Only owned payloads, such as responses to reads, cause a warning, because an optimistic update may be incomplete. A property
    // without entities may have a default, so it may be missing.
    inDevelopment(() => {
      for (const [member, kind] of at.isOwned ? this.members : []) {
        if (Object.hasOwn(value, member) || this.#optional.includes(member) || !ownersOf(kind).length)
          continue;
        const subject = `${[...this.members.keys()].join()} ${member}`;
        warnOnce(at.engine, 'MEMBER_MISSING', subject, { member, path: at.path() });
      }
    });
    const stored = { ...value };
    at.fill(this, value, stored);
    return stored;
  }

  fill(source: object, stored: Record<string, unknown>, at: WriteContext): void {
    for (const [name, value] of Object.entries(stored)) {
      const kind = this.members.get(name);
      if (kind) at.moveTo(name, source, name);
      if (kind || !at.isOwned) putField(stored, name, kind ? kind.enter(value, at) : copyPlain(value));
    }
  }

  open(stored: unknown, at: ReadContext): unknown {
    if (!isObject(stored)) return stored;
    const value: Record<string, unknown> = { ...stored };
    let isInvalid = false;
    for (const [name, kind] of this.members) {
      const isHeld = Object.hasOwn(stored, name);
      const part = at.open(kind, isHeld ? (stored as Record<string, unknown>)[name] : undefined); // cast: it has the property, checked above
      const isGone = part === INVALID;
      if (isGone && !this.#optional.includes(name)) isInvalid = true;
      else if (isGone || part !== undefined || isHeld) putField(value, name, isGone ? undefined : part);
    }
    return isInvalid ? INVALID : value;
  }

  query(args: readonly unknown[], at: QueryContext): unknown {
    return this.#visit<unknown>(UNKNOWN, () => {
      const found: Record<string, unknown> = {};
      for (const [name, kind] of this.members) {
        const stored = findKnown(kind, args, at);
        if (stored !== UNKNOWN) putField(found, name, stored);
        else if (!this.#optional.includes(name)) return UNKNOWN;
      }
      return found;
    });
  }

  get needsNoResponse(): boolean {
    return this.#visit(false, (kinds) => kinds.some((kind) => kind.needsNoResponse));
  }

  owners(): readonly TableOwner[] {
    return this.#visit([], (kinds) => kinds.flatMap(ownersOf));
  }

  /**
   * Calls `call` with the kinds of the properties. A circular schema visits the kind again while `call` runs: that visit returns
   * `nested`.
   */
  #visit<T>(nested: T, call: (kinds: readonly Kind[]) => T): T {
    if (this.#isVisiting) return nested;
    this.#isVisiting = true;
    try {
      return call([...this.members.values()]);
    } finally {
      this.#isVisiting = false;
    }
  }
}
