// A REST endpoint as developers write it: the pipeline of rest-pipeline.ts with a call signature, results and extenders
// that follow from its options. From a list follow creation (push, unshift, assign), change (remove, move) and further
// pages: each is the list endpoint, extended.
import { collectionsIn, paginateSchema } from '../schema/collection/collections-in.ts';
import { HoldfastError } from '../support/errors.ts';
import { defineLazy, makeOnce, finishEndpoint } from './endpoint-base.ts';
import type { CALL, CALL_ARGS, HttpMethod } from './endpoint-interface.ts';
import type { ErrorsIn } from './failure.types.ts';
import type {
  AssignCall,
  ChangeOf,
  MoveCall,
  NeedsCollection,
  PageCall,
  PageSearch,
  PushCall,
  RemoveCall,
} from './list.types.ts';
import { RestPipeline } from './rest-pipeline.ts';
import type {
  CallArgs,
  CallOf,
  CallResult,
  CallTypes,
  ContentRule,
  ExtendedCall,
  GivenField,
  LooseCall,
  RestArgs,
  RestExtension,
  RestMembers,
  RestOptions,
  RestResult,
  SideEffectOf,
} from './rest.types.ts';
import { isObject } from '../support/plain.ts';
import type { AnswerSchema } from '../schema/protocol/schema.types.ts';
import type { UrlParams } from './path-template.ts';
import type { PathValue } from './path.types.ts';
import type { ResponseContent } from './parse-response.ts';

/** A change that a list offers only when its schema holds a collection that knows it. */
type ListChangeEndpoint<
  T extends CallTypes,
  Change extends string,
  Changed extends CallTypes,
> = string extends T['path']
  ? RestEndpoint
  : [ChangeOf<T['schema'], Change>] extends [never]
    ? NeedsCollection<Change>
    : RestEndpoint<Changed>;

/** `getPage`: there when `paginationField` is given. */
type GetPageEndpoint<T extends CallTypes> = [GivenField<T['more']>] extends [never]
  ? undefined
  : RestEndpoint<PageCall<T, PageSearch<T, GivenField<T['more']>>>>;

/**
 * One REST endpoint: a function of URL parameters and body, and the place to customize how it is sent and read.
 *
 * @example
 * const getUser = new RestEndpoint({ urlPrefix: 'https://api.example.com', path: '/users/:id', schema: User });
 * const user = await getUser({ id: 5 });
 */
export interface RestEndpoint<T extends CallTypes = LooseCall> extends RestMembers {
  /** Sends the request with platform defaults and gives the processed response; touches no store and never retries. */
  (...args: CallArgs<T>): Promise<CallResult<T>>;
  key(...args: CallArgs<T>): string;
  readonly [CALL]: T;
  readonly [CALL_ARGS]: CallArgs<T>;

  readonly path: T['path'];
  readonly schema: T['schema'];
  readonly sideEffect: SideEffectOf<T['method'], T['body'], T['more']>;
  readonly errors: ErrorsIn<T['more']>;

  /** Creates at the end of the list. Several at once: `push.extend({ body: [] as NewTodo[] })`. */
  readonly push: ListChangeEndpoint<T, 'push', PushCall<T>>;
  /** Creates at the start of the list. */
  readonly unshift: ListChangeEndpoint<T, 'unshift', PushCall<T>>;
  /** Adds members to a list by name. */
  readonly assign: ListChangeEndpoint<T, 'assign', AssignCall<T>>;
  /** Takes an item out of the list. */
  readonly remove: ListChangeEndpoint<T, 'remove', RemoveCall<T>>;
  /** Moves an item to the lists it now belongs to. */
  readonly move: ListChangeEndpoint<T, 'move', MoveCall<T>>;
  /** The next page, by `paginationField`. */
  readonly getPage: GetPageEndpoint<T>;

  /** A new endpoint with these options over this one's. */
  extend<const E extends RestExtension>(
    options: E & ThisType<RestMembers> & ContentRule<E, T['schema']>,
  ): RestEndpoint<ExtendedCall<T, E>>;

  /** The endpoint of further pages, asked for by a parameter or by what a function takes out of the arguments. */
  paginated<const Field extends string>(
    field: Field,
  ): RestEndpoint<PageCall<T, PageSearch<T, NoInfer<Field>>>>;
  paginated<A extends readonly unknown[]>(
    withoutCursor: (...args: A) => readonly unknown[],
  ): RestEndpoint<PageCall<T, A[0]>>;

  /** The same as {@link paginated}. */
  paginate<const Field extends string>(field: Field): RestEndpoint<PageCall<T, PageSearch<T, Field>>>;
}

interface RestEndpointClass {
  new <const O extends RestOptions = RestOptions>(
    options: O & ThisType<RestMembers> & ContentRule<O, undefined>,
  ): RestEndpoint<CallOf<O>>;
  readonly prototype: RestEndpoint;
}

type ListArgs = readonly unknown[];

// cast: a class cannot say of its own constructor that the instance's types follow from the options
export const RestEndpoint: RestEndpointClass = class RestEndpoint extends RestPipeline {
  static {
    defineLazy(this.prototype, {
      push: createListChange,
      unshift: createListChange,
      assign: createListChange,
      remove: createListChange,
      move: createListChange,
      getPage: (list) =>
        list.paginationField === undefined ? undefined : list.paginated(list.paginationField),
    });
  }

  constructor(options: object) {
    super(options);
    if (new.target === RestEndpoint) finishEndpoint(this);
  }

  paginated(cursor: string | ((...args: ListArgs) => ListArgs)): object {
    if (typeof cursor === 'function') return createPages(this, (args) => cursor(...args));
    return makeOnce(this, `page ${cursor}`, (list) =>
      createPages(list, (args) => withoutField(args, cursor)),
    );
  }

  paginate(field: string): object {
    return this.paginated(field);
  }
} as unknown as RestEndpointClass;

/** The endpoint that makes one kind of change to the list. */
function createListChange(list: RestPipeline, change: string): object {
  const { name, path, movePath = path, creation } = list;
  const changed = memberOf(list, change) as RestExtension['schema']; // cast: a collection's members of these names are schemas
  return list.extend({
    method: ['remove', 'move'].includes(change) ? 'PATCH' : 'POST',
    name: `${name}.${change}`,
    schema: changed,
    ...(!('body' in list) && creation),
    ...(change === 'move' && { path: movePath }),
  });
}

/** A member of the Collection in the list's schema. */
function memberOf({ name, schema }: RestPipeline, member: string): unknown {
  const [collection] = collectionsIn(schema) as readonly unknown[] as readonly Readonly<
    Record<string, unknown>
  >[]; // cast: read by name
  const found = collection?.[member];
  if (!found) throw new HoldfastError('COLLECTION_MISSING', { endpoint: name, member });
  return found;
}

/** The endpoint of further pages: each has a request of its own, and all extend the list without the cursor. */
function createPages(list: RestPipeline, withoutCursor: (args: ListArgs) => ListArgs): object {
  const { name, schema } = finishEndpoint(list);
  memberOf(list, 'paginated');
  const pages: object = {
    name: `${name}.getPage`,
    schema: paginateSchema(schema, withoutCursor),
    listKey: (...args: ListArgs) => list.key(...withoutCursor(args)),
    keyPattern: () => list.keyPattern(),
  };
  return list.extend(pages);
}

/** The arguments of the list's first page: those that have the field, without it. */
function withoutField(args: ListArgs, field: string): ListArgs {
  return args.map((argument) => {
    if (!isObject(argument) || !Object.hasOwn(argument, field)) return argument;
    const { [field]: _cursor, ...rest } = argument as Record<string, unknown>; // cast: it has the field
    return rest;
  });
}

export declare namespace RestEndpoint {
  type Schema = AnswerSchema;
  type Method = HttpMethod;
  type Params = UrlParams;
  type ParamValue = PathValue;
  type Content = ResponseContent;
  type Args<O extends RestOptions> = RestArgs<O>;
  type Result<O extends RestOptions> = RestResult<O>;
  type Extension = RestExtension;
  type Members = RestMembers;
}
