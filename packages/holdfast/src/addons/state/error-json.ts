// Errors as JSON and back: class, code, and where it happened; a foreign error's name and message. What a server said in
// a body is left out, also where it stands in a message: a state may be written into a page.
import { HoldfastError, ValidationError } from '../../support/errors.ts';
import {
  ConnectionError,
  HttpError,
  NetworkError,
  ParseError,
  TimeoutError,
} from '../../support/network-errors.ts';
import { isObject } from '../../support/plain.ts';

type ErrorMembers = Record<string, unknown>;

export function encodeError(error: Error): ErrorMembers {
  const { name, message } = error;
  if (!(error instanceof HoldfastError)) return { name, message };
  const { reason: _said, ...params } = error.params;
  // its message is made again from the parameters, without the reason that a body gave
  return {
    name,
    code: error.code,
    params: withPlain(params),
    ...(error instanceof NetworkError && error.status !== undefined && { status: error.status }),
  };
}

/** Only what has a form in JSON. */
function withPlain(params: ErrorMembers): ErrorMembers {
  return Object.fromEntries(
    Object.entries(params).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value)),
  );
}

export function decodeError(from: ErrorMembers): Error {
  const message = String(from['message']);
  const { code } = from;
  if (typeof code !== 'string') return named(new Error(message), from['name']);
  const given = from['params'];
  const params: ErrorMembers = isObject(given) ? { ...given } : {};
  const request = { method: String(params['method']), url: String(params['url']) };
  const status = Number(from['status']);
  const response = (): Response =>
    new Response(null, { status: Number.isInteger(status) && status >= 200 && status <= 599 ? status : 500 });
  switch (code) {
    case 'HTTP_ERROR':
      return new HttpError(request, response());
    case 'RESPONSE_UNREADABLE':
      return new ParseError(request, response(), 'its body could not be read');
    case 'CONNECTION_FAILED':
      return new ConnectionError(request);
    case 'REQUEST_TIMEOUT':
      return new TimeoutError(request, Number(params['timeoutMs']));
    default:
      return from['name'] === 'ValidationError'
        ? new ValidationError(code, params)
        : new HoldfastError(code, params);
  }
}

function named(error: Error, name: unknown): Error {
  if (typeof name === 'string' && name !== 'Error') error.name = name;
  return error;
}
