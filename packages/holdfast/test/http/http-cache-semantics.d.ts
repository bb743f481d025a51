// The types of the other library that expiry-laws.test.ts uses.
declare module 'http-cache-semantics' {
  interface Message {
    readonly headers: Readonly<Record<string, string>>;
  }
  export default class CachePolicy {
    constructor(
      request: Message & { readonly method: string; readonly url: string },
      response: Message & { readonly status: number },
      options?: { readonly shared?: boolean; readonly cacheHeuristic?: number },
    );
    /** Seconds. */
    maxAge(): number;
    age(): number;
  }
}
