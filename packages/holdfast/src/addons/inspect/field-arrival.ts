// Finds how each field of a mutation's response arrived. Either the response contained the field; or the response omits it, and
// controller/request/complete-response.ts has added it.
import type { Flight } from '../../dispatch/flights.ts';
import { envelopeOf, sentRowsOf, unwrapEnvelope } from '../../endpoint/row-name.ts';
import type { RequestOutcome } from '../../endpoint/run-request.ts';
import type { Effects } from '../../store/effects.ts';
import type { Row } from '../../store/nodes.ts';
import { tryRun } from '../../support/call-safely.ts';
import { isRecord } from '../../support/plain.ts';
import type { ExplainedField } from './explanation.types.ts';

/** How the field with this name arrived. The empty string stands for any field that the mutation did not send. */
export type HowFieldArrived = (name: string) => ExplainedField['how'];

const byResponse: HowFieldArrived = () => 'answered';
const byAcceptance: HowFieldArrived = () => 'sent-and-accepted';

export const byDirectWrite: (row: Row) => HowFieldArrived = () => () => 'written-directly';

/** Returns a function that tells, for each row of a response that is being stored, how the row's fields arrived. */
export function howFieldsArrived(
  { call, isRead }: Flight,
  outcome: RequestOutcome | undefined,
  { rowsAsRead }: Effects,
): (row: Row) => HowFieldArrived {
  const { endpoint, kind, args } = call;
  const envelope = isRead ? undefined : tryRun(() => envelopeOf(kind));
  if (envelope === undefined) return () => byResponse;
  const incoming = unwrapEnvelope(envelope, outcome?.value);
  // The response contains no row, so the stored fields come from the mutation or from its optimistic update.
  if (incoming === null || incoming === undefined) return () => byAcceptance;
  const sent = tryRun(() => sentRowsOf(endpoint, call.withPk(args)));
  // With several rows, it is unknown which row was sent with which fields.
  if (!isRecord(incoming) || !isRecord(sent)) return () => byResponse;
  const howOf: HowFieldArrived = (name) =>
    Object.hasOwn(sent, name) && !Object.hasOwn(incoming, name) ? 'sent-and-accepted' : 'answered';
  return (row) => (rowsAsRead?.has(row) ? byResponse : howOf);
}
