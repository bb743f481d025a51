// Stands around a controller's sender and its engine's door for answers, and does what headers say. A request gets a `fetch` that waits
// at the gate, asks with the tag that is known, and hands on "not modified" in place of an answer that the store holds already; the
// controller knows what to do with that. The answer's lifetime is written into its stamp before anything is stored with it.
import type { Core } from '../../controller/state/core.ts';
import type { Flight } from '../../dispatch/flights.ts';
import type { NetworkRequest, Send } from '../../dispatch/manager.ts';
import { withHeaders } from '../../endpoint/run-request.ts';
import type { RequestOutcome } from '../../endpoint/run-request.ts';
import type { Engine } from '../../normalize/engine.ts';
import type { Origin, Stamp } from '../../store/stamp.ts';
import { currentAddress } from '../../support/environment.ts';
import type { Environment } from '../../support/environment.ts';
import { AbortError } from '../../support/network-errors.ts';
import { parseAddress } from '../../support/origin.ts';
import { headersTaken } from './headers-read.ts';
import { warnIfHidden } from './hidden-headers.ts';
import type { HttpRules } from './options.ts';
import { KnownResponses } from './known-responses.ts';
import type { Exchange, KnownResponse } from './known-responses.ts';
import { readLifetime, renewHeaders } from './lifetime.ts';
import type { ExchangeTimes } from './lifetime.ts';
import { isBusy } from './retry-gate.ts';
import type { RetryGate } from './retry-gate.ts';

/** When the answer to a flight is old, by its server. */
interface Dating {
  /** The sending of the flight that it is about. */
  readonly sent: number;
  readonly expiresAt: number;
  readonly lifetimeMs: number;
  /** Whether the endpoint's own lifetime counts where that is shorter. */
  readonly isBounded: boolean;
}

/** One sending of a request. It is several exchanges where other managers repeat it. */
interface HttpSending {
  readonly request: NetworkRequest;
  /** Whether an answer with a known tag need not be read. */
  readonly mayKnow: boolean;
  readonly flight: Flight | undefined;
  readonly times: WeakMap<Response, ExchangeTimes>;
  /** The last exchange: where a request is repeated, the one that the answer came of. */
  exchange: Exchange | undefined;
  /** The stored answer that "not modified" stands for. */
  unread: KnownResponse | undefined;
}

export class HttpSender {
  readonly #core: Core;
  readonly #rules: HttpRules;
  readonly #gate: RetryGate;
  readonly #known: KnownResponses;
  readonly #datings = new WeakMap<Flight, Dating>();

  /** Called when the controller is made: nothing is stored yet, and nothing was sent. */
  constructor(core: Core, rules: HttpRules, gate: RetryGate) {
    this.#core = core;
    this.#rules = rules;
    this.#gate = gate;
    this.#known = new KnownResponses(core);
    const { createEngine, engine, send } = core;
    core.send = (request) => this.#send(request, send);
    core.createEngine = () => this.#hear(createEngine());
    this.#hear(engine);
  }

  async #send(request: NetworkRequest, send: Send): Promise<RequestOutcome> {
    const flight = request.isRead ? flightOf(this.#core, request.signal) : undefined;
    const start = (mayKnow: boolean): HttpSending => {
      return { request, mayKnow, flight, times: new WeakMap(), exchange: undefined, unread: undefined };
    };
    let sending = start(this.#rules.validators !== false);
    let outcome = await send(this.#through(sending));
    const { unread } = sending;
    if (flight && unread && outcome.isNotModified && !this.#known.restore(flight, unread)) {
      // what it stood for is not there any more: now the body is wanted
      sending = start(false);
      outcome = await send(this.#through(sending));
    }
    if (!flight) return outcome;
    this.#date(sending, flight, outcome);
    return this.#remember(sending, flight, outcome);
  }

  /** The request with a `fetch` that passes through here. */
  #through(sending: HttpSending): NetworkRequest {
    const { request } = sending;
    const fetch: Environment['fetch'] = (input, init) => this.#exchange(sending, input, init);
    return { ...request, environment: { ...request.environment, fetch } };
  }

  async #exchange(sending: HttpSending, input: string, init: RequestInit = {}): Promise<Response> {
    const { request, mayKnow, flight, times } = sending;
    const { endpoint, environment } = request;
    const { engine } = this.#core;
    const { retryAfter, validators } = this.#rules;
    const url = String(input);
    const origin = parseAddress(url, currentAddress())?.origin ?? '';
    const signal = init.signal ?? request.signal;
    const passing = retryAfter ? this.#gate.pass(origin, environment, signal) : undefined;
    if (passing) {
      const refusal = await passing;
      if (refusal) return refusal;
      if (signal.aborted) throw new AbortError({ method: init.method ?? 'GET', url });
    }
    const given = new Headers(init.headers);
    sending.exchange = { url, origin, authorization: given.get('authorization') };
    sending.unread = undefined;
    // an endpoint that asks conditionally by itself knows what it does
    const mayRequest = mayKnow && flight && !given.has('if-none-match');
    const known = mayRequest ? this.#known.find(flight.call, sending.exchange) : undefined;
    // "not modified" does not tell whether the headers are that an answer has taken
    const isConditional = known !== undefined && validators === 'send' && known.taken.length === 0;
    const requested = isConditional ? withHeaders(init, { 'If-None-Match': known.tag }, endpoint.name) : init;
    const requestedAt = environment.clock.now();
    const response = await environment.fetch(input, requested);
    const at = { requestedAt, respondedAt: environment.clock.now() };
    times.set(response, at);
    if (retryAfter && isBusy(response.status)) {
      this.#gate.noteResponse(origin, response, environment);
      warnIfHidden(engine, origin, response, 'Retry-After');
    }
    if (isConditional && response.status === 304) sending.unread = known;
    const isSame =
      known && flight && response.status === 200 && this.#known.isSame(flight.call, known, response);
    if (!isSame) return response;
    sending.unread = known;
    // the rest of the body is not wanted; that it cannot be called off is no failure
    void response.body?.cancel().catch(() => undefined);
    const unread = new Response(null, { status: 304, headers: response.headers });
    times.set(unread, at);
    return unread;
  }

  /** Notes when the answer is old. Of several exchanges for one answer, as for pages that are read as one, the shortest counts. */
  #date({ times, exchange, unread }: HttpSending, flight: Flight, { response }: RequestOutcome): void {
    const { engine, environment } = this.#core;
    const { expiry } = this.#rules;
    const { sent } = flight;
    const now = environment.clock.now();
    const at = (response && times.get(response)) ?? { requestedAt: now, respondedAt: now };
    const headers = unread && response ? renewHeaders(unread.headers, response.headers) : response?.headers;
    const stated = headers && expiry ? readLifetime(headers, at) : undefined;
    if (exchange && response && stated?.leftMs && !stated.isAgeKnown)
      warnIfHidden(engine, exchange.origin, response, 'Date');
    const lifetimeMs = stated?.leftMs ?? Infinity;
    const isBounded = expiry === 'shorter' || stated?.isAgeKnown !== true;
    const dating: Dating = { sent, expiresAt: at.respondedAt + lifetimeMs, lifetimeMs, isBounded };
    const before = this.#datings.get(flight);
    const other = before?.sent === sent ? before : dating;
    const shorter = other.expiresAt < dating.expiresAt ? other : dating;
    this.#datings.set(flight, { ...shorter, isBounded: dating.isBounded || other.isBounded });
  }

  /** Has the tag noted when the answer is stored. */
  #remember({ exchange }: HttpSending, { call }: Flight, outcome: RequestOutcome): RequestOutcome {
    const { engine } = this.#core;
    const { response, finish } = outcome;
    if (!exchange || response?.status !== 200) return outcome;
    const [taken] = headersTaken(response);
    if (taken) warnIfHidden(engine, exchange.origin, response, taken);
    if (!this.#rules.validators || finish || !this.#known.mayHold(call.endpoint)) return outcome;
    warnIfHidden(engine, exchange.origin, response, 'ETag');
    const note = this.#known.noteOf(call, response, exchange);
    return note ? { ...outcome, finish: note as RequestOutcome['finish'] } : outcome; // cast: opaque to endpoints
  }

  /** Sees to it that answers are stored with the lifetime that was noted. */
  #hear(engine: Engine): Engine {
    const apply = engine.apply.bind(engine);
    engine.apply = (effects, origin) => {
      if (origin.isRead) this.#stamp(origin);
      apply(effects, origin);
    };
    return engine;
  }

  #stamp({ sent, stamp }: Origin): void {
    for (const flight of this.#core.flights.reads) {
      const dating = this.#datings.get(flight);
      if (dating?.sent !== sent) continue;
      const { expiresAt, lifetimeMs, isBounded } = dating;
      if (isBounded && stamp.expiresAt <= expiresAt) return;
      // made for this answer, and nothing has it yet
      Object.assign(stamp, { expiresAt, lifetimeMs } satisfies Partial<Stamp>);
    }
  }
}

function flightOf({ flights }: Core, signal: AbortSignal): Flight | undefined {
  for (const flight of flights.reads) if (flight.aborter.signal === signal) return flight;
  return undefined;
}
