// The stored answers whose tags are known, by slot: which request may ask with which tag, and whether the answer still stands. A
// slot that is forgotten takes its tag with it; so does a reset. Writes that send a precondition will look their tag up here.
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

/** The exchange that an answer came of. */
export interface Exchange {
  readonly url: string;
  readonly origin: string;
  /** Who asked: another user's answer is another one, whatever its tag. */
  readonly authorization: string | null;
}

/** A stored answer with its tag. */
export interface KnownResponse extends CachedResponse, Exchange {
  readonly tag: string;
  /** Those that it came with. */
  readonly headers: Headers;
  /** The headers that went into the answer beside its body, with their values. */
  readonly taken: readonly (readonly [name: string, value: string | null])[];
}

/** A row of the server's has no such name, so what was asked by one may mean another address now. */
const LOCAL_ID_IN_KEY = /local(:|%3A)/i;

export class KnownResponses {
  readonly #core: Core;
  readonly #bySlot = new WeakMap<Slot, KnownResponse>();

  constructor(core: Core) {
    this.#core = core;
  }

  /** The answer that a request of this address may have again. */
  find(call: EndpointCall, { url, authorization }: Exchange): KnownResponse | undefined {
    const slot = this.#core.engine.store.slots.get(call.slotKey);
    const known = slot && this.#bySlot.get(slot);
    const isAlike = known?.url === url && known.authorization === authorization;
    return isAlike && this.mayHold(call.endpoint) && isUntouched(this.#core, call, known) ? known : undefined;
  }

  /** Whether a response brings the answer that the store holds. */
  isSame(call: EndpointCall, known: KnownResponse, { headers }: Response): boolean {
    const isSameTaken = known.taken.every(([name, value]) => headers.get(name) === value);
    return isSameTag(known.tag, readTag(headers)) && isSameTaken && isUntouched(this.#core, call, known);
  }

  /** "Not modified" has come: sees to it that the controller does again what this answer did. False where that cannot be. */
  restore(flight: Flight, known: KnownResponse): boolean {
    const { slot, effects } = known;
    const isThere = this.#core.engine.store.slots.get(flight.call.slotKey) === slot;
    if (!isThere || !isRepeatable(this.#core, flight, known)) return false;
    // another answer may have come meanwhile, and this one may be later or earlier than that
    slot.effects = effects;
    return true;
  }

  /**
   * Whether answers of an endpoint are kept by their tags: those that one exchange makes and the library itself reads, so that
   * body and tag are all there is to them. One of the loaded pages of a list says nothing of the others.
   */
  mayHold(endpoint: EndpointInterface): boolean {
    const { fetch, fetchResponse, parseResponse } = RestPipeline.prototype;
    const own = endpoint as unknown as Partial<RestPipeline>; // cast: asking is the check
    const isOurs =
      own.fetch === fetch && own.fetchResponse === fetchResponse && own.parseResponse === parseResponse;
    const isData = own.content === undefined || own.content === 'json' || own.content === 'text';
    return isOurs && isData && own.method === 'GET' && !endpoint.pages && !endpoint.listKey;
  }

  /** What notes the answer when it is stored; undefined where it cannot be known by a tag. */
  noteOf(
    call: EndpointCall,
    response: Response,
    exchange: Exchange,
  ): ((effects: Effects, lists: ServerLists) => void) | undefined {
    const { status, headers, redirected } = response;
    const tag = readTag(headers);
    const isForgotten = readDirectives(headers.get('cache-control') ?? '').has('no-store');
    if (tag === undefined || status !== 200 || redirected || isForgotten || variesAlways(headers))
      return undefined;
    if (LOCAL_ID_IN_KEY.test(call.key)) return undefined;
    const taken = headersTaken(response).map((name) => [name, headers.get(name)] as const);
    // called again whenever the same effects are applied again, with the time of the newer request
    return (effects, { origin: { sent } }) => {
      const { engine } = this.#core;
      const slot = engine.store.slots.get(call.slotKey);
      // a row that its checks have refused has left no trace in the effects
      if (slot && Quarantine.of(engine).isEmpty)
        this.#bySlot.set(slot, { ...exchange, slot, tag, headers, taken, effects, sent });
    };
  }
}
