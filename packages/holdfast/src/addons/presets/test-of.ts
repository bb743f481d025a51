// Tests of plain values, for presets whose operators are decided here.
import type { byRole } from '../../schema/collection/argument-roles.ts';

export type Decide = (value: string, text: string) => boolean;

/** A test of plain values. The server compares what was sent over the wire, so objects such as dates and several values decide nothing. */
export function testOf(field: string, decide: Decide): byRole.Test {
  const test = (value: string | object, text: string): boolean | undefined =>
    typeof value === 'object' || text.includes(',') ? undefined : decide(value, text);
  return { field, test };
}
