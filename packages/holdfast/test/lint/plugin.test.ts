// The plugin as a whole: its recommended configuration, and its page.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import plugin from 'holdfast/eslint-plugin';
import { expect, test } from 'vitest';
import { lint } from './rule-tester.ts';

test('the recommended configuration runs every rule', () => {
  const program = `
    import { createResource, Entity } from 'holdfast';
    import { useSuspense } from 'holdfast/react';
    class User extends Entity { name = ''; about?: string; static override schema = { nam: String }; }
    const R = createResource({ path: 'users', schema: User, optimstic: true });
    function Page() {
      class Inner extends Entity { static override key = 'Inner'; id = ''; }
      useSuspense(R.get, { id: 1 }).name = 'x';
    }`;

  const reported = lint(program, plugin.configs.recommended).map(({ ruleId }) => ruleId);

  expect(new Set(reported)).toEqual(new Set(Object.keys(plugin.rules).map((name) => `holdfast/${name}`)));
});

test('a program without a mistake gets no report', () => {
  const program = `
    import { createResource, Entity } from 'holdfast';
    class Todo extends Entity { id = ''; author = ''; static override key = 'Todo'; }
    export const TodoResource = createResource({ path: '/todos/:id', schema: Todo, optimistic: true });`;

  expect(lint(program, plugin.configs.recommended)).toEqual([]);
});

test('every rule has its section of the page', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/linting.md'), 'utf8');

  expect([...page.matchAll(/^## holdfast\/(\S+)$/gm)].map(([, name]) => name)).toEqual(
    Object.keys(plugin.rules),
  );
});
