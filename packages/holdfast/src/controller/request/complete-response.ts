// Completes the response to a mutation when it contains less than was sent. Omitted fields are filled in from the request, because
// the server accepted them, and their rows are read again. A response without an id belongs to the row that the call identifies.
import type { EndpointCall } from '../../dispatch/call.ts';
import {
  envelopeOf,
  sentFields,
  sentRowsOf,
  unwrapEnvelope,
  withPkField,
  wrapInEnvelope,
} from '../../endpoint/row-name.ts';
import { ownersOf } from '../../schema/protocol/protocol.ts';
import { fieldOf, hasField } from '../../store/fields.ts';
import type { Row } from '../../store/nodes.ts';
import { tryRun } from '../../support/call-safely.ts';
import { isObject, isRecord } from '../../support/plain.ts';

type ResponseFields = Readonly<Record<string, unknown>>;

interface CompletedResponse {
  /**
   * The value to store: the response, with omitted fields filled in from the request. If the response is empty, it may be the value
   * of the optimistic update. Undefined when no row can be stored.
   */
  readonly value: unknown;
  /**
   * Whether the response identifies its rows; also true if that was not examined. If it is not true, the call resolves with the
   * unchanged response of the server, unless the response is empty. Undefined if the response is no list, contains no fields of a
   * row and is not that to a DELETE: then the row in `value` was made without the response.
   */
  readonly hasIds: boolean | undefined;
  /**
   * The rows of which the response contains fewer fields than were sent, and the rows that were not stored and lack declared fields.
   * They are read again.
   */
  readonly incompleteRows: readonly unknown[];
}

/**
 * `args`: the sent arguments, with the row's primary key if it is known. `optimistic`: the value of the optimistic update.
 * `namedRows`: the stored rows that the call identifies.
 */
export function completeResponse(
  { endpoint, kind }: EndpointCall,
  args: readonly unknown[],
  response: unknown,
  optimistic: unknown,
  namedRows: readonly Row[],
): CompletedResponse {
  const isEmpty = response === null || response === undefined;
  const envelope = envelopeOf(kind);
  if (!endpoint.method || !envelope) {
    // This is no REST endpoint, or the schema has no row, a map of rows, or rows in several places. If the response is empty, the
    // value of the optimistic update is stored; for a REST endpoint, the optimistic rows are read again.
    const omitted = isEmpty && endpoint.method ? Object.values(optimistic ?? {}) : [];
    return { value: isEmpty ? optimistic : response, hasIds: true, incompleteRows: omitted };
  }
  const owners = ownersOf(kind);
  const found = unwrapEnvelope(envelope, response);
  const incoming = owners[0]?.withOwnNames(found) ?? found;
  const pkOf = (row: unknown): string | undefined =>
    tryRun(() => owners.map((owner) => owner.pkOf([row])).find((pk) => pk !== undefined));
  const sent = sentRowsOf(endpoint, args);
  // A string or a number in the response is not a row: it may be a primary key, a count or "ok".
  const isNamed = isObject(incoming) && pkOf(incoming) !== undefined;
  if (endpoint.method === 'DELETE') {
    const row = isRecord(incoming) ? withPkField(endpoint, incoming) : incoming;
    const isKnown = pkOf(sent) !== undefined;
    const hasRow = Array.isArray(incoming) || ((isNamed || !isKnown) && pkOf(row) !== undefined);
    const value = hasRow || isKnown ? wrapInEnvelope(envelope, hasRow ? row : sent, response) : undefined;
    return { value, hasIds: hasRow, incompleteRows: [] };
  }
  // A field that the class does not declare counts too, if the stored row has it or a list filters by it.
  const pickKnown = (row: ResponseFields): ResponseFields =>
    Object.fromEntries(
      Object.entries(row).filter(
        ([name]) =>
          owners.some((owner) => owner.fieldNames().includes(name)) ||
          namedRows.some(
            ({ base, table }) => fieldOf(base, name) !== undefined || table.placingFields.has(name),
          ),
      ),
    );
  const sentRows = [sent].flat() as readonly ResponseFields[]; // cast: rows are objects
  const isMany = Array.isArray(sent);
  const storedPks = new Set(namedRows.map(({ base, pk }) => (base ? pk : undefined)));
  const isStored = (row: ResponseFields): boolean => storedPks.has(pkOf(row));
  if (!isNamed && !Array.isArray(incoming)) {
    // A PATCH sends too few fields to make a row of them: a row that is not stored, for example because it was deleted meanwhile, is
    // left out.
    const known = sentRows.filter((row) => endpoint.method !== 'PATCH' || isStored(row));
    const isUnknown = known.length === 0 || sentRows.some((row) => pkOf(row) === undefined);
    const incomingFields = pickKnown(isRecord(incoming) ? incoming : {});
    const row = isMany ? known : { ...sentRows[0], ...incomingFields };
    const value =
      isEmpty && optimistic !== undefined && !isMany ? optimistic : wrapInEnvelope(envelope, row, response);
    const hasFields = Object.keys(incomingFields).length;
    return {
      value: isUnknown ? undefined : value,
      hasIds: hasFields ? false : undefined,
      incompleteRows: sentRows,
    };
  }
  // A row that the call identifies and that is not stored lacks the fields that neither the request nor the response contains.
  const isThin = (row: ResponseFields): boolean =>
    !kind.isPlacement &&
    indexByPk.has(pkOf(row)) &&
    !isStored(row) &&
    !owners.some((owner) => owner.fieldNames().every((name) => hasField(row, name)));
  const bodies = [endpoint.splitArgs(args).body].flat().map((item) => pickKnown(sentFields(item)));
  const incomingRows: readonly unknown[] = [incoming].flat();
  const omitted = new Set<unknown>(isMany ? sentRows : []);
  // The rows are reversed, so that of several sent rows with the same primary key, the first one is found.
  const indexByPk = new Map(sentRows.map((row, index) => [pkOf(row), index] as const).reverse());
  const rows = incomingRows.map((row, index) => {
    const sentIndex = indexByPk.get(pkOf(row)) ?? (incomingRows.length === sentRows.length ? index : -1);
    if (!isRecord(row)) return row;
    const merged = { ...bodies[sentIndex], ...row };
    omitted.delete(sentRows[sentIndex]);
    if (Object.keys(merged).length > Object.keys(row).length || isThin(merged)) omitted.add(merged);
    return merged;
  });
  return {
    value: wrapInEnvelope(envelope, Array.isArray(incoming) ? rows : rows[0], response),
    hasIds: true,
    incompleteRows: [...omitted],
  };
}
