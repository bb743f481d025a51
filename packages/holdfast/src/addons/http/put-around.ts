// Puts the rules of HTTP around a controller's sender and its engine's door for answers. A request gets a `fetch` that waits at the
// gate, asks with the tag that is known, and hands on "not modified" in place of an answer that the store holds already; the
// controller knows what to do with that. The answer's lifetime is written into its stamp before anything is stored with it.
import type { Core } from '../../controller/state/core.ts';
import type { Flight } from '../../dispatch/flights.ts';
import type { NetworkRequest } from '../../dispatch/manager.ts';
import { withHeaders } from '../../endpoint/run-request.ts';
import type { RequestOutcome } from '../../endpoint/run-request.ts';
import type { Engine } from '../../normalize/engine.ts';
import type { Stamp } from '../../store/stamp.ts';
import type { Environment } from '../../support/environment.ts';
import { currentAddress } from '../../support/environment.ts';
import { parseAddress } from '../../support/origin.ts';
import { headersTaken } from './headers-read.ts';
import { warnIfHidden } from './hidden-headers.ts';
import type { HttpRules } from './http-options.ts';
import { KnownAnswers } from './known-answers.ts';
import type { Exchange, KnownAnswer } from './known-answers.ts';
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
interface Sending {
  readonly request: NetworkRequest;
  readonly flight: Flight | undefined;
  readonly times: WeakMap<Response, ExchangeTimes>;
  /** The last exchange: where a request is repeated, the one that the answer came of. */
  exchange: Exchange | undefined;
  /** The stored answer that "not modified" stands for. */
  unread: KnownAnswer | undefined;
}

export function putAround(core: Core, rules: HttpRules, gate: RetryGate): void {
  const { createEngine, send } = core;
  const datings = new WeakMap<Flight, Dating>();
  const known = new KnownAnswers(core);

  core.send = async (request) => {
    const flight = request.isRead ? flightOf(core, request.signal) : undefined;
    const sending = prepare(request, flight);
    let outcome = await send(withFetch(sending, rules.validators !== false));
    // what it stood for has changed since: now the body is wanted
    if (outcome.isNotModified && sending.unread && !known.isUsable(flight!.ask, sending.unread))
      outcome = await send(withFetch(Object.assign(sending, prepare(request, flight)), false));
    if (!flight) return outcome;
    date(sending, flight, outcome);
    return remember(sending, flight, outcome);
  };

  const withFetch = (sending: Sending, mayKnow: boolean): NetworkRequest => {
    const { request } = sending;
    const environment: Environment = {
      ...request.environment,
      fetch: (input, init) => exchange(sending, mayKnow, input, init),
    };
    return { ...request, environment };
  };

  const exchange = async (
    sending: Sending,
    mayKnow: boolean,
    input: string,
    init: RequestInit = {},
  ): Promise<Response> => {
    const { request, flight, times } = sending;
    const { environment } = request;
    const url = String(input);
    const origin = parseAddress(url, currentAddress())?.origin ?? '';
    const passing = rules.retryAfter ? gate.pass(origin, environment, init.signal ?? request.signal) : undefined;
    const refusal = passing && (await passing);
    if (refusal) return refusal;
    const given = new Headers(init.headers);
    const authorization = given.get('authorization');
    sending.exchange = { url, origin, authorization };
    sending.unread = undefined;
    // an endpoint that asks conditionally by itself knows what it does
    const mayAsk = mayKnow && flight && !given.has('if-none-match');
    const answer = mayAsk ? known.find(flight.ask, sending.exchange) : undefined;
    // "not modified" does not tell whether such headers are
    const isTold = answer !== undefined && rules.validators === 'send' && answer.taken.length === 0;
    const asked = isTold ? withHeaders(init, { 'If-None-Match': answer.tag }, request.endpoint.name) : init;
    const askedAt = environment.clock.now();
    const response = await environment.fetch(input, asked);
    const at = { askedAt, answeredAt: environment.clock.now() };
    times.set(response, at);
    if (rules.retryAfter) {
      gate.hear(origin, response, environment);
      if (isBusy(response.status)) warnIfHidden(core.engine, origin, response, 'Retry-After');
    }
    if (isTold && response.status === 304) sending.unread = answer;
    if (!answer || !flight || response.status !== 200 || !known.isSame(flight.ask, answer, response))
      return response;
    sending.unread = answer;
    // the rest of the body is not wanted; that it cannot be called off is no failure
    void Promise.resolve(response.body?.cancel?.()).catch(() => undefined);
    const unread = new Response(null, { status: 304, headers: response.headers });
    times.set(unread, at);
    return unread;
  };

  /** Notes when the answer is old. Of several exchanges for one answer, as for pages that are read as one, the shortest counts. */
  const date = ({ times, exchange: of, unread }: Sending, flight: Flight, { response }: RequestOutcome): void => {
    const { sent } = flight;
    const now = core.environment.clock.now();
    const at = (response && times.get(response)) ?? { askedAt: now, answeredAt: now };
    const headers = unread && response ? renewHeaders(unread.headers, response.headers) : response?.headers;
    const stated = headers && rules.expiry ? readLifetime(headers, at) : undefined;
    if (of && response && stated?.leftMs && !stated.isAgeKnown)
      warnIfHidden(core.engine, of.origin, response, 'Date');
    const lifetimeMs = stated?.leftMs ?? Infinity;
    const dating: Dating = {
      sent,
      lifetimeMs,
      expiresAt: at.answeredAt + lifetimeMs,
      isBounded: rules.expiry === 'shorter' || stated?.isAgeKnown !== true,
    };
    const before = datings.get(flight);
    const other = before?.sent === sent ? before : dating;
    const shorter = other.expiresAt < dating.expiresAt ? other : dating;
    datings.set(flight, { ...shorter, isBounded: dating.isBounded || other.isBounded });
  };

  const remember = ({ exchange: of }: Sending, { ask }: Flight, outcome: RequestOutcome): RequestOutcome => {
    const { response, finish, isNotModified } = outcome;
    if (!of || response?.status !== 200) return outcome;
    const [first] = headersTaken(response);
    if (first) warnIfHidden(core.engine, of.origin, response, first);
    if (!rules.validators || isNotModified || finish || !known.mayHold(ask.endpoint)) return outcome;
    warnIfHidden(core.engine, of.origin, response, 'ETag');
    const note = known.noteOf(ask, response, of);
    return note ? { ...outcome, finish: note as RequestOutcome['finish'] } : outcome; // cast: opaque to endpoints
  };

  const hearEngine = (engine: Engine): Engine => {
    const apply = engine.apply.bind(engine);
    engine.apply = (effects, origin) => {
      for (const flight of origin.isRead ? core.flights.reads : []) {
        const dating = datings.get(flight);
        if (dating?.sent !== origin.sent) continue;
        const { expiresAt, lifetimeMs, isBounded } = dating;
        if (isBounded && origin.stamp.expiresAt <= expiresAt) continue;
        // made for this answer, and nothing has it yet
        Object.assign(origin.stamp, { expiresAt, lifetimeMs } satisfies Partial<Stamp>);
      }
      apply(effects, origin);
    };
    return engine;
  };

  hearEngine(core.engine);
  core.createEngine = () => hearEngine(createEngine());
}

function prepare(request: NetworkRequest, flight: Flight | undefined): Sending {
  return { request, flight, times: new WeakMap(), exchange: undefined, unread: undefined };
}

function flightOf({ flights }: Core, signal: AbortSignal): Flight | undefined {
  for (const flight of flights.reads) if (flight.aborter.signal === signal) return flight;
  return undefined;
}
