// Entity tags: a server gives each version of a response a tag, in the header `ETag`. Tags are compared weakly, which RFC 9110
// allows for reads.

/** A string in quotes, with `W/` in front of a weak tag. */
const ENTITY_TAG = /^(?:W\/)?("[\x21\x23-\x7E\x80-\xFF]*")$/;

/** The tag of a response, with `W/` if it is weak; undefined if the tag is absent or malformed. */
export function readTag(headers: Headers): string | undefined {
  const text = headers.get('etag')?.trim();
  return text !== undefined && ENTITY_TAG.test(text) ? text : undefined;
}

/** The weak comparison of RFC 9110: true when the tags are equal apart from `W/`. */
export function isSameTag(left: string, right: string | undefined): boolean {
  return right !== undefined && ENTITY_TAG.exec(left)?.[1] === ENTITY_TAG.exec(right)?.[1];
}
