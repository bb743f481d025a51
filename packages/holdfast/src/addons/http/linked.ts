// `linked`: an endpoint whose answers carry, beside the rows, what the server says in headers about the other pages: the arguments
// that ask for them, and how many rows there are in all.
import type { CALL_ARGS, CALL } from '../../endpoint/endpoint-interface.ts';
import { finishEndpoint } from '../../endpoint/endpoint-base.ts';
import type { RestEndpoint } from '../../endpoint/rest-endpoint.ts';
import type { RestPipeline } from '../../endpoint/rest-pipeline.ts';
import { templateOf } from '../../endpoint/rest-pipeline.ts';
import type { CallTypes, ExtendedCall } from '../../endpoint/rest.types.ts';
import { requestOf } from '../../endpoint/run-request.ts';
import { parseAddress } from '../../support/origin.ts';
import { setOwn } from '../../support/plain.ts';
import { readCount } from '../../support/header-values.ts';
import { takeHeaders } from './headers-read.ts';
import { readLinks } from './link-header.ts';

/**
 * What an answer of a {@link linked} endpoint is: the rows, and the arguments of the pages around them. Null where the headers do
 * not say.
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
  /** How many rows there are in all. */
  readonly total: number | null;
}

/**
 * Options of {@link linked}.
 *
 * @example const options: linked.Options = { total: 'X-Pagination-Total', numbers: ['page'] };
 */
export interface LinkedOptions {
  /** The header that has the count of all rows. Default: `X-Total-Count`, else `X-Total`, else the end of `Content-Range`. */
  readonly total?: string;
  /** Parameters that are numbers. A value of an address is a text, unless it is named here or the call itself gave a number. */
  readonly numbers?: readonly string[];
}

type LinkParams = Readonly<Record<string, unknown>>;
type Results<T extends CallTypes> = T['schema'];
/** The parameters of a call, as its first argument has them. */
type LinkParamsOf<E> = E extends { readonly [CALL_ARGS]: infer A extends readonly unknown[] }
  ? NonNullable<A[0]>
  : never;

/**
 * What {@link linked} makes of an endpoint.
 *
 * @example
 * type Pages = linked.Result<typeof TodoResource.getList>;
 * type Page = ResolveType<Pages>; // { results: Todo[]; next: … | null; …; total: number | null }
 */
export type LinkedEndpoint<E extends { readonly [CALL]: CallTypes }> = RestEndpoint<
  ExtendedCall<E[typeof CALL], { schema: LinkedPage<Results<E[typeof CALL]>, LinkParamsOf<E>> }>
>;

const TOTALS: readonly string[] = ['X-Total-Count', 'X-Total', 'Content-Range'];
/** Only the query of an address counts, so a relative one may stand anywhere. */
const ANYWHERE = 'http://any.invalid';
const RELATIONS = { next: ['next'], previous: ['prev', 'previous'], first: ['first'], last: ['last'] };

/**
 * Adds to the answers of a list what their headers say of other pages: `next`, `previous`, `first` and `last` are arguments for the
 * same endpoint, `total` is the count of all rows.
 *
 * @example
 * const getPages = linked(TodoResource.getList);
 * const { results, next, total } = await controller.fetch(getPages, { userId: '1' });
 * console.log(`${results.length} of ${total}`);
 * if (next) await controller.fetch(getPages, next);
 */
export function linked<E extends { readonly [CALL]: CallTypes }>(
  endpoint: E,
  { total, numbers = [] }: LinkedOptions = {},
): LinkedEndpoint<E> {
  const source = finishEndpoint(endpoint as unknown as RestPipeline); // cast: only REST endpoints have such a slot
  const totals = total === undefined ? TOTALS : [total];
  const { names } = templateOf(source);
  const pages = source.extend({
    name: `${source.name}.linked`,
    // null stands for itself: it makes the key another one than that of the list
    schema: {
      results: source.schema,
      next: null,
      previous: null,
      first: null,
      last: null,
      total: null,
    } as never, // cast: an object of schemas
    async process(this: RestPipeline, value: unknown, params: LinkParams, body?: unknown) {
      const results = await source.process.call(this, value, params, body);
      const { response } = requestOf(this);
      const headers = response && takeHeaders(response, ['Link', ...totals]);
      const links = readLinks(headers?.get('link'));
      const page: Record<string, unknown> = { results, total: readTotal(headers, totals) };
      for (const [member, relations] of Object.entries(RELATIONS)) {
        const address = relations.map((relation) => links.get(relation)).find((found) => found !== undefined);
        page[member] = address === undefined ? null : paramsOf(address, params, names, numbers);
      }
      return page;
    },
  });
  return pages as unknown as LinkedEndpoint<E>; // cast: the schema above
}

/** The arguments that ask for an address: what stood in the path of the call, and what stands in the query of the address. */
function paramsOf(
  address: string,
  params: LinkParams,
  pathNames: readonly string[],
  numbers: readonly string[],
): LinkParams | null {
  const url = parseAddress(address, ANYWHERE);
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

/** A text that is no number stays one. */
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
