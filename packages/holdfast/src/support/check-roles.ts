// Throws in development for wrong roles of arguments: roles that `byRole` did not make, and an argument that two options name. This
// file is part of `#env`, so that production does not ship it.
import type { CodedError } from './check-resource.ts';

/** The object that `byRole` returns. */
interface Roles {
  readonly names?: readonly string[];
}

interface Rules {
  readonly argumentRoles?: unknown;
  readonly nonFilterArgumentKeys?: unknown;
}

/** `isExempt` tests a name against `nonFilterArgumentKeys`. */
export function checkRoles(
  { argumentRoles, nonFilterArgumentKeys }: Rules,
  isExempt: (name: string) => boolean,
  Coded: CodedError,
): void {
  const { names } = Object(argumentRoles) as Roles; // cast: tested below
  if (argumentRoles && !names) throw new Coded('ROLES_INVALID', {});
  const twice = nonFilterArgumentKeys ? names?.find(isExempt) : undefined;
  if (twice !== undefined) throw new Coded('ROLE_SAID_TWICE', { name: twice });
}
