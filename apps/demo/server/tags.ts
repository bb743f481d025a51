// Strong entity tags. A tag identifies the bytes that are sent, so the same content has another tag for each compression; a
// request may contain any of them, because all identify the content that the client has.
import { createHash } from 'node:crypto';

export type Encoding = 'br' | 'gzip';

export function createTag(text: string, version = ''): string {
  return `"${version}${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
}

/** How the tag of a row begins that counts its writes: the rest of the content, such as counts of other rows, may have changed. */
export function versionPrefix(version: number): string {
  return `${version}-`;
}

/** Whether an If-Match header names this version of a row, by a tag of the row or by the number alone (`"7"`). */
export function hasVersion(header: string, version: number): boolean {
  const tags = header.split(',').map((text) => text.trim());
  return tags.some(
    (tag) => tag === '*' || tag === `"${version}"` || tag.startsWith(`"${versionPrefix(version)}`),
  );
}

/** The tag of the same content, compressed. */
export function encodedTag(tag: string, encoding: Encoding): string {
  return tag.replace(/"$/, `.${encoding}"`);
}

/** The first tag of an If-None-Match header that identifies this content, as the client wrote it. */
export function findMatch(header: string | undefined, tag: string): string | undefined {
  const named = header?.split(',').map((text) => text.trim().replace(/^W\//, '')) ?? [];
  const found = named.find((text) => text === '*' || text.replace(/\.(br|gzip)"$/, '"') === tag);
  return found === '*' ? tag : found;
}
