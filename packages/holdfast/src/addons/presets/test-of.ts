// Makes the test of an argument with an operator, such as `views_gte=10`, from a comparison of two strings. It is for the presets
// of servers whose operators the client can evaluate.
import type { byRole } from '../../schema/collection/argument-roles.ts';

export type CompareTexts = (value: string, text: string) => boolean;

/**
 * The test of a field. The result is undefined for an argument with a comma, because it may have several values. It is also
 * undefined for an object, such as a parsed date, because the server compares the wire form.
 */
export function testOf(field: string, decide: CompareTexts): byRole.Test {
  const test = (value: string | object, text: string): boolean | undefined =>
    typeof value === 'object' || text.includes(',') ? undefined : decide(value, text);
  return { field, test };
}
