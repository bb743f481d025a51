// Notes which headers an endpoint has used beside the body: two responses with one tag are equal only if these headers are equal
// too. Noted by linked.ts, read by known-responses.ts and sender.ts.

// a memo, not state: keyed by `Response` objects, and gone with them
const namesRead = new WeakMap<Response, readonly string[]>();

/** Returns the headers of a response, and notes that the endpoint uses those with these names. */
export function takeHeaders(response: Response, names: readonly string[]): Headers {
  namesRead.set(response, names);
  return response.headers;
}

/** The names of the headers that the endpoint has used, the most important first. */
export function headersTaken(response: Response): readonly string[] {
  return namesRead.get(response) ?? [];
}
