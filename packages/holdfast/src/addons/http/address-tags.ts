// The entity tags that preconditions of mutations use, by row, and for each row by address and user. sender.ts fills them from the
// responses to reads and to mutations of this client. A message or `set` does not change a tag, because neither shows which version
// of the row the server has at the address.
import type { ExtensionHost } from '../../dispatch/extension.ts';
import { isAfter, knowsOf } from '../../store/order.ts';
import type { Row } from '../../store/nodes.ts';
import { ensure } from '../../support/ensure.ts';
import { readTag } from './entity-tag.ts';
import type { Exchange } from './known-responses.ts';

interface AddressTag {
  /** The strong tag of the last response; undefined if the last response had no strong tag. */
  readonly tag: string | undefined;
  /**
   * For the tag of a read, the time at which the read was sent. For the tag of a mutation, the time at which the mutation was
   * acknowledged.
   */
  readonly knownAt: number;
}

interface TagsOfRow {
  readonly byAddress: Map<string, AddressTag>;
  /** When the last mutation of the row was acknowledged; 0 for never. */
  readonly writtenAt: number;
}

export class AddressTags {
  readonly #host: ExtensionHost;
  // The keys are weak: the tags of a row are collected together with the row. A reset begins with new rows.
  readonly #byRow = new WeakMap<Row, TagsOfRow>();

  constructor(host: ExtensionHost) {
    this.#host = host;
  }

  /**
   * The tag of the last response that this user got from this address; undefined if the response had no strong tag, or if a
   * mutation of this client has changed the row since.
   */
  find(row: Row, exchange: Exchange): string | undefined {
    return this.#byRow.get(row)?.byAddress.get(addressOf(exchange))?.tag;
  }

  /**
   * Called when the response to a read has arrived. Notes the tag of the response, unless the response to a read that was sent
   * later was noted, or a mutation of the row was acknowledged after this read was sent.
   */
  noteRead(row: Row, exchange: Exchange, tag: string | undefined, sent: number): void {
    const { byAddress, writtenAt } = ensure(this.#byRow, row, () => createTags(0));
    const address = addressOf(exchange);
    const last = byAddress.get(address);
    if (knowsOf(sent, writtenAt) && !(last && isAfter(last.knownAt, sent)))
      byAddress.set(address, { tag, knownAt: sent });
  }

  /**
   * Forgets every tag of a row that a mutation has changed. Notes `tag`, the tag in the response to this mutation, if there is one.
   */
  noteWrite(row: Row, exchange?: Exchange, tag?: string): void {
    const writtenAt = this.#host.engine.store.timeline.tick();
    const tags = createTags(writtenAt);
    if (exchange && tag !== undefined) tags.byAddress.set(addressOf(exchange), { tag, knownAt: writtenAt });
    this.#byRow.set(row, tags);
  }
}

function createTags(writtenAt: number): TagsOfRow {
  return { byAddress: new Map(), writtenAt };
}

/** One string for the address and the user. The header `Authorization` identifies the user. */
function addressOf({ url, authorization }: Exchange): string {
  return `${url} ${authorization ?? ''}`;
}

/**
 * The tag of a response, if a precondition may use the tag. The tag must be strong, because `If-Match` never matches a weak tag,
 * and it must belong to the requested address.
 */
export function strongTagOf({ headers, redirected }: Response): string | undefined {
  const tag = readTag(headers);
  return redirected || tag?.startsWith('W/') ? undefined : tag;
}
