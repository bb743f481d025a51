// The request for a page: the endpoint and the arguments that ask for it, and which page given arguments ask for.
import type { EndpointCall } from '../../dispatch/call.ts';
import type { EndpointInterface } from '../../endpoint/endpoint-interface.ts';
import { List } from '../../store/nodes.ts';
import { HoldfastError } from '../../support/errors.ts';
import { isObject } from '../../support/plain.ts';
import { storedParts, slotOf } from '../../controller/slot/read-slot.ts';
import type { Core } from '../../controller/state/core.ts';
import type { RequestedPage, Direction, Loaded, PageOptions } from './loaded-pages.ts';

/** What an endpoint of a list in pages has. */
interface Paged {
  readonly getPage?: EndpointInterface;
  readonly paginationField?: string;
  paginated?(field: string): EndpointInterface;
}

/** The list that the stored answer shows. */
export function listOfCall(core: Core, call: EndpointCall): List | undefined {
  return storedParts(slotOf(core, call).stored).find((part) => part instanceof List);
}

/** The endpoint and the arguments of a page. */
export function pageRequest(
  { previousField }: PageOptions,
  endpoint: EndpointInterface,
  args: readonly unknown[],
  { direction, token }: RequestedPage,
): { readonly endpoint: EndpointInterface; readonly args: readonly unknown[] } {
  const list = endpoint as EndpointInterface & Paged; // cast: asked below
  const field = tokenField(list, previousField, direction);
  const page = field === list.paginationField ? list.getPage : list.paginated?.(field ?? '');
  if (!page || field === undefined) throw new HoldfastError('PAGES_WITHOUT_FIELD', { endpoint: list.name });
  const [params, ...rest] = args;
  return { endpoint: page, args: [{ ...(isObject(params) && params), [field]: token }, ...rest] };
}

/** Which page the arguments ask for. Where both directions have one parameter, the token tells. */
export function requestedBy(
  { previousField }: PageOptions,
  endpoint: EndpointInterface,
  args: readonly unknown[],
  known: Loaded | undefined,
): RequestedPage {
  const list = endpoint as EndpointInterface & Paged; // cast: it may have them
  const [params] = args as [Readonly<Record<string, unknown>>]; // cast: it holds the token
  const tokenOf = (direction: Direction): string =>
    String(params[tokenField(list, previousField, direction) ?? '']);
  const token = tokenOf('previous');
  const isOwn = previousField !== undefined && previousField !== list.paginationField;
  const isBefore = isOwn ? Object.hasOwn(params, previousField) : known?.previous === token;
  return isBefore ? { direction: 'previous', token } : { direction: 'next', token: tokenOf('next') };
}

function tokenField(
  { paginationField }: Paged,
  previousField: string | undefined,
  direction: Direction,
): string | undefined {
  return direction === 'previous' ? (previousField ?? paginationField) : paginationField;
}
