// A browser test's part of the shared server: its own space, rows in it, and the requests that the space received.
import { inject } from 'vitest';

export interface Space {
  /** Use as `urlPrefix`: the collections are below it. */
  readonly url: string;
  /** Puts rows into a collection, through the POST route of the server. */
  seed(collection: string, rows: readonly object[]): Promise<void>;
  /** Requests that this space has received, without those that put rows in. */
  requests(): Promise<readonly { method: string; url: string; body: unknown; aborted: boolean }[]>;
}

/** Makes a space that no other test shares. */
export function createSpace(): Space {
  const name = crypto.randomUUID();
  const url = `${inject('serverUrl')}/spaces/${name}`;
  let seeded = 0;
  return {
    url,
    async seed(collection, rows) {
      for (const row of rows) {
        const response = await fetch(`${url}/${collection}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(row),
        });
        if (!response.ok) throw new Error(`could not seed ${collection}: ${response.status}`);
        seeded += 1;
      }
    },
    async requests() {
      const response = await fetch(`${inject('serverUrl')}/requests/${name}`);
      return ((await response.json()) as Awaited<ReturnType<Space['requests']>>).slice(seeded);
    },
  };
}
