// The kind of a mapping of several schemas. An attribute of the value chooses one of them. Union uses this kind, and so do Array,
// All, Values and Invalidate with a mapping. The choice is made when the value is written, and is stored with the reference, except
// by Invalidate and, for rows, by All.
import { inDevelopment } from '#env';
import { TaggedReference } from '../../store/stored-form.ts';
import { fieldOf } from '../../store/fields.ts';
import { Row } from '../../store/nodes.ts';
import type { Fields } from '../../store/nodes.ts';
import { tryRun } from '../../support/call-safely.ts';
import { warnOnce } from '../../support/errors.ts';
import { copyPlain, isObject } from '../../support/plain.ts';
import type {
  HasQuery,
  HasOwners,
  Kind,
  QueryContext,
  ReadContext,
  TableOwner,
  WriteContext,
} from '../protocol/protocol.ts';
import { findKnown, ownersOf, UNKNOWN } from '../protocol/protocol.ts';
import type { Given } from '../protocol/schema.types.ts';

/** The name of the attribute on each value, or a function that returns the key of the mapping's entry. */
export type SchemaAttribute = string | ((value: Given, parent: Given, key: string) => unknown);

export class ChoiceKind implements Kind, HasQuery, HasOwners {
  readonly #choices: () => Map<string, Kind>;
  readonly #attribute: SchemaAttribute;

  constructor(choices: () => Map<string, Kind>, attribute: SchemaAttribute) {
    this.#choices = choices;
    this.#attribute = attribute;
  }

  owners(): readonly TableOwner[] {
    return [...this.#choices().values()].flatMap(ownersOf);
  }

  /** The mapping's entry for a value; undefined if there is no entry. */
  choose(value: unknown, at: WriteContext): { tag: string; kind: Kind } | undefined {
    const choices = this.#choices();
    let tag = this.#tagOf(value, at.parent, at.keyInParent);
    if (tag === undefined) {
      // The payload of an update or a deletion may lack the attribute. If only one of the types has the row, that type is chosen.
      const [known, other] = [...choices].filter(([, kind]) => {
        const row = tryRun(() => kind.identify?.(value, at));
        return row?.base ?? row?.shown;
      });
      if (!other) tag = known?.[0];
    }
    const kind = choices.get(tag!); // an undefined tag is not in the map
    if (kind) return { tag: tag!, kind };
    inDevelopment(() => {
      // There is no warning for an object that has only one property, but no attribute: it may be the key of a deleted row.
      if (tag === undefined && isObject(value) && Object.keys(value).length === 1) return;
      const known = [...choices.keys()].join(', ');
      const attribute = String(tag);
      warnOnce(at.engine, 'UNMAPPED_SCHEMA', attribute, { attribute, known, path: at.path() });
    });
    return undefined;
  }

  enter(value: unknown, at: WriteContext): unknown {
    if (!isObject(value)) return value;
    const choice = this.choose(value, at);
    if (choice === undefined) return at.isOwned ? value : copyPlain(value); // stored as it is, without an entity
    const stored = choice.kind.enter(value, at);
    return new TaggedReference(stored, choice.tag);
  }

  identify(value: unknown, at: WriteContext): Row | undefined {
    return this.choose(value, at)?.kind.identify?.(value, at);
  }

  open(stored: unknown, at: ReadContext): unknown {
    // Rows from an Invalidate are stored without a tag.
    if (stored instanceof Row) return this.#kindFor(stored, at)?.open(stored, at);
    if (!(stored instanceof TaggedReference)) return stored;
    return this.#choices().get(stored.qualifier)?.open(stored.inside, at);
  }

  #kindFor(row: Row, at: ReadContext): Kind | undefined {
    const isOfRowTable = (owner: TableOwner): boolean => at.engine.tableOf(owner) === row.table;
    return [...this.#choices().values()].find((kind) => ownersOf(kind).some(isOfRowTable));
  }

  query(args: readonly unknown[], at: QueryContext): unknown {
    const tag = this.#tagOf(args[0], undefined, '');
    const choices = this.#choices();
    const isChosen = choices.has(tag!); // an undefined tag is not in the map
    for (const [name, kind] of choices) {
      if (isChosen && name !== tag) continue;
      const stored = findKnown(kind, args, at);
      if (stored !== UNKNOWN) return new TaggedReference(stored, name);
    }
    return UNKNOWN;
  }

  #tagOf(value: unknown, parent: unknown, key: string): string | undefined {
    if (!isObject(value)) return undefined;
    const attribute = this.#attribute;
    const tag: unknown =
      typeof attribute === 'function' ? attribute(value, parent, key) : fieldOf(value as Fields, attribute); // cast: lets the attribute be read by its name
    return tag === undefined || tag === null ? undefined : String(tag);
  }
}
