// A row that an address names: `/todos/:todoId` names the row whose primary key is in `id`. Used where parameters stand
// for a row: guesses, answers without a body, look-ups.
import { EntityKind } from '../schema/entity/entity-kind.ts';
import { kindOf } from '../schema/kinds/kind-of.ts';
import { pkFieldOf } from '../schema/entity/pk-field.ts';

interface Naming {
  readonly schema?: unknown;
  readonly idParam?: string | undefined;
}

/** The entity that an endpoint is about; undefined where it is about none, or several. */
export function entityOf({ schema }: Naming): EntityKind | undefined {
  if (schema === undefined || schema === null) return undefined;
  const [owner] = kindOf(schema).owners?.() ?? [];
  return owner instanceof EntityKind ? owner : undefined;
}

/** The parameters with the primary key under its own name; themselves when they have it. */
export function withPk(endpoint: Naming, params: object): Readonly<Record<string, unknown>> {
  const named = params as Readonly<Record<string, unknown>>; // cast: parameters are read by name
  const { idParam } = endpoint;
  if (idParam === undefined || !Object.hasOwn(named, idParam)) return named;
  const entity = entityOf(endpoint);
  const field = entity && pkFieldOf(entity.entity);
  if (!field || Object.hasOwn(named, field)) return named;
  return { ...named, [field]: named[idParam] };
}

/** The arguments of a look-up, with the primary key under its own name. */
export function lookUpArgs(endpoint: Naming, args: readonly unknown[]): readonly unknown[] {
  const [params] = args;
  if (typeof params !== 'object' || params === null) return args;
  const named = withPk(endpoint, params);
  return named === params ? args : [named, ...args.slice(1)];
}
