// The schema of a nested value that may be absent: `optional(User)` in `EntityOf`. Readers get undefined if the value is absent,
// null, deleted or refused.
import { kindOf } from '../../schema/kinds/kind-of.ts';
import { INVALID, KIND, ownersOf } from '../../schema/protocol/protocol.ts';
import type { HasOwners, Kind } from '../../schema/protocol/protocol.ts';
import type {
  ARGS,
  Denormalize,
  Normalize,
  OUT,
  OUT_MAYBE,
  STORED,
} from '../../schema/protocol/schema.types.ts';
import { INSIDE } from '../../schema/protocol/walkable.ts';
import type { Walkable } from '../../schema/protocol/walkable.ts';
import { CheckedKind, REFUSED } from './checked-kind.ts';

/**
 * The schema of a nested value that may be absent. {@link optional} makes it.
 *
 * @example const author: optional.Optional<typeof User> = optional(User);
 */
export class Optional<S> implements Walkable {
  declare readonly [OUT]: Denormalize<S> | undefined;
  declare readonly [OUT_MAYBE]: Denormalize<S> | undefined;
  declare readonly [STORED]: Normalize<S> | undefined;
  declare readonly [ARGS]: never;
  readonly [KIND]: Kind;
  readonly schema: S;

  constructor(schema: S) {
    this.schema = schema;
    const inner = (): Kind => kindOf(schema);
    const own: Kind & HasOwners = {
      enter: (value, at) => {
        if (value === null || value === undefined) return undefined;
        const kind = inner();
        const stored =
          kind instanceof CheckedKind ? kind.enterOrRefuse(value, at, true) : kind.enter(value, at);
        return stored === REFUSED ? undefined : stored;
      },
      open: (stored, at) => {
        if (stored === undefined) return undefined;
        const value = inner().open(stored, at);
        return value === INVALID ? undefined : value;
      },
      owners: () => ownersOf(inner()),
    };
    this[KIND] = own;
  }

  get [INSIDE](): Walkable[typeof INSIDE] {
    return { kind: 'Optional', schemas: [this.schema], with: (change) => new Optional(change(this.schema)) };
  }
}

/**
 * Declares a nested value that may be absent, for example because the rows of a list omit it. Readers then get undefined, which
 * its type includes.
 *
 * @example
 * import { z } from 'zod';
 *
 * class Article extends EntityOf('Article', {
 *   id: z.string(),
 *   title: z.string(),
 *   author: optional(User),
 * }) {}
 * const nameOf = (article: Article) => article.author?.name ?? 'unknown';
 */
export function optional<S>(schema: S): Optional<S> {
  return new Optional(schema);
}

export declare namespace optional {
  export type { Optional };
}
