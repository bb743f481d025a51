// Which headers went into an answer beside its body: two answers with one tag are the same only if these are too.

// keyed by responses that callers hold: a memo, not state
const namesRead = new WeakMap<Response, readonly string[]>();

/** The headers of a response of which the answer takes these. */
export function takeHeaders(response: Response, names: readonly string[]): Headers {
  namesRead.set(response, names);
  return response.headers;
}

/** The headers that the answer has taken, the most important first. */
export function headersTaken(response: Response): readonly string[] {
  return namesRead.get(response) ?? [];
}
