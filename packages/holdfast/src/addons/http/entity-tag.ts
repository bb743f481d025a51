// Entity tags: the text by which a server tells one state of an address from another. Compared weakly, as reads are.

/** Quotes around letters that may stand there, and a W/ before them for "equal enough". */
const ENTITY_TAG = /^(?:W\/)?("[\x21\x23-\x7E\x80-\xFF]*")$/;

/** The tag of an answer, whole, as it is sent back; undefined where it has none, or none that is well formed. */
export function readTag(headers: Headers): string | undefined {
  const text = headers.get('etag')?.trim();
  return text !== undefined && ENTITY_TAG.test(text) ? text : undefined;
}

/** Whether two tags stand for states that may take each other's place. */
export function isSameTag(left: string, right: string | undefined): boolean {
  return right !== undefined && ENTITY_TAG.exec(left)?.[1] === ENTITY_TAG.exec(right)?.[1];
}
