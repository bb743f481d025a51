// Notes which headers an endpoint has used besides the body, because two responses with the same tag are equal only if these
// headers are equal too.

// This map is not state of a controller: each entry lives as long as its `Response`.
const namesByResponse = new WeakMap<Response, readonly string[]>();

/** Returns the headers of a response, and notes that the endpoint uses the headers with these names. */
export function readHeaders(response: Response, names: readonly string[]): Headers {
  namesByResponse.set(response, names);
  return response.headers;
}

/**
 * The names that the last call of `readHeaders` got. sender.ts warns if CORS hides the first header; servers need not send the
 * other headers.
 */
export function namesOfReadHeaders(response: Response): readonly string[] {
  return namesByResponse.get(response) ?? [];
}
