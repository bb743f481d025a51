// P-7. A server that speaks snake_case: names are turned around in both
// directions, deeply.
import { createResource, Entity, RestEndpoint } from 'holdfast';
import type { RestOptions } from 'holdfast';

const toSnake = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const toCamel = (name: string): string =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/**
 * Changes the names of plain objects, through arrays and nested objects;
 * all other values are copied, null included.
 */
function deepRename(
  value: unknown,
  rename: (name: string) => string,
): unknown {
  if (Array.isArray(value))
    return value.map((item) => deepRename(item, rename));
  if (
    typeof value !== 'object' ||
    value === null ||
    Object.getPrototypeOf(value) !== Object.prototype
  )
    return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      rename(name),
      deepRename(member, rename),
    ]),
  );
}

export class SnakeEndpoint<
  const O extends RestOptions = RestOptions,
> extends RestEndpoint<O> {
  override getRequestInit(
    body?: unknown,
  ): RequestInit | Promise<RequestInit> {
    return super.getRequestInit(deepRename(body, toSnake));
  }

  override searchToString(
    params: Readonly<Record<string, unknown>>,
  ): string {
    return super.searchToString(
      deepRename(params, toSnake) as typeof params,
    ); // cast: an object stays one
  }

  override process(
    value: unknown,
    params: Readonly<Record<string, unknown>>,
  ): unknown {
    return deepRename(super.process(value, params), toCamel);
  }
}

export class Person extends Entity {
  static override key = 'Person';
  id = 0;
  firstName = '';
  homeAddress: { streetName: string; zipCode: string | null } | null = null;
  nickNames: { givenBy: string }[] = [];
}

export const createPersonResource = (urlPrefix: string) =>
  createResource({
    urlPrefix,
    path: '/people/:id',
    schema: Person,
    Endpoint: SnakeEndpoint,
  });
