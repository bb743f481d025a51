// Loads one more page of a list whose endpoint has `pages`, for usePages and for code without React. If a read of the list is in
// flight, the load waits for it, because the response of the read contains the token of the page. If a request for the page is in
// flight, the load joins it.
import { EndpointCall } from '../../dispatch/call.ts';
import type { AnyReadEndpoint, EndpointArgs } from '../../endpoint/endpoint-interface.ts';
import type { Paged } from '../../endpoint/rest.types.ts';
import { HoldfastError } from '../../support/errors.ts';
import type { Controller } from '../../controller/controller.ts';
import { startRead } from '../../controller/request/fetch-read.ts';
import { CORE } from '../../controller/state/core.ts';
import type { Core } from '../../controller/state/core.ts';
import type { Direction } from './loaded-pages.ts';
import { itemsIn } from './bodies.ts';
import { listOfCall } from './request.ts';
import { InPagesRule } from './rule.ts';

/**
 * Loads the next page of a list; if no page is loaded, the first page. Adds no page if there is no next page. Rejects with the
 * error of the request; the next call tries again.
 *
 * @example
 * await loadMore(controller, getFeed);
 */
export async function loadMore<E extends AnyReadEndpoint>(
  controller: Controller,
  endpoint: Paged<E>,
  ...args: EndpointArgs<E>
): Promise<void> {
  await loadNextPage(controller[CORE], new EndpointCall(endpoint, args), 'next');
}

/**
 * Loads the page before the loaded pages, for a list that opens in its middle or at its end; if no page is loaded, the first page.
 * Adds no page if there is no previous page. Rejects with the error of the request; the next call tries again.
 *
 * @example
 * await loadPrevious(controller, getFeed);
 */
export async function loadPrevious<E extends AnyReadEndpoint>(
  controller: Controller,
  endpoint: Paged<E>,
  ...args: EndpointArgs<E>
): Promise<void> {
  await loadNextPage(controller[CORE], new EndpointCall(endpoint, args), 'previous');
}

/** Returns the items in the data, and whether there is another page in each direction. usePages calls it. */
export function stateOfPages(
  controller: Controller,
  endpoint: AnyReadEndpoint,
  args: readonly unknown[],
  data: unknown,
): { readonly items: readonly unknown[]; readonly hasMore: boolean; readonly hasPrevious: boolean } {
  if (args[0] === null) return { items: [], hasMore: false, hasPrevious: false };
  const call = new EndpointCall(endpoint, args);
  const rule = ruleOf(call);
  const list = listOfCall(controller[CORE], call);
  return {
    items: itemsIn(endpoint.schema, data),
    hasMore: rule.hasPage(list, 'next'),
    hasPrevious: rule.hasPage(list, 'previous'),
  };
}

async function loadNextPage(core: Core, call: EndpointCall, direction: Direction): Promise<void> {
  const rule = ruleOf(call);
  const { endpoint, args } = call;
  const { engine } = core;
  await waitForReads(core, call);
  const list = listOfCall(core, call);
  const known = rule.loadedPagesOf(list);
  let token = known?.[direction];
  // The whole list is read if it is not loaded, if its pages are unknown, as for a restored list, or if rows may have shifted, so
  // that the token may be wrong.
  if (!list || !known || rule.hasMissedRows(known, list)) {
    await startRead(core, call, list !== undefined).promise;
    // If the list was not loaded, this read has loaded its first page. After a reset there is no list to extend.
    if (!list || core.engine !== engine) return;
    token = rule.loadedPagesOf(list)?.[direction];
  }
  if (token === undefined) return;
  const page = rule.pageRequestOf(endpoint, args, { direction, token });
  try {
    await startRead(core, new EndpointCall(page.endpoint, page.args), true).promise;
  } catch (error) {
    if (!(error instanceof HoldfastError && error.code === 'PAGE_OUTDATED')) throw error;
    await loadNextPage(core, call, direction);
  }
}

/** Waits for the reads of the whole list that are in flight, not for the reads of single pages. */
async function waitForReads(core: Core, call: EndpointCall): Promise<void> {
  const reads = core.flights.readsOf(call.slotKey).filter(({ call: other }) => !other.isPage);
  await Promise.all(reads.map(({ promise }) => promise));
}

function ruleOf({ endpoint }: EndpointCall): InPagesRule {
  const { pages } = endpoint as { pages?: unknown }; // cast: the next line checks it
  if (pages instanceof InPagesRule) return pages;
  throw new HoldfastError('PAGES_MISSING', { endpoint: endpoint.name });
}
