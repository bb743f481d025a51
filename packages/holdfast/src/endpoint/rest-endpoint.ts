// RestEndpoint is the class that developers use. It adds to rest-pipeline.ts the types of arguments and results, which follow from
// the options. A list endpoint also has endpoints that create rows (push, unshift, assign), change the list (remove, move) and load
// further pages. Each of these endpoints is made from the list endpoint by `extend`.
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

/**
 * The endpoint of one change of a list. It can be called only if the list's schema contains a Collection that offers the change.
 */
type ListChangeEndpoint<
  T extends CallTypes,
  Change extends string,
  Changed extends CallTypes,
> = string extends T['path']
  ? RestEndpoint
  : [ChangeOf<T['schema'], Change>] extends [never]
    ? NeedsCollection<Change>
    : RestEndpoint<Changed>;

/** The type of `getPage`: undefined unless the option `paginationField` is given. */
type GetPageEndpoint<T extends CallTypes> = [GivenField<T['more']>] extends [never]
  ? undefined
  : RestEndpoint<PageCall<T, PageSearch<T, GivenField<T['more']>>>>;

/**
 * One REST endpoint: a function of URL parameters and body, with methods to override how a request is sent and read.
 *
 * @example
 * const getUser = new RestEndpoint({ urlPrefix: 'https://api.example.com', path: '/users/:id', schema: User });
 * const user = await getUser({ id: 5 });
 */
export interface RestEndpoint<T extends CallTypes = LooseCall> extends RestMembers {
  /**
   * Sends the request with the platform's `fetch` and resolves with the processed response; a direct call uses no store and is
   * never repeated.
   */
  (...args: CallArgs<T>): Promise<CallResult<T>>;
  key(...args: CallArgs<T>): string;
  readonly [CALL]: T;
  readonly [CALL_ARGS]: CallArgs<T>;

  readonly path: T['path'];
  readonly schema: T['schema'];
  readonly sideEffect: SideEffectOf<T['method'], T['body'], T['more']>;
  readonly errors: ErrorsIn<T['more']>;

  /** Creates a row at the end of the list. To create several rows at once, use `push.extend({ body: [] as NewTodo[] })`. */
  readonly push: ListChangeEndpoint<T, 'push', PushCall<T>>;
  /** Creates a row at the start of the list. */
  readonly unshift: ListChangeEndpoint<T, 'unshift', PushCall<T>>;
  /** Adds rows by key to a Collection of `Values`. */
  readonly assign: ListChangeEndpoint<T, 'assign', AssignCall<T>>;
  /** Removes a row from the list. */
  readonly remove: ListChangeEndpoint<T, 'remove', RemoveCall<T>>;
  /** Changes a row and moves it to the lists to which it then belongs. */
  readonly move: ListChangeEndpoint<T, 'move', MoveCall<T>>;
  /** Reads a further page and adds it to the list. The option `paginationField` names the parameter that selects the page. */
  readonly getPage: GetPageEndpoint<T>;

  /** Creates an endpoint with the options of this one, overridden by `options`. */
  extend<const E extends RestExtension>(
    options: E & ThisType<RestMembers> & ContentRule<E, T['schema']>,
  ): RestEndpoint<ExtendedCall<T, E>>;

  /** Creates the endpoint of further pages; `field` is the name of the parameter that selects a page. */
  paginated<const Field extends string>(
    field: Field,
  ): RestEndpoint<PageCall<T, PageSearch<T, NoInfer<Field>>>>;
  /** Creates the endpoint of further pages. The function returns the arguments without the parameter that selects a page. */
  paginated<A extends readonly unknown[]>(
    withoutCursor: (...args: A) => readonly unknown[],
  ): RestEndpoint<PageCall<T, A[0]>>;

  /** Does the same as {@link paginated} with the name of a parameter. */
  paginate<const Field extends string>(field: Field): RestEndpoint<PageCall<T, PageSearch<T, Field>>>;
}

interface RestEndpointClass {
  new <const O extends RestOptions = RestOptions>(
    options: O & ThisType<RestMembers> & ContentRule<O, undefined>,
  ): RestEndpoint<CallOf<O>>;
  readonly prototype: RestEndpoint;
}

type ListArgs = readonly unknown[];

// cast: a class cannot declare that its instances' types depend on the constructor's options
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
    if (typeof cursor === 'function') return createPageEndpoint(this, (args) => cursor(...args));
    return makeOnce(this, `page ${cursor}`, (list) =>
      createPageEndpoint(list, (args) => withoutField(args, cursor)),
    );
  }

  paginate(field: string): object {
    return this.paginated(field);
  }
} as unknown as RestEndpointClass;

/** Creates the endpoint for one kind of change of the list, such as `push`. */
function createListChange(list: RestPipeline, change: string): object {
  const { name, path, movePath = path, bodyOption } = list;
  const changed = collectionProperty(list, change) as RestExtension['schema']; // cast: the property of each change is a schema
  return list.extend({
    method: ['remove', 'move'].includes(change) ? 'PATCH' : 'POST',
    name: `${name}.${change}`,
    schema: changed,
    ...(!('body' in list) && bodyOption),
    ...(change === 'move' && { path: movePath }),
  });
}

/** A property of the first Collection in the list's schema. Throws when there is no Collection, or when it lacks the property. */
function collectionProperty({ name, schema }: RestPipeline, member: string): unknown {
  const [collection] = collectionsIn(schema) as readonly unknown[] as readonly Readonly<
    Record<string, unknown>
  >[]; // cast: the property is read by name
  const found = collection?.[member];
  if (!found) throw new HoldfastError('COLLECTION_MISSING', { endpoint: name, member });
  return found;
}

/** Creates the endpoint of further pages. A page is added to the list whose arguments are the same except for the cursor. */
function createPageEndpoint(list: RestPipeline, withoutCursor: (args: ListArgs) => ListArgs): object {
  const { name, schema } = finishEndpoint(list);
  collectionProperty(list, 'paginated');
  const pages: object = {
    name: `${name}.getPage`,
    schema: paginateSchema(schema, withoutCursor),
    listKey: (...args: ListArgs) => list.key(...withoutCursor(args)),
    keyPattern: () => list.keyPattern(),
  };
  return list.extend(pages);
}

/** Removes the field from every argument that has it. The result is the arguments of the list's first page. */
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
