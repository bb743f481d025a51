// Most of what a kind of schema can do besides writing and reading is a role with required members. Only protocol.ts asks whether a kind has
// a role. What a kind is stands in `Traits`, as facts that callers read.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listSources, withoutComments } from './source-imports.ts';

const sources = join(import.meta.dirname, '../../src');
const PROTOCOL = 'schema/protocol/protocol.ts';
const read = (file: string): string => withoutComments(readFileSync(join(sources, file), 'utf8'));

/** The members of each interface of a text, as they are declared: `query`, or `query?` when the member is optional. */
function readMembers(text: string): ReadonlyMap<string, readonly string[]> {
  const interfaces = text.matchAll(/interface (\w+)[^{]*\{\n(.*?)\n\}/gs);
  return new Map(
    [...interfaces].map(([, name, body]) => [
      name!,
      [...body!.matchAll(/^ {2}(?:readonly )?(\w+\??)[(:<]/gm)].map(([, member]) => member!),
    ]),
  );
}

/** The roles of `type WithRoles`. */
function rolesIn(text: string): string[] {
  return /type WithRoles = Kind & Partial<([\w &\n]+)>;/
    .exec(text)![1]!
    .split('&')
    .map((role) => role.trim());
}

/** The lines that ask whether something has one of the members. */
function questionsIn(text: string, members: readonly string[]): string[] {
  const asked = new RegExp(`\\.(?:${members.join('|')})\\?\\.`);
  return text
    .split('\n')
    .filter((line) => asked.test(line))
    .map((line) => line.trim());
}

const members = readMembers(read(PROTOCOL));
const roles = ['HasOwners', 'HasQuery', ...rolesIn(read(PROTOCOL))];

test('no member of a role, nor of an owner of tables, is optional', () => {
  const all = [...roles, 'TableOwner'].map((role) => members.get(role));
  expect(all).not.toContain(undefined);
  expect(all.flat().filter((name) => name?.endsWith('?'))).toEqual([]);
});

test('the optional members of the protocol are these, and no more', () => {
  const optional = [...members].flatMap(([name, of]) =>
    of.filter((member) => member.endsWith('?')).map((member) => `${name}.${member}`),
  );
  expect(optional).toEqual([
    'Kind.enterAll?',
    'Kind.identify?',
    'Kind.covers?',
    'Traits.needsNoResponse?',
    'Traits.isDerived?',
    'Traits.isPlacement?',
    'Traits.form?',
    'FormFiller.isContextual?',
    'ListForm.withName?',
    'Meta.expiresAt?',
  ]);
});

test('no file but the protocol asks a kind whether it has a role', () => {
  const names = roles.flatMap((role) => members.get(role) ?? []);
  const found = listSources(sources)
    .filter((file) => file !== PROTOCOL)
    .flatMap((file) => questionsIn(read(file), names).map((line) => `${file}: ${line}`));
  expect(found).toEqual([]);
});

test('the check sees an optional member, and a question', () => {
  expect(readMembers('interface A {\n  readonly one: B;\n  two?(): C;\n}').get('A')).toEqual(['one', 'two?']);
  expect(questionsIn('const all = kind.owners?.() ?? [];', ['owners'])).toHaveLength(1);
});
