// Options of one reader: a copy of an endpoint with other options, which shares the key and the stored response with the original
// endpoint. Each set of equal options gives the same object, so that a component may write them in its render.
import { ensure } from '../support/ensure.ts';
import { isPlain } from '../support/plain.ts';
import { stableText } from '../support/stable-text.ts';
import { kindOf } from '../schema/kinds/kind-of.ts';
import type { Query } from '../schema/kinds/query.ts';
import { INVALID, KIND, ownersOf, queryKind, UNKNOWN } from '../schema/protocol/protocol.ts';
import type {
  HasQuery,
  HasOwners,
  Kind,
  QueryContext,
  ReadContext,
  TableOwner,
  WriteContext,
} from '../schema/protocol/protocol.ts';
import { share } from '../schema/protocol/share.ts';
import { INSIDE } from '../schema/protocol/walkable.ts';
import type { Walkable } from '../schema/protocol/walkable.ts';
import { isRowOrList } from '../store/nodes.ts';
import type { Denormalize } from '../schema/protocol/schema.types.ts';
import type { Fields } from '../store/nodes.ts';
import { finishEndpoint } from './endpoint-base.ts';
import type {
  AnyReadEndpoint,
  CALL_ARGS,
  EndpointArgs,
  EndpointExtraOptions,
  EndpointInterface,
} from './endpoint-interface.ts';

/**
 * Options that one reader may have for itself: see {@link withOptions}.
 *
 * @example
 * const quick: withOptions.Options = { pollFrequency: 5_000, retry: false };
 * const getQuick = withOptions(TodoResource.getList, quick);
 */
export interface ReaderOptions extends Pick<
  EndpointExtraOptions,
  | 'dataExpiryLength'
  | 'errorExpiryLength'
  | 'invalidIfStale'
  | 'keepPreviousData'
  | 'placeholderData'
  | 'pollFrequency'
  | 'retry'
> {}

/** An endpoint whose readers get the result of `select`. */
interface SelectingEndpoint<E extends AnyReadEndpoint, T> extends AnyReadEndpoint {
  readonly name: string;
  key(...args: EndpointArgs<E>): string;
  readonly [CALL_ARGS]: EndpointArgs<E>;
  readonly schema: Query<E['schema'], readonly [], T>;
}

/**
 * The endpoints that `withOptions` has made from one endpoint: by the functions and instances among the options, then by the
 * options' text.
 */
interface Variants {
  readonly byObject: WeakMap<object, Variants>;
  readonly byText: Map<string, object>;
}

// The keys are endpoints and weak: the entries of an endpoint are collected together with the endpoint.
const variantsOf = new WeakMap<object, Variants>();

const createVariants = (): Variants => ({ byObject: new WeakMap(), byText: new Map() });

interface WithExtend {
  extend(options: object): object;
}

/**
 * Returns the endpoint with options for one reader: the same object for equal options, so that the call may be part of a render.
 * All readers share one request and one stored response. `select` returns the part that the reader needs. If the part is plain
 * data, it stays the same object while its content is the same. Declare `select` outside of the component.
 *
 * @example
 * const countOpen = (todos: Todo[]) => todos.filter((todo) => !todo.done).length;
 *
 * function OpenCount() {
 *   return <b>{useSuspense(withOptions(TodoResource.getList, { select: countOpen }))}</b>;
 * }
 */
export function withOptions<E extends AnyReadEndpoint>(
  endpoint: E,
  options: ReaderOptions & { readonly select?: undefined },
): E;
export function withOptions<E extends AnyReadEndpoint, T>(
  endpoint: E,
  options: ReaderOptions & { readonly select: (data: Denormalize<E['schema']>) => T },
): SelectingEndpoint<E, T>;
export function withOptions(
  endpoint: AnyReadEndpoint,
  options: ReaderOptions & { readonly select?: ((data: never) => unknown) | undefined },
): unknown {
  let variants = ensure(variantsOf, endpoint, createVariants);
  const text = stableText(options, (part) => {
    // cast: only functions and instances are left; symbols and plain objects are compared by their text
    if (typeof part === 'symbol' || (typeof part === 'object' && isPlain(part))) return undefined;
    variants = ensure(variants.byObject, part as object, createVariants);
    return '(object)';
  });
  return ensure(variants.byText, text, () => {
    const base = finishEndpoint(endpoint) as EndpointInterface & WithExtend; // cast: only endpoints have the symbol of AnyReadEndpoint
    const { select, ...rest } = options;
    return base.extend({
      ...rest,
      name: base.name,
      key: (...args: readonly never[]) => base.key(...args),
      ...(base.testKey && { testKey: (key: string) => base.testKey!(key) }),
      ...(base.keyPattern && { keyPattern: () => base.keyPattern!() }),
      ...(select && { schema: new Selection(base.schema, select) }),
    });
  });
}

/**
 * The schema of a reader with `select`. It stores the same data as the endpoint's schema, and it has the public type of a Query.
 */
class Selection implements Walkable {
  readonly [KIND]: Kind;
  readonly [INSIDE]: Walkable[typeof INSIDE];

  constructor(schema: unknown, select: (data: never) => unknown) {
    this[KIND] = new SelectionKind(schema, select);
    this[INSIDE] = {
      kind: 'Selection',
      schemas: [schema],
      with: (change) => new Selection(change(schema), select),
    };
  }
}

class SelectionKind implements Kind, HasQuery, HasOwners {
  readonly #schema: unknown;
  readonly #select: (data: unknown) => unknown;

  constructor(schema: unknown, select: (data: never) => unknown) {
    this.#schema = schema;
    this.#select = select as (data: unknown) => unknown; // cast: the signatures of `withOptions` have checked the function
  }

  enter(value: unknown, at: WriteContext): unknown {
    return kindOf(this.#schema).enter(value, at);
  }

  open(stored: unknown, at: ReadContext): unknown {
    const owner = at.viewBuiltBy(this);
    const value = kindOf(this.#schema).open(stored, at);
    if (at.isWaiting || value === INVALID || value === undefined || stored === UNKNOWN) return value;
    const selected = this.#select(value);
    // For a row or a list, the value is shared with the previous value here; for other stored forms, engine.ts shares it.
    return owner && isRowOrList(stored) ? share(owner.value, selected) : selected;
  }

  query(args: readonly unknown[], at: QueryContext): unknown {
    return queryKind(kindOf(this.#schema), args, at);
  }

  /** The result is the same as without `select`: a row that lacks fields is fetched. */
  covers(fields: Fields): boolean {
    return kindOf(this.#schema).covers?.(fields) !== false;
  }

  get needsNoResponse(): boolean {
    return !!kindOf(this.#schema).needsNoResponse;
  }

  owners(): readonly TableOwner[] {
    return ownersOf(kindOf(this.#schema));
  }
}

export declare namespace withOptions {
  export type { ReaderOptions as Options };
}
