// Tells the fields that a mutation's answer states from those that it was silent about, and that stand because they were sent and
// accepted. By the same look at the answer as complete-answer.ts has.
import type { Flight } from '../../dispatch/flights.ts';
import { envelopeOf, sentRow, unwrapEnvelope } from '../../endpoint/row-name.ts';
import type { RequestOutcome } from '../../endpoint/run-request.ts';
import type { Effects } from '../../store/effects.ts';
import type { Row } from '../../store/nodes.ts';
import { tryRun } from '../../support/call-safely.ts';
import { isRecord } from '../../support/plain.ts';
import type { ExplainedField } from './explanation.types.ts';

/** How a field was said; the empty name stands for the others. */
export type HowOf = (name: string) => ExplainedField['how'];

const responded: HowOf = () => 'answered';
const accepted: HowOf = () => 'sent-and-accepted';

export const writtenDirectly: (row: Row) => HowOf = () => () => 'written-directly';

/** How the fields of each row were said by what is being stored. */
export function readHow(
  { call, isRead }: Flight,
  outcome: RequestOutcome | undefined,
  { nested }: Effects,
): (row: Row) => HowOf {
  const { endpoint, kind, args } = call;
  const around = isRead ? undefined : tryRun(() => envelopeOf(kind));
  if (around === undefined) return () => responded;
  const incoming = unwrapEnvelope(around, outcome?.value);
  // an answer that says nothing of a row: all that is stored was sent, or guessed, and accepted
  if (incoming === null || incoming === undefined) return () => accepted;
  const sent = tryRun(() => sentRow(endpoint, call.withPk(args)));
  // of many rows it is not told which was sent in which place
  if (!isRecord(incoming) || !isRecord(sent)) return () => responded;
  const howOf: HowOf = (name) =>
    Object.hasOwn(sent, name) && !Object.hasOwn(incoming, name) ? 'sent-and-accepted' : 'answered';
  return (row) => (nested?.has(row) ? responded : howOf);
}
