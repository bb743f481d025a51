// The extension of HttpSemantics for one controller. The `fetch` of each request first waits while the server's `Retry-After`
// blocks it (retry-gate.ts). A read may send the tag of its stored response, and resolves with "not modified" while that response
// is still valid. For a mutation, `fetch` adds preconditions. Before a response is stored, the expiry time that its headers give
// is written into its stamp.
import { inDevelopment } from '#env';
import type { Core } from '../../controller/state/core.ts';
import type { ExtensionParts, SendFlight, WriteEvent } from '../../dispatch/extension.ts';
import type { Flight } from '../../dispatch/flights.ts';
import type { NetworkRequest } from '../../dispatch/network-request.ts';
import { rowsAmong, targetsOfCall } from '../../dispatch/write-queues.ts';
import { withHeaders } from '../../endpoint/run-request.ts';
import type { RequestOutcome } from '../../endpoint/run-request.ts';
import type { Effects } from '../../store/effects.ts';
import type { Stamp } from '../../store/order.ts';
import { currentAddress } from '../../support/environment.ts';
import type { Environment } from '../../support/environment.ts';
import { AbortError } from '../../support/network-errors.ts';
import { parseAddress } from '../../support/origin.ts';
import { isPlain } from '../../support/plain.ts';
import { rowOf } from '../../store/stored-form.ts';
import type { Ancestry } from './ancestry.ts';
import type { OpenConflicts } from './open-conflicts.ts';
import { AddressTags, strongTagOf } from './address-tags.ts';
import { namesOfReadHeaders } from './read-headers.ts';
import { warnIfHidden } from './hidden-headers.ts';
import type { HttpRules } from './options.ts';
import { KnownResponses } from './known-responses.ts';
import type { Exchange, KnownResponse } from './known-responses.ts';
import { decidePreconditions } from './preconditions.ts';
import type { WriteSending } from './preconditions.ts';
import { pauseFlight } from './read-row.ts';
import { readExpiry, renewHeaders } from './expiry-headers.ts';
import type { ExchangeTimes } from './expiry-headers.ts';
import { isBusyStatus } from './retry-gate.ts';
import type { RetryGate } from './retry-gate.ts';
import { WriteSender } from './write-sender.ts';
import type { WriteSenderContext } from './write-sender.ts';

/** When the response of a flight expires according to its headers. */
interface ServerExpiry {
  /** `Flight.sent` of the request. A flight that is sent again has another time, so this expiry does not apply to it. */
  readonly sent: number;
  readonly expiresAt: number;
  readonly expiryMs: number;
  /** True when the endpoint's own expiry time counts if it is shorter. */
  readonly isLimitedByEndpoint: boolean;
}

/** One `send` of the controller, which is several HTTP requests if another manager repeats it. */
interface HttpSending {
  readonly request: NetworkRequest;
  /** True when a known tag may be sent, and the body of a response with that tag may stay unread. */
  readonly mayUseTags: boolean;
  readonly flight: Flight;
  /** The state of a mutation's sending; undefined for a read. */
  readonly write: WriteSending | undefined;
  /** The last exchange that was sent to the server. If a request is repeated, the last response counts. */
  exchange?: Exchange;
  /** The stored response that the last exchange has confirmed as "not modified"; undefined if it has confirmed none. */
  confirmed?: KnownResponse | undefined;
}

/** The last exchange of a flight, with its response. */
interface ExchangeEnd {
  readonly exchange: Exchange;
  readonly response: Response;
  /** Whether the request had a precondition that preconditions.ts has added. */
  readonly isProtected: boolean;
}

/**
 * The statuses that mean: the server has stored the row with the values of its response or, if the response is empty, of the
 * request.
 */
const STORED_STATUSES = [200, 201, 204];

export class HttpSender implements ExtensionParts {
  readonly #core: Core;
  readonly #rules: HttpRules;
  readonly #gate: RetryGate;
  readonly #knownResponses: KnownResponses;
  readonly #serverExpiries = new WeakMap<Flight, ServerExpiry>();
  readonly #ends = new WeakMap<Flight, ExchangeEnd>();
  readonly #times = new WeakMap<Response, ExchangeTimes>();

  readonly #writes: WriteSenderContext;

  constructor(core: Core, rules: HttpRules, gate: RetryGate, open: OpenConflicts, ancestry: Ancestry) {
    this.#core = core;
    this.#rules = rules;
    this.#gate = gate;
    this.#knownResponses = new KnownResponses(core);
    this.#writes = { core, rules, tags: new AddressTags(core), open, ancestry };
  }

  async sendFlight(request: NetworkRequest, flight: Flight, next: SendFlight): Promise<RequestOutcome> {
    const start = (mayUseTags: boolean, write?: WriteSending): HttpSending => ({
      request: write?.request ?? request,
      mayUseTags,
      flight,
      write,
    });
    if (!request.isRead)
      return new WriteSender(this.#writes, request, flight, (write) =>
        next(this.#withExchange(start(false, write)), flight),
      ).run();
    let sending = start(this.#rules.validators !== false);
    let outcome = await next(this.#withExchange(sending), flight);
    const { confirmed } = sending;
    if (confirmed && outcome.isNotModified && !this.#knownResponses.applyAgain(flight, confirmed)) {
      // The stored response cannot be applied again, so the request is repeated without a tag, to get the body.
      sending = start(false);
      outcome = await next(this.#withExchange(sending), flight);
    }
    this.#noteExpiry(sending, flight, outcome);
    this.#setTagNote(sending, flight, outcome);
    return outcome;
  }

  #withExchange(sending: HttpSending): NetworkRequest {
    const { request } = sending;
    const fetch: Environment['fetch'] = (input, init) => this.#exchange(sending, input, init);
    return { ...request, environment: { ...request.environment, fetch } };
  }

  async #exchange(sending: HttpSending, input: string, init: RequestInit = {}): Promise<Response> {
    const { request, mayUseTags, flight, write } = sending;
    const { endpoint, environment } = request;
    const { engine } = this.#core;
    const { retryAfter, validators } = this.#rules;
    const url = String(input);
    const origin = parseAddress(url, currentAddress())?.origin ?? '';
    const signal = init.signal ?? request.signal;
    const passing = retryAfter ? this.#gate.waitUntilOpen(origin, environment, signal) : undefined;
    if (passing) {
      const refusal = await passing;
      if (refusal) return refusal;
      if (signal.aborted) throw new AbortError({ method: init.method ?? 'GET', url });
    }
    const given = new Headers(init.headers);
    const exchange = { url, origin, authorization: given.get('authorization') };
    sending.confirmed = undefined;
    const preconditions = write ? decidePreconditions(this.#writes, write, exchange, given) : {};
    // The row must be read, or the mutation must be judged again, before the mutation is sent. This status, by which servers
    // require preconditions, makes WriteSender do that.
    if (!preconditions) {
      // If no attempt has left, the mutation was not sent, and the inspector does not show it as sent.
      if (!sending.exchange) pauseFlight(this.#core, flight);
      return new Response(null, { status: 428 });
    }
    sending.exchange = exchange;
    // An endpoint that sends `If-None-Match` also handles the 304 response itself.
    const mayUseTag = mayUseTags && !given.has('if-none-match');
    const known = mayUseTag ? this.#knownResponses.findReusable(flight.call, exchange) : undefined;
    // The tag is not sent if the endpoint uses headers: a 304 response may omit them, so that their change would go unnoticed.
    const isConditional = known !== undefined && validators === 'send' && known.headersUsed.length === 0;
    const extra = isConditional ? { 'If-None-Match': known.tag } : preconditions;
    const sentInit = withHeaders(init, extra, endpoint.name);
    const requestedAt = environment.clock.now();
    const response = await environment.fetch(input, sentInit);
    const exchangeTimes = { requestedAt, respondedAt: environment.clock.now() };
    this.#times.set(response, exchangeTimes);
    const isProtected = write?.condition === 'ours';
    this.#ends.set(flight, { exchange, response, isProtected });
    if (retryAfter) this.#gate.closeIfBusy(origin, response, environment);
    inDevelopment(() => {
      if (this.#rules.preconditions && response.ok) warnIfHidden(engine, origin, response, 'ETag');
      if (retryAfter && isBusyStatus(response.status)) warnIfHidden(engine, origin, response, 'Retry-After');
    });
    if (isConditional && response.status === 304) sending.confirmed = known;
    const isSame =
      known && response.status === 200 && this.#knownResponses.isSameResponse(flight.call, known, response);
    if (!isSame) return response;
    sending.confirmed = known;
    // The body is not needed, so an error while it is cancelled is ignored.
    void response.body?.cancel().catch(() => undefined);
    const unread = new Response(null, { status: 304, headers: response.headers });
    this.#times.set(unread, exchangeTimes);
    return unread;
  }

  /** Notes when the response expires. If one flight sends several requests, for a list with pages, the earliest expiry counts. */
  #noteExpiry({ exchange, confirmed }: HttpSending, flight: Flight, { response }: RequestOutcome): void {
    const { engine, environment } = this.#core;
    const { expiry } = this.#rules;
    const { sent } = flight;
    const now = environment.clock.now();
    const exchangeTimes = (response && this.#times.get(response)) ?? { requestedAt: now, respondedAt: now };
    const headers =
      confirmed && response ? renewHeaders(confirmed.headers, response.headers) : response?.headers;
    const stated = headers && expiry ? readExpiry(headers, exchangeTimes) : undefined;
    inDevelopment(() => {
      if (exchange && response && stated?.freshForMs && !stated.isAgeKnown)
        warnIfHidden(engine, exchange.origin, response, 'Date');
    });
    const expiryMs = stated?.freshForMs ?? Infinity;
    const isLimitedByEndpoint = expiry === 'shorter' || stated?.isAgeKnown !== true;
    const serverExpiry: ServerExpiry = {
      sent,
      expiresAt: exchangeTimes.respondedAt + expiryMs,
      expiryMs,
      isLimitedByEndpoint,
    };
    const before = this.#serverExpiries.get(flight);
    const other = before?.sent === sent ? before : serverExpiry;
    const shorter = other.expiresAt < serverExpiry.expiresAt ? other : serverExpiry;
    this.#serverExpiries.set(flight, {
      ...shorter,
      isLimitedByEndpoint: isLimitedByEndpoint || other.isLimitedByEndpoint,
    });
  }

  /** Makes the flight note the tag when the response is stored. */
  #setTagNote({ exchange }: HttpSending, flight: Flight, { response }: RequestOutcome): void {
    const { engine } = this.#core;
    const { call } = flight;
    if (!exchange || response?.status !== 200) return;
    inDevelopment(() => {
      const [preferred] = namesOfReadHeaders(response);
      if (preferred) warnIfHidden(engine, exchange.origin, response, preferred);
    });
    if (!this.#rules.validators || !this.#knownResponses.mayReuse(call.endpoint)) return;
    inDevelopment(() => warnIfHidden(engine, exchange.origin, response, 'ETag'));
    const note = this.#knownResponses.createNote(call, response, exchange);
    if (note) flight.afterWrites.push(note);
  }

  /**
   * With preconditions, notes the tag of a row that was read, and forgets the tags of the rows in the response to a mutation. With
   * conflict rules, passes the response to a mutation on to `ancestry`, unless another client may have changed the row too. Unless
   * the endpoint's own expiry time counts, writes the time of `#noteExpiry` into the stamp, which belongs to this response alone.
   */
  beforeStore(effects: Effects, stamp: Stamp, flight: Flight | undefined): undefined {
    const { conflicts, preconditions } = this.#rules;
    const { ancestry, tags } = this.#writes;
    const last = flight && this.#ends.get(flight);
    // If the response has a tag, but the mutation was sent without a precondition, another client may have changed the row too.
    // Such a response does not count as the work of this client alone.
    const isOwn = last && (last.isProtected || strongTagOf(last.response) === undefined);
    if (conflicts && isOwn && !flight.isRead) ancestry.noteResponse(flight, effects);
    if (preconditions && flight?.isRead === false) for (const row of effects.rows) tags.noteWrite(row);
    const { stored } = effects;
    // Only the tag of a response with one row, bare or in an envelope, is the tag of a row: a list contains no tags of its rows.
    const [row, other] = (isPlain(stored) ? Object.values(stored) : [stored]).flatMap(
      (part) => rowOf(part) ?? [],
    );
    if (preconditions && last && flight.isRead && row && !other)
      tags.noteRead(row, last.exchange, strongTagOf(last.response), stamp.sent);
    const serverExpiry = flight && this.#serverExpiries.get(flight);
    if (serverExpiry?.sent !== stamp.sent) return;
    const { expiresAt, expiryMs, isLimitedByEndpoint } = serverExpiry;
    if (isLimitedByEndpoint && stamp.expiresAt <= expiresAt) return;
    Object.assign(stamp, { expiresAt, expiryMs } satisfies Partial<Stamp>);
  }

  /**
   * Passes calls, failures, acknowledgements and discarded mutations on to `ancestry`. After an amendment, the question about the
   * mutation is outdated. After an acknowledgement with preconditions, the old tags of the mutation's rows are forgotten, and for a
   * PUT or PATCH of one row the tag of the response is noted.
   */
  onWrite(flight: Flight, event: WriteEvent, error?: Error): void {
    const { conflicts, preconditions } = this.#rules;
    const { ancestry, open, tags } = this.#writes;
    if (!conflicts) return; // with preconditions there are rules
    if (event === 'amend') open.outdate(flight);
    if (event === 'open') ancestry.noteOpened(flight);
    if (event === 'fail') ancestry.noteFailed(flight, error, this.#ends.has(flight));
    // A transaction discards also mutations that are sent: these end later.
    if (event === 'discard' && !flight.status) ancestry.noteEnded(flight);
    if (event !== 'acknowledge') return;
    ancestry.noteAcknowledged(flight);
    if (!preconditions) return;
    const end = this.#ends.get(flight);
    const rows = rowsAmong(targetsOfCall(this.#core.engine, flight.call));
    const isTagged = rows.length === 1 && /^(PUT|PATCH)$/.test(flight.call.endpoint.method ?? '');
    const tagged = isTagged && end && STORED_STATUSES.includes(end.response.status) ? end : undefined;
    for (const row of rows) tags.noteWrite(row, tagged?.exchange, tagged && strongTagOf(tagged.response));
  }
}
