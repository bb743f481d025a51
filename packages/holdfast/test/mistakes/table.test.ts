// The mistakes that people made when they tried the library, each with what tells them: a type, a lint rule, a warning or an error
// of development, or the library itself, which copes with it. What nothing reports has a reason.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

type By = 'type' | 'lint' | 'development' | 'error' | 'handled' | 'silent';

/** `proof`: the title of a test, or part of it. Of a silent mistake, the reason. */
const mistakes: readonly (readonly [mistake: string, by: By, proof: string])[] = [
  ['a wrong name of a parameter', 'type', 'a misspelt parameter'],
  ['no arguments', 'type', 'a call without its parameter'],
  ['an unknown query', 'type', 'an unknown search parameter'],
  ['a mutation in a reading hook', 'type', 'a mutation where an endpoint is read'],
  ['a mutation in a reading hook, in JavaScript', 'error', 'MUTATION_READ'],
  ['useQuery with a queryKey', 'error', 'useQuery refuses %s and names the hook that is meant'],
  ['a misspelt field of a body', 'type', 'a misspelt field of a body'],
  [
    'a creation without required fields',
    'silent',
    'Which fields the server requires is not known: it may fill in ids, times and owners. `body` of the resource declares them.',
  ],
  [
    'data of useDLE that was not checked',
    'type',
    'useDLE is a union: after loading and error the data is complete',
  ],
  ['a row that is assigned to', 'lint', 'an assignment to a field of what was read'],
  ['a list that is sorted in place', 'lint', 'sorting a list that was read'],
  ['no provider', 'error', 'PROVIDER_MISSING'],
  ['no boundary', 'development', 'a reader that waits up to the provider itself is reported'],
  ['a schema made in a render', 'lint', 'a schema made inside a component'],
  [
    'new Controller() in a render',
    'development',
    'a provider that gets another controller at each render is reported',
  ],
  [
    'a provider inside a provider',
    'development',
    'a provider without a controller inside a provider is reported',
  ],
  [
    'controller.fetch or set in a render',
    'silent',
    'The controller does not know of renders: it has no framework. React itself warns where such a call updates another component.',
  ],
  [
    'usePages without pages',
    'type',
    'usePages refuses an endpoint without pages, and says how to give it some',
  ],
  ['a token path that the response lacks', 'development', 'a token that is elsewhere'],
  ['HTML in place of JSON', 'error', 'HTML instead of JSON'],
  ['204 to a read', 'error', 'WRONG_SHAPE'],
  ['204 to a mutation', 'handled', 'a PATCH with a 204 response keeps the sent values, and is no error'],
  ['a list in an envelope', 'error', 'a list in an envelope'],
  ['an object in place of a list, or a list in place of an object', 'error', 'a response of another shape'],
  [
    'ids that are texts here and numbers there',
    'handled',
    'a row has one queue, for a number or a string as its key',
  ],
  ['a row without an id', 'error', 'a row without its key'],
  ['an id beyond the integers', 'error', 'ENTITY_UNSAFE_ID'],
  [
    'the same row twice in a list',
    'handled',
    'a row that occurs twice in a payload is merged twice, in order',
  ],
  ['two classes with one explicit key', 'development', 'two classes with one key'],
  ['a class without a key', 'lint', 'no static key'],
  ['a date that is not in static schema', 'development', 'a date that is not in static schema'],
  [
    'an invalid date',
    'silent',
    'The value is what the server sent, and `Invalid Date` says so on the screen. `EntityOf` with a schema refuses it.',
  ],
  [
    'a field under the name that the server uses',
    'development',
    'a field under the name that the server uses',
  ],
  ['null where the class has an object', 'development', 'null where the class has an object'],
  ['an id in place of a nested object', 'error', 'INCOMPLETE_ENTITY'],
  ['a schema that names no field', 'development', 'an unknown field in static schema'],
  ['a misspelt option', 'type', 'a misspelt option'],
  ['a wrong method', 'type', 'a misspelt method'],
  ['a path without a parameter', 'development', 'a path without a parameter'],
  ['a relative URL in Node', 'development', 'a relative URL where there is no page'],
  [
    'a read that is answered with another id',
    'silent',
    'Servers answer aliases (`/users/me`, a slug) with the id of the row, so another id is no evidence of a mistake.',
  ],
  [
    'a failed mutation that nobody awaits',
    'development',
    'a failure that nobody gets is named once in development',
  ],
];

const folder = join(import.meta.dirname, '..');
const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.test(-d)?\.tsx?$/.test(file) && !file.includes('table.test'))
  .map((file) => readFileSync(join(folder, file), 'utf8'))
  .join('\n');

test('each of the 42 mistakes is reported or handled, as a test proves, or has the reason why nothing reports it', () => {
  expect(mistakes).toHaveLength(42);
  const unproven = mistakes.filter(([, by, proof]) => by !== 'silent' && !texts.includes(proof));
  const unreasoned = mistakes.filter(([, by, proof]) => by === 'silent' && proof.length < 40);

  expect(unproven).toEqual([]);
  expect(unreasoned).toEqual([]);
});
