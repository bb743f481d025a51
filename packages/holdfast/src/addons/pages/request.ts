// Converts between a page (its direction and its token) and the endpoint and arguments that request it.
import type { EndpointCall } from '../../dispatch/call.ts';
import type { ExtensionHost } from '../../dispatch/extension.ts';
import type { EndpointInterface } from '../../endpoint/endpoint-interface.ts';
import { List } from '../../store/nodes.ts';
import { HoldfastError } from '../../support/errors.ts';
import { isObject } from '../../support/plain.ts';
import { storedParts, slotOf } from '../../controller/slot/read-slot.ts';
import type { RequestedPage, Direction, LoadedPages, PageOptions } from './loaded-pages.ts';

/** The properties of a RestEndpoint with `paginationField` that request its pages. */
interface PagedEndpoint {
  readonly getPage?: EndpointInterface;
  readonly paginationField?: string;
  paginated?(field: string): EndpointInterface;
}

/** The first list in the stored response of a call. */
export function listOfCall(core: ExtensionHost, call: EndpointCall): List | undefined {
  return storedParts(slotOf(core, call).stored).find((part) => part instanceof List);
}

/** The endpoint and the arguments that request a page. */
export function pageRequest(
  { previousField }: PageOptions,
  endpoint: EndpointInterface,
  args: readonly unknown[],
  { direction, token }: RequestedPage,
): { readonly endpoint: EndpointInterface; readonly args: readonly unknown[] } {
  const list = endpoint as EndpointInterface & PagedEndpoint; // cast: only some endpoints have them; checked below
  const field = tokenField(list, previousField, direction);
  const page = field === list.paginationField ? list.getPage : list.paginated?.(field ?? '');
  if (!page || field === undefined) throw new HoldfastError('PAGES_WITHOUT_FIELD', { endpoint: list.name });
  const [params, ...rest] = args;
  return { endpoint: page, args: [{ ...(isObject(params) && params), [field]: token }, ...rest] };
}

/** The token with which the first page is requested; undefined for a first page without a token. */
export function firstToken({ by, from, sendFirst }: PageOptions): string | undefined {
  if (!sendFirst) return undefined;
  return typeof sendFirst === 'string' ? sendFirst : String(from ?? (by === 'offset' ? 0 : 1));
}

/**
 * The page that the arguments request. If both directions share one parameter, the known previous token decides about the
 * direction.
 */
export function pageRequestedBy(
  { previousField }: PageOptions,
  endpoint: EndpointInterface,
  args: readonly unknown[],
  known: LoadedPages | undefined,
): RequestedPage {
  const list = endpoint as EndpointInterface & PagedEndpoint; // cast: only some endpoints have these properties
  const [params] = args as [Readonly<Record<string, unknown>>]; // cast: the first argument of a page contains the token
  const tokenOf = (direction: Direction): string =>
    String(params[tokenField(list, previousField, direction) ?? '']);
  const token = tokenOf('previous');
  const hasOwnParameter = previousField !== undefined && previousField !== list.paginationField;
  const isPrevious = hasOwnParameter ? Object.hasOwn(params, previousField) : known?.previous === token;
  return isPrevious ? { direction: 'previous', token } : { direction: 'next', token: tokenOf('next') };
}

function tokenField(
  { paginationField }: PagedEndpoint,
  previousField: string | undefined,
  direction: Direction,
): string | undefined {
  return direction === 'previous' ? (previousField ?? paginationField) : paginationField;
}
