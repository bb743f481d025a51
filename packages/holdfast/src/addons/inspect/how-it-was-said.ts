// Tells the fields that a mutation's answer states from those that it was silent about, and that stand because they were sent and
// accepted. By the same look at the answer as complete-answer.ts has.
import type { Flight } from '../../dispatch/flights.ts';
import { envelopeOf, sentRow, unwrap } from '../../endpoint/row-name.ts';
import type { RequestOutcome } from '../../endpoint/run-request.ts';
import type { Effects } from '../../store/effects.ts';
import type { Row } from '../../store/nodes.ts';
import { attempt } from '../../support/call-safely.ts';
import { isRecord } from '../../support/plain.ts';
import type { ExplainedField } from './explanation.types.ts';

/** How a field was said; the empty name stands for the others. */
export type HowOf = (name: string) => ExplainedField['how'];

const answered: HowOf = () => 'answered';
const accepted: HowOf = () => 'sent-and-accepted';

export const writtenDirectly: (row: Row) => HowOf = () => () => 'written-directly';

/** How the fields of each row were said by what is being stored. */
export function readHow(
  { ask, isRead }: Flight,
  outcome: RequestOutcome | undefined,
  { sides }: Effects,
): (row: Row) => HowOf {
  const { endpoint, kind, args } = ask;
  const around = isRead ? undefined : attempt(() => envelopeOf(kind));
  if (around === undefined) return () => answered;
  const said = unwrap(around, outcome?.value);
  // an answer that says nothing of a row: all that is stored was sent, or guessed, and accepted
  if (said === null || said === undefined) return () => accepted;
  const sent = attempt(() => sentRow(endpoint, ask.withPk(args)));
  // of many rows it is not told which was sent in which place
  if (!isRecord(said) || !isRecord(sent)) return () => answered;
  const howOf: HowOf = (name) =>
    Object.hasOwn(sent, name) && !Object.hasOwn(said, name) ? 'sent-and-accepted' : 'answered';
  return (row) => (sides?.has(row) ? answered : howOf);
}
