// Turns the body argument of a call into what fetch takes: JSON for data, everything that has a wire form of its own
// (forms, blobs, streams, text) as it is. Called by RestEndpoint.getRequestInit.
import { HoldfastError, nameOf } from '../support/errors.ts';
import { isForm, tagOf } from '../support/value-kind.ts';

export interface EncodedBody {
  readonly body: BodyInit;
  readonly isJson: boolean;
  /** Streams must say that they are sent while the answer may begin. */
  readonly isStream: boolean;
}

const WIRE_FORMS = new Set(['FormData', 'Blob', 'File', 'URLSearchParams', 'ReadableStream', 'ArrayBuffer']);
// JSON gives {} for these: their contents would be lost without a word
const CONTAINERS = new Set(['Map', 'Set', 'WeakMap', 'WeakSet', 'Promise']);

/** The encoded body; undefined for none. */
export function encodeBody(value: unknown, endpoint: string): EncodedBody | undefined {
  if (value === undefined || value === null) return undefined;
  const tag = tagOf(value);
  if (typeof value === 'string' || WIRE_FORMS.has(tag) || ArrayBuffer.isView(value)) {
    return { body: value as BodyInit, isJson: false, isStream: tag === 'ReadableStream' }; // cast: tested right above
  }
  try {
    const text = CONTAINERS.has(tag) ? undefined : (JSON.stringify(value) as string | undefined); // cast: undefined for functions
    if (text !== undefined) return { body: text, isJson: true, isStream: false };
  } catch (error) {
    throw new HoldfastError('BODY_NOT_SERIALIZABLE', { endpoint, found: nameOf(value) }, { cause: error });
  }
  throw new HoldfastError('BODY_NOT_SERIALIZABLE', { endpoint, found: tag });
}

/** A form's fields as an object, a repeated name as an array; files stay out. Other bodies are spread as they are. */
export function bodyFields(body: unknown): Record<string, unknown> {
  if (typeof body !== 'object' || body === null) return {};
  if (!isForm(body)) return { ...body };
  const fields: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const name of new Set(body.keys())) {
    const values = body.getAll(name).filter((value) => typeof value === 'string');
    if (values.length > 0) fields[name] = values.length > 1 ? values : values[0];
  }
  return { ...fields };
}

/** Headers in any form as a plain object, so that `getHeaders` may spread them. */
export function plainHeaders(headers: HeadersInit | undefined): Record<string, string> {
  if (headers === undefined) return {};
  const isPlain = !(Symbol.iterator in headers);
  return isPlain ? { ...headers } : Object.fromEntries(headers as Iterable<[string, string]>); // cast: Headers and pairs iterate
}

/** An async `getHeaders` gives one, of whatever make. */
export function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof (value as Promise<T> | undefined)?.then === 'function'; // cast: asking is the check
}
