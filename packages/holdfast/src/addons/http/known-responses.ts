// The stored responses that have an entity tag, by slot, for sender.ts: which request may send which tag, and whether the stored
// response is still valid. The tag is forgotten together with its slot, and at a reset.
import type { Core } from '../../controller/state/core.ts';
import type { EndpointCall } from '../../dispatch/call.ts';
import type { Flight } from '../../dispatch/flights.ts';
import type { EndpointInterface } from '../../endpoint/endpoint-interface.ts';
import { RestPipeline } from '../../endpoint/rest-pipeline.ts';
import { Quarantine } from '../validate/quarantine.ts';
import type { Effects } from '../../store/effects.ts';
import type { Slot } from '../../store/nodes.ts';
import type { ServerLists } from '../../store/server-lists.ts';
import { isSameTag, readTag } from './entity-tag.ts';
import { headersTaken } from './headers-read.ts';
import { readDirectives, variesAlways } from './lifetime.ts';
import { isRepeatable, isUntouched } from './untouched.ts';
import type { CachedResponse } from './untouched.ts';

/** The HTTP exchange that a response belongs to. */
export interface Exchange {
  readonly url: string;
  readonly origin: string;
  /** The `Authorization` header that was sent: a response for another user is never reused, whatever its tag. */
  readonly authorization: string | null;
}

/** A stored response with its tag. */
export interface KnownResponse extends CachedResponse, Exchange {
  readonly tag: string;
  /** The headers of the response. */
  readonly headers: Headers;
  /** The headers that the endpoint has used beside the body, with their values. */
  readonly taken: readonly (readonly [name: string, value: string | null])[];
}

/** Matches a local id in a key: once the row has an id of the server, the same call may request another address. */
const LOCAL_ID_IN_KEY = /local(:|%3A)/i;

export class KnownResponses {
  readonly #core: Core;
  readonly #bySlot = new WeakMap<Slot, KnownResponse>();

  constructor(core: Core) {
    this.#core = core;
  }

  /** The stored response that a request for this address may reuse when the server confirms its tag. */
  find(call: EndpointCall, { url, authorization }: Exchange): KnownResponse | undefined {
    const slot = this.#core.engine.store.slots.get(call.slotKey);
    const known = slot && this.#bySlot.get(slot);
    const isAlike = known?.url === url && known.authorization === authorization;
    return isAlike && this.mayHold(call.endpoint) && isUntouched(this.#core, call, known) ? known : undefined;
  }

  /** True when a new response has the tag and the used headers of the stored one, and the store still holds that unchanged. */
  isSame(call: EndpointCall, known: KnownResponse, { headers }: Response): boolean {
    const isSameTaken = known.taken.every(([name, value]) => headers.get(name) === value);
    return isSameTag(known.tag, readTag(headers)) && isSameTaken && isUntouched(this.#core, call, known);
  }

  /** Called for "not modified": makes the controller apply the effects of the stored response again. False where it cannot. */
  restore(flight: Flight, known: KnownResponse): boolean {
    const { slot, effects } = known;
    const isThere = this.#core.engine.store.slots.get(flight.call.slotKey) === slot;
    if (!isThere || !isRepeatable(this.#core, flight, known)) return false;
    // Another response may have replaced these effects in the slot since. Stamps decide which of the two is newer.
    slot.effects = effects;
    return true;
  }

  /**
   * True when responses of the endpoint may be reused by their tags: the response must be one GET that the library itself sends
   * and parses, so that an equal tag means equal data. A list with pages is excluded, because one page's tag does not cover the
   * other loaded pages.
   */
  mayHold(endpoint: EndpointInterface): boolean {
    const { fetch, fetchResponse, parseResponse } = RestPipeline.prototype;
    const rest = endpoint as unknown as Partial<RestPipeline>; // cast: each property may be absent
    const isOurs =
      rest.fetch === fetch && rest.fetchResponse === fetchResponse && rest.parseResponse === parseResponse;
    const isData = rest.content === undefined || rest.content === 'json' || rest.content === 'text';
    return isOurs && isData && rest.method === 'GET' && !endpoint.pages && !endpoint.listKey;
  }

  /** Returns a function that notes the tag when the response is stored; undefined where the response must not be reused. */
  noteOf(
    call: EndpointCall,
    response: Response,
    exchange: Exchange,
  ): ((effects: Effects, lists: ServerLists) => void) | undefined {
    const { status, headers, redirected } = response;
    const tag = readTag(headers);
    const isNoStore = readDirectives(headers.get('cache-control') ?? '').has('no-store');
    if (tag === undefined || status !== 200 || redirected || isNoStore || variesAlways(headers))
      return undefined;
    if (LOCAL_ID_IN_KEY.test(call.key)) return undefined;
    const taken = headersTaken(response).map((name) => [name, headers.get(name)] as const);
    // After `restore` the same effects are applied again: then this runs again, with the time of the newer request.
    return (effects, { origin: { sent } }) => {
      const { engine } = this.#core;
      const slot = engine.store.slots.get(call.slotKey);
      // effects do not contain rows that validation has refused: while there are such rows, note no tag
      if (slot && Quarantine.of(engine).isEmpty)
        this.#bySlot.set(slot, { ...exchange, slot, tag, headers, taken, effects, sent });
    };
  }
}
