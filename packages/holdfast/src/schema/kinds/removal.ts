// Removes the rows that the response to a delete identifies. `schema.Invalidate` is the public schema. The `delete` endpoint of a
// resource uses Removal, so that applications without mappings of schemas do not ship the code for mappings.
import type { Row } from '../../store/nodes.ts';
import { openItems } from './array-kind.ts';
import { kindOf } from './kind-of.ts';
import { KIND, ownersOf } from '../protocol/protocol.ts';
import type {
  HasOwners,
  Kind,
  ReadContext,
  Removes,
  TableOwner,
  WriteContext,
} from '../protocol/protocol.ts';
import { INSIDE } from '../protocol/walkable.ts';
import type { Walkable } from '../protocol/walkable.ts';

/** An Invalidate of one schema, without mappings. */
export class Removal implements Walkable {
  readonly [KIND]: Kind = new RemovalKind(() => kindOf(this.schema));
  schema: unknown;

  constructor(schema: unknown) {
    this.schema = schema;
  }

  define(schema: unknown): void {
    this.schema = schema;
  }

  get [INSIDE](): Walkable[typeof INSIDE] {
    return {
      kind: 'schema.Invalidate',
      schemas: [this.schema],
      with: (change) => new Removal(change(this.schema)),
    };
  }
}

export class RemovalKind implements Kind, HasOwners, Removes {
  readonly removed: () => Kind;

  constructor(removed: () => Kind) {
    this.removed = removed;
  }

  enter(value: unknown, at: WriteContext): unknown {
    if (value === null || value === undefined) return value;
    return Array.isArray(value) ? value.map((item) => this.#remove(item, at)) : this.#remove(value, at);
  }

  #remove(value: unknown, at: WriteContext): Row | undefined {
    const row = this.removed().identify?.(value, at);
    if (row) at.effects.removed.push(row);
    return row;
  }

  open(stored: unknown, at: ReadContext): unknown {
    return openItems(this.removed(), stored, at);
  }

  owners(): readonly TableOwner[] {
    return ownersOf(this.removed());
  }
}
