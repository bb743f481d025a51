// Strong entity tags. A tag identifies the bytes that are sent, so the same content has another tag for each compression; a
// request may contain any of them, because all identify the content that the client has.
import { createHash } from 'node:crypto';

export type Encoding = 'br' | 'gzip';

export function createTag(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
}

/** The tag of the same content, compressed. */
export function encodedTag(tag: string, encoding: Encoding): string {
  return tag.replace(/"$/, `.${encoding}"`);
}

/** The first tag of an If-Match or If-None-Match header that identifies this content, as the client wrote it. */
export function findMatch(header: string | undefined, tag: string): string | undefined {
  const named = header?.split(',').map((text) => text.trim().replace(/^W\//, '')) ?? [];
  const found = named.find((text) => text === '*' || text.replace(/\.(br|gzip)"$/, '"') === tag);
  return found === '*' ? tag : found;
}
