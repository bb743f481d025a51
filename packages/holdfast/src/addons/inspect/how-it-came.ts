// Distinguishes the fields that a mutation's response contains from those that it omits and that are stored because the mutation
// sent them and was accepted. Reads the response by the rules of controller/request/complete-response.ts. Called by recorder.ts.
import type { Flight } from '../../dispatch/flights.ts';
import { envelopeOf, sentRow, unwrapEnvelope } from '../../endpoint/row-name.ts';
import type { RequestOutcome } from '../../endpoint/run-request.ts';
import type { Effects } from '../../store/effects.ts';
import type { Row } from '../../store/nodes.ts';
import { tryRun } from '../../support/call-safely.ts';
import { isRecord } from '../../support/plain.ts';
import type { ExplainedField } from './explanation.types.ts';

/** How the field with this name arrived; the empty name stands for the fields that the mutation did not send. */
export type HowOf = (name: string) => ExplainedField['how'];

const responded: HowOf = () => 'answered';
const accepted: HowOf = () => 'sent-and-accepted';

export const writtenDirectly: (row: Row) => HowOf = () => () => 'written-directly';

/** For each row of a response that is being stored: how its fields arrived. */
export function howFieldsArrived(
  { call, isRead }: Flight,
  outcome: RequestOutcome | undefined,
  { nested }: Effects,
): (row: Row) => HowOf {
  const { endpoint, kind, args } = call;
  const around = isRead ? undefined : tryRun(() => envelopeOf(kind));
  if (around === undefined) return () => responded;
  const incoming = unwrapEnvelope(around, outcome?.value);
  // the response contains no row: all fields that are stored were sent by the mutation, or shown by its optimistic update
  if (incoming === null || incoming === undefined) return () => accepted;
  const sent = tryRun(() => sentRow(endpoint, call.withPk(args)));
  // with several rows it is unknown which of them was sent with which fields
  if (!isRecord(incoming) || !isRecord(sent)) return () => responded;
  const howOf: HowOf = (name) =>
    Object.hasOwn(sent, name) && !Object.hasOwn(incoming, name) ? 'sent-and-accepted' : 'answered';
  return (row) => (nested?.has(row) ? responded : howOf);
}
