// Converts one name between camelCase and snake_case: for fields (wire-names.ts), and for arguments (argument-roles.ts).

export function toSnake(name: string): string {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
}

/** `_id` and `__typename` keep their leading underscores. */
export function toCamel(name: string): string {
  return name.replaceAll(/_([a-z])/g, (found, letter: string, at: number) =>
    /^_*$/.test(name.slice(0, at)) ? found : letter.toUpperCase(),
  );
}
