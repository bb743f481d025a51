// Finds the row or the call about which the application asks the inspector, or returns the reason why there is none. The arguments
// may have any type; these functions never throw.
import { EndpointCall } from '../../dispatch/call.ts';
import type { ExtensionHost } from '../../dispatch/extension.ts';
import type { AnyEndpoint } from '../../endpoint/endpoint-interface.ts';
import { kindOf } from '../../schema/kinds/kind-of.ts';
import { isRowKind } from '../../schema/protocol/protocol.ts';
import type { Row } from '../../store/nodes.ts';
import { toError } from '../../support/errors.ts';
import type { NothingKnown } from './explanation.types.ts';

export const nothingKnown = (why: string): NothingKnown => ({ found: 'nothing', why });

const NO_SUBJECT = nothingKnown('This is neither an entity class nor an endpoint.');

export function isEndpoint(what: unknown): what is AnyEndpoint {
  return typeof what === 'function' && typeof (what as { key?: unknown }).key === 'function'; // cast: the comparison checks it
}

export function toCall(endpoint: unknown, args: readonly unknown[]): EndpointCall | NothingKnown {
  if (!isEndpoint(endpoint)) return NO_SUBJECT;
  try {
    return new EndpointCall(endpoint, args);
  } catch (error) {
    return nothingKnown(`The endpoint has no key for these arguments: ${toError(error).message}`);
  }
}

/** The row with this entity key and this primary key or local id. */
export function storedRow({ engine }: ExtensionHost, entity: string, pk: string): Row | undefined {
  const table = engine.store.tables.get(entity);
  const row = table?.rows.get(pk) ?? table?.rowsByLocalId.get(pk);
  return row?.replacedBy ?? row;
}

/**
 * A row by the key of its entity type and its primary key.
 *
 * @example
 * const lineOf = ({ entity, pk }: Inspector.FoundRow) => `${entity} ${pk}`;
 * inspect().findRows('anchor').map(lineOf);
 */
export interface FoundRow {
  readonly entity: string;
  readonly pk: string;
}

/** The row that the arguments identify. The store may have no such row. */
export function identifyRow(what: unknown, args: readonly unknown[]): FoundRow | NothingKnown {
  const entity = typeof what === 'function' ? (what as { key?: unknown }).key : undefined; // cast: its type is checked below
  if (typeof entity !== 'string') return NO_SUBJECT;
  let why = '';
  try {
    const kind = kindOf(what);
    const pk = isRowKind(kind) ? kind.pkOf(args) : undefined;
    if (pk !== undefined) return { entity, pk };
  } catch (error) {
    why = `: ${toError(error).message}`;
  }
  return nothingKnown(`These arguments name no ${entity}${why || '.'}`);
}

/** Whether the row has data, or is known to be deleted. False for the empty row that a reader creates to wait for data. */
export function hasState({ base, shown }: Row): boolean {
  return base !== undefined || shown !== undefined;
}
