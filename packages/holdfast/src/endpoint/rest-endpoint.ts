// A REST endpoint as developers write it: the pipeline of rest-pipeline.ts with a call signature, results and extenders
// that follow from its options.
import { createListChange, createPages } from './list-endpoints.ts';
import type { ListChange } from './list-endpoints.ts';
import type {
  AssignOptions,
  ChangeOf,
  MoveOptions,
  PageOptions,
  PageSearch,
  PushOptions,
  RemoveOptions,
} from './list.types.ts';
import { defineDefaults } from './endpoint-base.ts';
import { derive, RestPipeline } from './rest-pipeline.ts';
import type {
  ContentRule,
  ExtendOptions,
  GivenField,
  OPTION_TYPES,
  RestArgs,
  RestExtension,
  RestOptions,
  RestResult,
  SchemaOf,
  SideEffectOf,
} from './rest.types.ts';
import { settle } from './settle.ts';

/** A change that a list offers only when its schema holds a collection that knows it. */
type ListChangeEndpoint<
  O extends RestOptions,
  Change extends string,
  Options extends RestOptions,
> = string extends O['path']
  ? RestEndpoint
  : [ChangeOf<O['schema'], Change>] extends [never]
    ? undefined
    : RestEndpoint<Options>;

/** `getPage`: there when `paginationField` is given. */
type GetPageEndpoint<O extends RestOptions> = [GivenField<O>] extends [never]
  ? undefined
  : RestEndpoint<PageOptions<O, PageSearch<O, GivenField<O>>>>;

export interface RestEndpoint<O extends RestOptions = RestOptions> {
  /** Sends the request with platform defaults and gives the processed response; touches no store and never retries. */
  (...args: RestArgs<O>): Promise<RestResult<O>>;
  key(...args: RestArgs<O>): string;
  readonly [OPTION_TYPES]?: O;
}

/**
 * One REST endpoint: a function of URL parameters and body, and the place to customize how it is sent and read.
 *
 * @example
 * const getUser = new RestEndpoint({ urlPrefix: 'https://api.example.com', path: '/users/:id', schema: User });
 * const user = await getUser({ id: 5 });
 */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- a call signature can only be declared this way
export class RestEndpoint<const O extends RestOptions = RestOptions> extends RestPipeline {
  declare readonly path: O['path'];
  declare readonly schema: SchemaOf<O>;
  declare readonly sideEffect: SideEffectOf<O>;

  /** Creates at the end of the list. */
  declare readonly push: ListChangeEndpoint<O, 'push', PushOptions<O>>;
  /** Creates at the start of the list. */
  declare readonly unshift: ListChangeEndpoint<O, 'unshift', PushOptions<O>>;
  /** Adds members to a list by name. */
  declare readonly assign: ListChangeEndpoint<O, 'assign', AssignOptions<O>>;
  /** Takes an item out of the list. */
  declare readonly remove: ListChangeEndpoint<O, 'remove', RemoveOptions<O>>;
  /** Moves an item to the lists it now belongs to. */
  declare readonly move: ListChangeEndpoint<O, 'move', MoveOptions<O>>;
  /** The next page, by `paginationField`. */
  declare readonly getPage: GetPageEndpoint<O>;

  static {
    const change = (name: ListChange) =>
      function (this: RestPipeline): unknown {
        return derive(this, name, () => createListChange(settle(this) as RestEndpoint, name)); // cast: of this class
      };
    defineDefaults<RestPipeline>(this.prototype, {
      push: change('push'),
      unshift: change('unshift'),
      assign: change('assign'),
      remove: change('remove'),
      move: change('move'),
      getPage() {
        const { paginationField } = settle(this);
        return paginationField === undefined ? undefined : (this as RestEndpoint).paginated(paginationField); // cast: as above
      },
    });
  }

  constructor(options: O & ThisType<RestPipeline> & ContentRule<O>) {
    super(options);
    if (new.target === RestEndpoint) settle(this);
  }

  /** A new endpoint with these options over this one's. */
  extend<const E extends RestExtension>(
    options: E & ThisType<RestPipeline> & ContentRule<ExtendOptions<O, E>>,
  ): RestEndpoint<ExtendOptions<O, E>> {
    return this.extendWith(options) as unknown as RestEndpoint<ExtendOptions<O, E>>; // cast: the options say so
  }

  /** The endpoint of further pages, asked for by a parameter or by what a function takes out of the arguments. */
  paginated<const Field extends string>(
    field: Field,
  ): RestEndpoint<PageOptions<O, PageSearch<O, NoInfer<Field>>>>;
  paginated<A extends readonly unknown[]>(
    withoutCursor: (...args: A) => readonly unknown[],
  ): RestEndpoint<PageOptions<O, A[0]>>;
  paginated(cursor: string | ((...args: never) => readonly unknown[])): object {
    const list = settle(this) as unknown as RestEndpoint; // cast: without its own types
    const create = (): object => createPages(list, cursor as string); // cast: createPages takes both
    return typeof cursor === 'string' ? derive(this, `page ${cursor}`, create) : create();
  }

  /** The same as {@link paginated}. */
  paginate<const Field extends string>(field: Field): RestEndpoint<PageOptions<O, PageSearch<O, Field>>> {
    return this.paginated(field);
  }
}
