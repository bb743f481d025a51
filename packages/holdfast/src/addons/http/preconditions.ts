// Decides with which preconditions, such as `If-Match`, a mutation is sent: those of its endpoint, the tag of its address, and
// `If-None-Match: *` for a PUT that creates its row. The decision is made for each attempt, when the URL and the user are known.
import type { ExtensionHost } from '../../dispatch/extension.ts';
import type { Flight } from '../../dispatch/flights.ts';
import type { NetworkRequest } from '../../dispatch/network-request.ts';
import { rowsAmong, targetsOfCall } from '../../dispatch/write-queues.ts';
import { entityKindOf } from '../../endpoint/row-name.ts';
import type { Row } from '../../store/nodes.ts';
import { HoldfastError } from '../../support/errors.ts';
import type { AddressTags } from './address-tags.ts';
import type { Exchange } from './known-responses.ts';
import type { HttpRules } from './options.ts';

/** What the attempts to send one mutation share: the request, what is known of the row, and the last precondition. */
export interface WriteSending {
  readonly flight: Flight;
  /** The request, with the arguments that are sent. */
  request: NetworkRequest;
  /** Whether a read for this mutation, or the body of a refusal, has brought the row; undefined if there was neither. */
  found?: 'row' | 'nothing';
  /** Whether the mutation may still be sent unchanged. The row may have changed while managers held the request. */
  readonly mayBeSent: () => boolean;
  /**
   * The origin of the precondition of the last attempt: this file (`ours`), or the application's headers (`theirs`). Undefined if
   * the attempt had no precondition.
   */
  condition?: 'ours' | 'theirs' | undefined;
}

const CONDITION_HEADERS = ['if-match', 'if-none-match', 'if-unmodified-since'];

interface PreconditionParts {
  readonly core: ExtensionHost;
  readonly rules: HttpRules;
  readonly tags: AddressTags;
}

/**
 * The headers to add; undefined if the row must be read first, or if the mutation must be judged again. `given` are the headers of
 * the request.
 */
export function decidePreconditions(
  { core, rules: { preconditions }, tags }: PreconditionParts,
  sending: WriteSending,
  exchange: Exchange,
  given: Headers,
): Readonly<Record<string, string>> | undefined {
  const { endpoint, args } = sending.request;
  sending.condition = CONDITION_HEADERS.some((name) => given.has(name)) ? 'theirs' : undefined;
  if (!sending.mayBeSent()) return undefined;
  const isMany = Array.isArray(endpoint.splitArgs(args).body);
  if (sending.condition || isMany || !/^(PUT|PATCH|DELETE)$/.test(endpoint.method ?? '')) return {};
  const [row, other] = rowsAmong(targetsOfCall(core.engine, sending.flight.call));
  if (other) return {};
  const tag = row && preconditions && tags.find(row, exchange);
  const own = row?.base && endpoint.precondition && ownHeadersOf(core, sending, row);
  const headers: Readonly<Record<string, string>> = {
    ...(tag && { 'If-Match': tag }),
    // A PUT that creates its row must not replace a row that was created since the read.
    ...(sending.found === 'nothing' && { 'If-None-Match': '*' }),
    ...own,
  };
  if (Object.keys(headers).length) sending.condition = 'ours';
  // An endpoint whose own `precondition` returns no header needs no tag.
  else if (preconditions === 'required' && !sending.found && !own) return undefined;
  return headers;
}

/** The headers of the endpoint's `precondition`, which gets the row without optimistic updates. */
function ownHeadersOf(
  { engine }: ExtensionHost,
  { request, flight }: WriteSending,
  row: Row,
): Readonly<Record<string, string>> {
  const { endpoint } = request;
  const view = engine.cellView(entityKindOf(endpoint)!, flight.call.argsForLookUp.slice(0, 1)); // the call identifies a row
  try {
    return endpoint.precondition!(
      engine.readWithoutMemo(view, undefined, new Map([[row, row.base!]])).value as never, // cast: users declare the parameter; the caller has tested `precondition` and `base`
    );
  } catch (cause) {
    throw new HoldfastError('HEADERS_INVALID', { endpoint: endpoint.name }, { cause });
  }
}
