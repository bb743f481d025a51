// `linkToken`: makes the functions that find the token of another page in the header `Link`, for the options `next` and `previous`
// of `inPages`.
import { parseAddress } from '../../support/origin.ts';
import { ANY_BASE, readLinks } from './link-header.ts';
import { readHeaders } from './read-headers.ts';

/**
 * Returns a function for the options `next` and `previous` of `inPages`. The function finds the link with the `rel` `relation` in
 * the header `Link` of a response, and returns the query parameter `parameter` of the link's address. Pass the `paginationField` of
 * the endpoint as `parameter`.
 *
 * @example
 * const getTodos = TodoResource.getList.extend({
 *   paginationField: 'page',
 *   pages: inPages({ next: linkToken('next') }),
 * });
 */
export function linkToken(
  relation: 'next' | 'prev' | 'previous' | 'first' | 'last',
  parameter = 'page',
): (body: unknown, response?: Response) => string | undefined {
  return (_body, response) => {
    const links = readLinks(response && readHeaders(response, ['Link']).get('link'));
    const address = links.get(relation);
    const url = address === undefined ? undefined : parseAddress(address, ANY_BASE);
    return url?.searchParams.get(parameter) ?? undefined;
  };
}
