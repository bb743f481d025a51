/** The anchor of a heading, as GitHub makes it: `ENTITY_WITHOUT_PK` is `entity_without_pk`. */
export function slugify(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}
