// Deep payloads for scenario S2, written as text: an object literal nested 100,000 deep cannot be made by a
// recursive generator, and JSON.parse is where such data really comes from.

export interface LinkRow {
  readonly id: string;
  readonly next?: LinkRow | string;
}

/** `{"id":"0","next":{"id":"1","next":…}}`, `depth` objects inside one another. */
export function createNestedChainText(depth: number): string {
  const opened = Array.from({ length: depth }, (_, index) => `{"id":"${index}"`);
  return opened.join(',"next":') + '}'.repeat(depth);
}

/** A flat list whose rows refer to the next row by its id. */
export function createReferenceChainText(depth: number): string {
  const rows = Array.from({ length: depth }, (_, index) =>
    index + 1 < depth ? `{"id":"${index}","next":"${index + 1}"}` : `{"id":"${index}"}`,
  );
  return `[${rows.join(',')}]`;
}

/** How many links can be followed from `first`, by a loop: recursion is what the scenario is about. */
export function countLinks(first: unknown): number {
  let count = 0;
  let link = first;
  while (typeof link === 'object' && link !== null && 'id' in link && link.id === `${count}`) {
    count += 1;
    link = 'next' in link ? link.next : undefined;
  }
  return count;
}
