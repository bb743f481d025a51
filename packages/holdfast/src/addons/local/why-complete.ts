// Describes why a stored list is known to be whole, or why it is not, by the conditions of `isWhole` in covering-list.ts. The
// inspector shows the sentence.
import { findPage } from '../../store/list-members.ts';
import type { List } from '../../store/nodes.ts';
import { isStale } from '../../store/order.ts';
import type { Store } from '../../store/store.ts';
import { isWhole } from './covering-list.ts';

/**
 * Tells the inspector why a list is complete or incomplete, for its option `notes`.
 *
 * @example const inspector = inspect({ notes: [whyComplete] });
 */
export function whyComplete(
  list: object,
  store: object,
): { readonly text: string; readonly parts: readonly { readonly text: string }[] } {
  const given = list as List; // cast: the inspector passes its own list and store
  const text = isWhole(store as Store, given) ? whyWhole(given) : whyNotWhole(given);
  return { text, parts: [{ text }] };
}

function whyWhole({ segments, unloadedEnds }: List): string {
  if (segments.length === 1 && segments[0]!.wholeBy)
    return 'It is complete: the option `complete` says so of its response.';
  return unloadedEnds === ''
    ? 'It is complete: its first and its last page are loaded.'
    : 'It is complete: the total of its responses is the number of its rows.';
}

function whyNotWhole(list: List): string {
  const { segments, hasServerMembership, unloadedEnds, restCount, identity } = list;
  const origins = segments.map(({ wholeBy, pagedBy, countedBy }) => wholeBy || pagedBy || countedBy);
  if (!findPage(list, null)) return 'It is not complete: its first page was not read.';
  if (isStale(list)) return 'It is not complete: it is stale.';
  if (hasServerMembership) return 'It is not complete: only the server knows which rows belong to it.';
  if (segments.some(({ wholeBy }) => wholeBy === false) && origins.every((origin) => !origin))
    return 'It is not known to be complete: nothing says so of its response. See the option `complete` of its Collection.';
  if (origins.some((origin) => !origin))
    return 'It is not known to be complete: it came with a saved state, or with a response that could not tell.';
  if (unloadedEnds) return 'It is not complete: there are pages that are not loaded.';
  if (restCount) return `It is not complete: the server has ${restCount} more rows.`;
  const hasAllPages =
    segments.every(({ pagedBy }) => pagedBy) ||
    (restCount === 0 && segments.every(({ countedBy }) => countedBy));
  // The list meets all conditions of `isWhole` except the condition about refused rows.
  if (hasAllPages || (segments.length === 1 && identity.limit === undefined))
    return 'It is not complete: a row of its table was refused by its checks since it was requested.';
  if (identity.limit !== undefined) return 'It is not complete: its arguments limit the number of rows.';
  return 'It is not known to be complete: it has several pages, and nothing says that there are no more.';
}
