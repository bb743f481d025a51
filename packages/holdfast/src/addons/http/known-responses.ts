// The stored responses that have an entity tag, by slot. `KnownResponses` decides which request may use which tag, and whether a
// stored response may be used in place of a new one. A tag is forgotten together with its slot, and at a reset.
import type { EndpointCall } from '../../dispatch/call.ts';
import type { ExtensionHost } from '../../dispatch/extension.ts';
import type { Flight } from '../../dispatch/flights.ts';
import type { EndpointInterface } from '../../endpoint/endpoint-interface.ts';
import { RestPipeline } from '../../endpoint/rest-pipeline.ts';
import { hasRefusedRows } from '../validate/refused-rows.ts';
import type { AfterWrite } from '../../store/effects.ts';
import type { Slot } from '../../store/slot.ts';
import { isSameTag, readTag } from './entity-tag.ts';
import { namesOfReadHeaders } from './read-headers.ts';
import { readDirectives, hasVaryStar } from './expiry-headers.ts';
import { isRepeatable, isUntouched } from './untouched.ts';
import type { CachedResponse } from './untouched.ts';

/** The HTTP exchange to which a response belongs. */
export interface Exchange {
  readonly url: string;
  readonly origin: string;
  /** The `Authorization` header of the request. A response is not reused for a request with another `Authorization` header. */
  readonly authorization: string | null;
}

/** A stored response with its tag. */
export interface KnownResponse extends CachedResponse, Exchange {
  readonly tag: string;
  /** The schema of the endpoint. With another schema, the same body may be stored with other fields. */
  readonly schema: unknown;
  readonly headers: Headers;
  /** The headers that the endpoint has used besides the body, with their values. */
  readonly headersUsed: readonly (readonly [name: string, value: string | null])[];
}

/** Matches a local id in a key. When the row gets its id from the server, the same call requests another address. */
const LOCAL_ID_IN_KEY = /local(:|%3A)/i;

export class KnownResponses {
  readonly #core: ExtensionHost;
  readonly #bySlot = new WeakMap<Slot, KnownResponse>();

  constructor(core: ExtensionHost) {
    this.#core = core;
  }

  /** The stored response that may be reused if the server responds to this exchange with the same tag. */
  findReusable(call: EndpointCall, { url, authorization }: Exchange): KnownResponse | undefined {
    const slot = this.#core.engine.store.slots.get(call.slotKey);
    const known = slot && this.#bySlot.get(slot);
    const isAlike =
      known?.url === url && known.authorization === authorization && known.schema === call.endpoint.schema;
    return isAlike && this.mayReuse(call.endpoint) && isUntouched(this.#core, call, known)
      ? known
      : undefined;
  }

  /**
   * True if a new response equals the stored response: it has the same tag, and the same values of the headers that the endpoint
   * has used. The stored response must be unchanged in the store.
   */
  isSameResponse(call: EndpointCall, known: KnownResponse, { headers }: Response): boolean {
    const haveSameHeaders = known.headersUsed.every(([name, value]) => headers.get(name) === value);
    return isSameTag(known.tag, readTag(headers)) && haveSameHeaders && isUntouched(this.#core, call, known);
  }

  /** Called after "not modified". Makes the controller apply the stored response again. Returns false if that is impossible. */
  applyAgain(flight: Flight, known: KnownResponse): boolean {
    const { slot, effects } = known;
    const isThere = this.#core.engine.store.slots.get(flight.call.slotKey) === slot;
    if (!isThere || !isRepeatable(this.#core, flight, known)) return false;
    // Another response may have replaced these effects in the slot. The effects are put back and applied again; stamps then decide
    // which data is newer.
    slot.effects = effects;
    return true;
  }

  /**
   * True when responses of the endpoint may be reused by their tags: the library itself sends one GET and parses its JSON or text,
   * so that an equal tag means equal data. A list with pages is excluded, because the tag of one page says nothing about the
   * other loaded pages.
   */
  mayReuse(endpoint: EndpointInterface): boolean {
    const { fetch, fetchResponse, parseResponse } = RestPipeline.prototype;
    if (!(endpoint instanceof RestPipeline)) return false;
    const isOurs =
      endpoint.fetch === fetch &&
      endpoint.fetchResponse === fetchResponse &&
      endpoint.parseResponse === parseResponse;
    const isData = [undefined, 'json', 'text'].includes(endpoint.content);
    return isOurs && isData && endpoint.method === 'GET' && !endpoint.pages && !endpoint.listKey;
  }

  /** Returns a function that notes the tag when the response is stored; undefined if the response cannot be reused. */
  createNote(call: EndpointCall, response: Response, exchange: Exchange): AfterWrite | undefined {
    const { status, headers, redirected } = response;
    const { schema } = call.endpoint;
    const tag = readTag(headers);
    const isNoStore = readDirectives(headers.get('cache-control') ?? '').has('no-store');
    if (tag === undefined || status !== 200 || redirected || isNoStore || hasVaryStar(headers))
      return undefined;
    if (LOCAL_ID_IN_KEY.test(call.key)) return undefined;
    const headersUsed = namesOfReadHeaders(response).map((name) => [name, headers.get(name)] as const);
    // This function runs again when `applyAgain` has caused the effects to be applied again, and it then gets the time of the newer
    // request.
    return (effects, { origin: { sent } }) => {
      const { engine } = this.#core;
      const slot = engine.store.slots.get(call.slotKey);
      // If validation has refused rows, the effects lack these rows and are not the whole response. So no tag is noted while the
      // controller has a report of any refused row.
      if (slot && !hasRefusedRows(engine))
        this.#bySlot.set(slot, { ...exchange, slot, tag, schema, headers, headersUsed, effects, sent });
    };
  }
}
