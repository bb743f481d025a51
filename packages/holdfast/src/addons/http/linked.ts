// `linked`: derives an endpoint whose responses also contain the data of their headers: the arguments that request the other pages,
// and the total.
import type { CALL_ARGS, CALL } from '../../endpoint/endpoint-interface.ts';
import { finishEndpoint } from '../../endpoint/endpoint-base.ts';
import type { RestEndpoint } from '../../endpoint/rest-endpoint.ts';
import type { RestPipeline } from '../../endpoint/rest-pipeline.ts';
import { templateOf } from '../../endpoint/rest-pipeline.ts';
import type { CallTypes, ExtendedCall } from '../../endpoint/rest.types.ts';
import { requestOf } from '../../endpoint/run-request.ts';
import type { AnswerSchema } from '../../schema/protocol/schema.types.ts';
import { parseAddress } from '../../support/origin.ts';
import { setOwn } from '../../support/plain.ts';
import { readCount } from '../../support/header-values.ts';
import { readHeaders } from './read-headers.ts';
import { ANY_BASE, readLinks } from './link-header.ts';

/**
 * The response of a {@link linked} endpoint: the rows, the arguments that request the other pages, and the total. A property is
 * null if the headers do not contain it.
 *
 * @example
 * const labelOf = ({ results, total }: linked.Page<Todo[], object>) => `${results.length} of ${total ?? 'many'}`;
 */
export interface LinkedPage<Results, Params> {
  readonly results: Results;
  readonly next: Params | null;
  readonly previous: Params | null;
  readonly first: Params | null;
  readonly last: Params | null;
  /** The number of rows that the server has. */
  readonly total: number | null;
}

/**
 * Options of {@link linked}.
 *
 * @example const options: linked.Options = { total: 'X-Pagination-Total', numbers: ['page'] };
 */
export interface LinkedOptions {
  /** The header that contains the total. Default: `X-Total-Count`, else `X-Total`, else the end of `Content-Range`. */
  readonly total?: string;
  /** Parameters that are numbers. Other parameters of an address are strings, unless the call passed a number for them. */
  readonly numbers?: readonly string[];
}

type LinkParams = Readonly<Record<string, unknown>>;
type SchemaOfCall<T extends CallTypes> = T['schema'];
/** The parameters of a call: the type of its first argument. */
type LinkParamsOf<E> = E extends { readonly [CALL_ARGS]: infer A extends readonly unknown[] }
  ? NonNullable<A[0]>
  : never;

/**
 * The endpoint that {@link linked} returns.
 *
 * @example
 * type Pages = linked.Result<typeof TodoResource.getList>;
 * type Page = ResolveType<Pages>; // { results: Todo[]; next: … | null; …; total: number | null }
 */
export type LinkedEndpoint<E extends { readonly [CALL]: CallTypes }> = RestEndpoint<
  ExtendedCall<E[typeof CALL], { schema: LinkedPage<SchemaOfCall<E[typeof CALL]>, LinkParamsOf<E>> }>
>;

const TOTAL_HEADERS: readonly string[] = ['X-Total-Count', 'X-Total', 'Content-Range'];
/** The relation of each property. If no link has this relation, a link whose relation is the name of the property counts. */
const RELATIONS = { next: 'next', previous: 'prev', first: 'first', last: 'last' };

/**
 * Derives an endpoint from the endpoint of a list. The responses of the derived endpoint also contain the data of their headers:
 * `next`, `previous`, `first` and `last` are arguments that request these pages from the derived endpoint, and `total` is the
 * number of rows that the server has.
 *
 * @example
 * const getPages = linked(TodoResource.getList);
 * const { results, next, total } = await controller.fetch(getPages, { userId: '1' });
 * console.log(`${results.length} of ${total}`);
 * if (next) await controller.fetch(getPages, next);
 */
export function linked<E extends { readonly [CALL]: CallTypes }>(
  endpoint: E,
  options?: LinkedOptions,
): LinkedEndpoint<E>;
export function linked(endpoint: object, { total, numbers = [] }: LinkedOptions = {}): object {
  const source = finishEndpoint(endpoint) as RestPipeline; // cast: only REST endpoints have the property CALL
  const totals = total === undefined ? TOTAL_HEADERS : [total];
  const { names } = templateOf(source);
  return source.extend({
    name: `${source.name}.linked`,
    // `null` declares a plain value. A call's key contains the shape of the schema, so a call of `source` has another key than a
    // call of this endpoint.
    schema: {
      results: source.schema as AnswerSchema, // cast: `schema` of a RestEndpoint
      next: null,
      previous: null,
      first: null,
      last: null,
      total: null,
    },
    async process(this: RestPipeline, value: unknown, params: LinkParams, body?: unknown) {
      const results = await source.process.call(this, value, params, body);
      const { response } = requestOf(this);
      const headers = response && readHeaders(response, ['Link', ...totals]);
      const links = readLinks(headers?.get('link'));
      const page: Record<string, unknown> = { results, total: readTotal(headers, totals) };
      for (const [property, relation] of Object.entries(RELATIONS)) {
        const address = links.get(relation) ?? links.get(property);
        page[property] = address === undefined ? null : paramsOfAddress(address, params, names, numbers);
      }
      return page;
    },
  });
}

/**
 * The arguments that request an address: the call's own path parameters, and the query parameters of the address. Null if the
 * address cannot be parsed.
 */
function paramsOfAddress(
  address: string,
  params: LinkParams,
  pathNames: readonly string[],
  numbers: readonly string[],
): LinkParams | null {
  const url = parseAddress(address, ANY_BASE);
  if (!url) return null;
  const found: Record<string, unknown> = {};
  for (const name of pathNames) if (params[name] !== undefined) setOwn(found, name, params[name]);
  for (const name of new Set(url.searchParams.keys())) {
    if (pathNames.includes(name)) continue;
    const isNumber = numbers.includes(name) || typeof params[name] === 'number';
    const values = url.searchParams.getAll(name).map((text) => (isNumber ? toNumber(text) : text));
    setOwn(found, name, values.length === 1 && !Array.isArray(params[name]) ? values[0] : values);
  }
  return found;
}

/** The text as a number; the text itself if it is not a number. */
function toNumber(text: string): string | number {
  return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}

function readTotal(headers: Headers | undefined, names: readonly string[]): number | null {
  for (const name of names) {
    const count = readCount(headers?.get(name)?.split('/').at(-1));
    if (count !== undefined) return count;
  }
  return null;
}

export declare namespace linked {
  export type { LinkedEndpoint as Result, LinkedOptions as Options, LinkedPage as Page };
}
