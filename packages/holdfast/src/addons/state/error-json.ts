// Converts errors to JSON and back: of an error of the library, the name, the code, the primitive parameters and the HTTP status,
// if it has one; of any other error, the name and the message. The library's errors are saved without their `reason`, which may
// quote a response body, because a state may be written into a page.
import { HoldfastError, ValidationError } from '../../support/errors.ts';
import {
  ConnectionError,
  HttpError,
  NetworkError,
  ParseError,
  TimeoutError,
} from '../../support/network-errors.ts';
import { isObject } from '../../support/plain.ts';

type ErrorProperties = Record<string, unknown>;

export function encodeError(error: Error): ErrorProperties {
  const { name, message } = error;
  if (!(error instanceof HoldfastError)) return { name, message };
  const { reason: _reason, ...params } = error.params;
  // The message is not saved: `decodeError` creates it from the parameters. `reason` is omitted, because it may quote the body
  // of a response.
  return {
    name,
    code: error.code,
    params: primitiveParams(params),
    ...(error instanceof NetworkError && error.status !== undefined && { status: error.status }),
  };
}

/** The parameters that are strings, numbers or booleans. */
function primitiveParams(params: ErrorProperties): ErrorProperties {
  return Object.fromEntries(
    Object.entries(params).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value)),
  );
}

export function decodeError(from: ErrorProperties): Error {
  const message = String(from['message']);
  const { code } = from;
  if (typeof code !== 'string') return withErrorName(new Error(message), from['name']);
  const given = from['params'];
  const params: ErrorProperties = isObject(given) ? { ...given } : {};
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

function withErrorName(error: Error, name: unknown): Error {
  if (typeof name === 'string' && name !== 'Error') error.name = name;
  return error;
}
