// The network between the `fetch` of the client and the model server. Sending, handling and delivering are three separate choices
// of the scheduler: requests reach the server, and responses the client, in any order. A request whose end was reported was
// handled before that or never. Faults happen when a request is handled.
import type { Filter, ModelServer, ServerReply } from './model-server.ts';

/** The faults of one exchange. */
export const FAULTS = [
  'lostBefore',
  'lostAfter',
  'abortBefore',
  'abortAfter',
  'silentBefore',
  'silentAfter',
  'html',
  'truncated',
  'malformed',
  'wrongShape',
  'empty',
  '401',
  '409',
  '429',
  '500',
] as const;

/** These, and an error of the server after it has done the request. */
export type Fault = (typeof FAULTS)[number] | '500After';

type Delivery = { response: ServerReply; text: string; type: string } | { failure: Error };

export interface Exchange {
  number: number;
  method: string;
  path: string;
  query: Filter;
  body: unknown;
  /** The stamp of the sending. */
  send: number;
  epoch: number;
  /**
   * Rows of writes whose responses arrived in the same moment: the client decides whether it sent this request before or after
   * them.
   */
  beside: readonly string[];
  phase: 'sent' | 'handled' | 'delivered';
  fault: Fault | undefined;
  /** The client gave up (time limit, reset): it must ignore a later response. */
  ended: boolean;
  /** True when it was decided that a write that the client gives up still arrives. */
  isDecided: boolean;
  handledByServer: boolean;
  /** Stays in flight while everything else continues. */
  isHeld: boolean;
  delivery: Delivery | undefined;
  resolve: (response: Response) => void;
  reject: (error: Error) => void;
}

export function isWrite(exchange: Exchange): boolean {
  return exchange.method !== 'GET';
}

/** The rows of a request: the one in its path, or those in its body. */
export function namedRows({ path, body }: Pick<Exchange, 'path' | 'body'>): string[] {
  const id = path.split('/')[2];
  if (id !== undefined) return [id];
  return Array.isArray(body) ? body.map((row: { id: string }) => row.id) : [];
}

/** True when one request is about many rows. */
export const isMany = ({ body }: Pick<Exchange, 'body'>): boolean => Array.isArray(body);

/** Identity of a read: one request per key and freshness epoch. */
export function exchangeKey(exchange: Exchange): string {
  return `${exchange.method} ${exchange.path} ${JSON.stringify(sorted(exchange.query))}`;
}

export function sorted(filter: Filter): Filter {
  return Object.fromEntries(Object.entries(filter).sort(([one], [two]) => (one < two ? -1 : 1)));
}

export interface NetworkHost {
  server: Pick<ModelServer, 'answer'>;
  /** The next stamp, the epoch of a sending, and the rows that are written in the same moment. */
  stampSend(): Pick<Exchange, 'send' | 'epoch' | 'beside'>;
  onSend(exchange: Exchange): void;
  onEnd(exchange: Exchange): void;
  /** Decides whether an abandoned write still reached the server. */
  chance(): boolean;
}

export class ModelNetwork {
  readonly exchanges: Exchange[] = [];
  online = true;
  /** A fetch that ignores its signal, as some wrappers do. */
  isDeaf = false;
  sentCount = 0;
  #host: NetworkHost;

  constructor(host: NetworkHost) {
    this.#host = host;
  }

  readonly fetch = (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const url = new URL(String(input), 'http://model.test');
    return new Promise((resolve, reject) => {
      const exchange: Exchange = {
        number: ++this.sentCount,
        method: (init?.method ?? 'GET').toUpperCase(),
        path: decodeURI(url.pathname),
        query: Object.fromEntries(url.searchParams),
        body: typeof init?.body === 'string' ? JSON.parse(init.body) : undefined,
        ...this.#host.stampSend(),
        phase: 'sent',
        fault: undefined,
        delivery: undefined,
        ended: false,
        isDecided: false,
        handledByServer: false,
        isHeld: false,
        resolve,
        reject,
      };
      const signal = init?.signal;
      if (signal?.aborted) {
        reject(abortError());
        return;
      }
      signal?.addEventListener('abort', () => this.#abandon(exchange), { once: true });
      this.exchanges.push(exchange);
      if (!this.online) {
        exchange.phase = 'handled';
        exchange.fault = 'lostBefore';
        exchange.delivery = { failure: new TypeError('Failed to fetch') };
      }
      this.#host.onSend(exchange);
    });
  };

  /** Requests that the scheduler may advance by one phase. */
  movable(): Exchange[] {
    return this.exchanges.filter(
      ({ phase, delivery, isHeld }) => !isHeld && (phase === 'sent' || delivery !== undefined),
    );
  }

  /** Releases the requests that were held. */
  release(): void {
    for (const exchange of this.exchanges) exchange.isHeld = false;
  }

  handle(exchange: Exchange, fault: Fault | undefined): void {
    exchange.phase = 'handled';
    exchange.fault = fault;
    if (fault === 'lostBefore' || fault === 'abortBefore' || fault === 'silentBefore' || isStatus(fault)) {
      exchange.delivery = isStatus(fault)
        ? jsonDelivery({ status: Number(fault), value: { error: fault } })
        : failureDelivery(fault);
      return;
    }
    exchange.handledByServer = true;
    exchange.delivery = spoil(this.#host.server.answer(exchange), fault);
  }

  /** Delivers the response (or failure) to the client and removes the exchange. */
  deliver(exchange: Exchange): void {
    exchange.phase = 'delivered';
    this.#forget(exchange);
    const delivery = exchange.delivery!;
    if ('failure' in delivery) exchange.reject(delivery.failure);
    else exchange.resolve(toResponse(delivery));
  }

  /**
   * Called before everything is abandoned: which writes arrive must not depend on the order in which a client ends its requests.
   */
  decideAll(): void {
    for (const exchange of this.exchanges) this.#decide(exchange);
  }

  /**
   * Decides at once whether an abandoned write still arrives: no client could know of a change on the server after it was
   * reported as "unknown".
   */
  #decide(exchange: Exchange): void {
    if (exchange.isDecided || exchange.phase !== 'sent' || !isWrite(exchange)) return;
    exchange.isDecided = true;
    const isFirst = exchange.isHeld || this.movable().includes(exchange);
    if (isFirst && this.#host.chance()) this.handle(exchange, undefined);
  }

  #abandon(exchange: Exchange): void {
    if (exchange.ended || exchange.phase === 'delivered') return;
    exchange.ended = true;
    this.#decide(exchange);
    this.#host.onEnd(exchange);
    if (this.isDeaf && exchange.phase === 'handled' && exchange.delivery) return;
    this.#forget(exchange);
    exchange.reject(abortError());
  }

  #forget(exchange: Exchange): void {
    const index = this.exchanges.indexOf(exchange);
    if (index >= 0) this.exchanges.splice(index, 1);
  }
}

function isStatus(fault: Fault | undefined): boolean {
  return fault !== undefined && /^\d+$/.test(fault);
}

function abortError(): Error {
  return new DOMException('This operation was aborted', 'AbortError');
}

function failureDelivery(fault: Fault | undefined): Delivery | undefined {
  if (fault === undefined) return undefined;
  if (fault.startsWith('lost')) return { failure: new TypeError('Failed to fetch') };
  if (fault.startsWith('abort')) return { failure: abortError() };
  return undefined;
}

export function jsonDelivery(reply: ServerReply): Exclude<Delivery, { failure: Error }> {
  return {
    response: reply,
    text: reply.value === undefined ? '' : JSON.stringify(reply.value),
    type: 'application/json',
  };
}

function spoil(reply: ServerReply, fault: Fault | undefined): Delivery | undefined {
  const clean = jsonDelivery(reply);
  if (fault === '500After') return jsonDelivery({ status: 500, value: { error: 'busy' } });
  if (fault === undefined) return clean;
  // an error response stays one whatever happened to its body
  if (reply.status >= 400) return clean;
  if (fault === 'html') {
    return { response: { status: 200 }, text: '<!doctype html><title>Sign in</title>', type: 'text/html' };
  }
  if (reply.value === undefined) return fault.endsWith('After') ? failureDelivery(fault) : clean;
  if (fault === 'truncated')
    return { ...clean, text: clean.text.slice(0, Math.max(1, clean.text.length >> 1)) };
  if (fault === 'malformed') return { ...clean, text: `${clean.text}]` };
  if (fault === 'wrongShape') {
    // in a map the string would be read as the key of a row
    const isMap = Object.values(reply.value as object).every((member) => typeof member === 'object'); // cast: no answer is a text
    return { ...clean, text: isMap ? '[{"error":"busy"}]' : '{"error":"busy"}' };
  }
  if (fault === 'empty') return { ...clean, text: '' };
  return failureDelivery(fault);
}

const HEADERS = {
  json: new Headers({ 'content-type': 'application/json' }),
  html: new Headers({ 'content-type': 'text/html' }),
  none: new Headers(),
};

// The body of a platform Response is a stream, which costs more than the rest of a step. This object has the properties that a
// reader of a response may use.
export function toResponse(delivery: { response: ServerReply; text: string; type: string }): Response {
  const { status } = delivery.response;
  const { text } = delivery;
  const headers = delivery.type === 'text/html' ? HEADERS.html : text === '' ? HEADERS.none : HEADERS.json;
  const response = {
    ok: status >= 200 && status < 300,
    status,
    statusText: '',
    url: '',
    type: 'basic',
    redirected: false,
    bodyUsed: false,
    headers,
    body: text === '' ? null : {},
    text: () => Promise.resolve(text),
    json: () => new Promise((resolve) => resolve(JSON.parse(text))),
    clone: () => toResponse(delivery),
  };
  return response as unknown as Response; // cast: the members that no reader of JSON uses are absent
}
