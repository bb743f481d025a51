// What a value is beyond `typeof`, told without trusting that the platform has the class: for bodies, keys and queries.

/** The class that a value says it is of, such as `Map` or `FormData`; `Object` for plain ones. */
export function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}

export function isForm(value: unknown): value is FormData {
  // by its tag: where the class is named, Node loads its whole network stack, for the first list that is stored
  return tagOf(value) === 'FormData';
}

/** Whether a value says itself how it is written: dates, decimals, and the like. */
export function hasToJson(value: unknown): value is { toJSON(): unknown } {
  return (
    typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function'
  );
}
