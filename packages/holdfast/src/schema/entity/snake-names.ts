// Converts one name between camelCase and snake_case: for fields (wire-names.ts), and for arguments (argument-roles.ts).

export function toSnake(name: string): string {
  return name.replaceAll(/[a-z\d](?=[A-Z])|[A-Z](?=[A-Z][a-z])/g, '$&_').toLowerCase();
}

/** `_id` and `__typename` keep their leading underscores. */
export function toCamel(name: string): string {
  return name.replaceAll(/^_+|_([a-z])/g, (found, letter?: string) => letter?.toUpperCase() ?? found);
}
