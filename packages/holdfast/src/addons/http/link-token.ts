// `linkToken`: finds the token of another page in the header `Link`, for the options `next` and `previous` of `inPages`.
import { parseAddress } from '../../support/origin.ts';
import { ANY_BASE, readLinks } from './link-header.ts';
import { readHeaders } from './read-headers.ts';

/**
 * Finds the token of a page in the header `Link` of a response. It takes the link whose `rel` is `relation`, and returns the query
 * parameter `parameter` of its address. This is the parameter that the `paginationField` of the endpoint names.
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
