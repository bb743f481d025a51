// Turns the body argument of a call into what fetch takes: JSON for data, everything that has a wire form of its own
// (forms, blobs, streams, text) as it is. Called by RestEndpoint.getRequestInit.
import { HoldfastError, nameOf } from '../support/errors.ts';
import { isForm, tagOf } from '../support/value-kind.ts';

/** The part of an init that carries a body. Streams must say that they are sent while the answer may begin. */
export interface EncodedBody {
  readonly body: BodyInit;
  readonly duplex?: 'half';
}

const WIRE_FORM = /^(FormData|Blob|File|URLSearchParams|ReadableStream|ArrayBuffer)$/;
// JSON gives {} for these: their contents would be lost without a word
const CONTAINER = /^((Weak)?(Map|Set)|Promise)$/;

/** The body as it is sent: itself where it has a wire form, else JSON; undefined for none. */
export function encodeBody(value: unknown, endpoint: string): EncodedBody | undefined {
  if (value === undefined || value === null) return undefined;
  const tag = tagOf(value);
  if (typeof value === 'string' || WIRE_FORM.test(tag) || ArrayBuffer.isView(value)) {
    const body = value as BodyInit; // cast: tested right above
    return tag === 'ReadableStream' ? { body, duplex: 'half' } : { body };
  }
  const refuse = (found: string, options?: ErrorOptions): never => {
    throw new HoldfastError('BODY_NOT_SERIALIZABLE', { endpoint, found }, options);
  };
  let body: string | undefined;
  try {
    if (!CONTAINER.test(tag)) body = JSON.stringify(value) as string | undefined; // cast: undefined for functions
  } catch (cause) {
    refuse(nameOf(value), { cause });
  }
  return { body: body ?? refuse(tag) };
}

/** A form's fields as an object, a repeated name as an array; files stay out. Other bodies are spread as they are. */
export function bodyFields(body: unknown): Record<string, unknown> {
  if (typeof body !== 'object' || body === null) return {};
  if (!isForm(body)) return { ...body };
  const fields = [...new Set(body.keys())].map((name) => {
    const values = body.getAll(name).filter((value) => typeof value === 'string');
    return [name, values.length > 1 ? values : values[0]] as const;
  });
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

/** Headers in any form as a plain object, so that `getHeaders` may spread them. */
export function plainHeaders(headers: HeadersInit | undefined): Record<string, string> {
  const isIterable = headers !== undefined && Symbol.iterator in headers;
  return isIterable ? Object.fromEntries(headers as Iterable<[string, string]>) : { ...headers }; // cast: Headers and pairs iterate
}

/** An async `getHeaders` gives one, of whatever make. */
export function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof (value as Promise<T> | undefined)?.then === 'function'; // cast: asking is the check
}
