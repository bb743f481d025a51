// ESLint and a parser of TypeScript, from the folder where they are installed beside the compiler that the parser needs.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, describe, test } from 'vitest';

const repository = join(import.meta.dirname, '../../../..');
const require = createRequire(join(repository, 'compat/eslint/package.json'));
// a part of the parser is installed beside the compiler of the repository, which no longer has such an interface
require('typescript');
const ownCompiler = createRequire(join(repository, 'package.json')).resolve('typescript');
require.cache[ownCompiler] = require.cache[require.resolve('typescript')];

interface Case {
  readonly code: string;
  readonly errors: readonly {
    readonly message: string;
    readonly suggestions?: readonly { readonly desc: string; readonly output: string }[];
  }[];
}
interface Tester {
  run(
    name: string,
    rule: unknown,
    cases: { readonly valid: readonly string[]; readonly invalid: readonly Case[] },
  ): void;
}
interface Problem {
  readonly ruleId: string | null;
  readonly message: string;
}
interface Linter {
  verify(code: string, config: readonly object[], file: string): readonly Problem[];
}
type RuleTester = (new (config: object) => Tester) & {
  afterAll: unknown;
  describe: unknown;
  it: unknown;
  itOnly: unknown;
};

const eslint = require('eslint') as { readonly RuleTester: RuleTester; readonly Linter: new () => Linter }; // cast: what ESLint exports
Object.assign(eslint.RuleTester, { afterAll, describe, it: test, itOnly: test.only });

/** The parser of typescript-eslint. */
export const parser = require('@typescript-eslint/parser') as object; // cast: handed on as it is

/** Cases of one rule, parsed by the parser of ESLint, by that of TypeScript, or by that as JSX. */
export const inJavaScript: Tester = new eslint.RuleTester({
  languageOptions: { ecmaVersion: 2026, sourceType: 'module' },
});
export const inTypeScript: Tester = new eslint.RuleTester({
  languageOptions: { parser, sourceType: 'module' },
});
export const inComponents: Tester = new eslint.RuleTester({
  languageOptions: { parser, sourceType: 'module', parserOptions: { ecmaFeatures: { jsx: true } } },
});

/** The reports of a configuration for a program. */
export function lint(code: string, config: object): readonly Problem[] {
  return new eslint.Linter().verify(
    code,
    [{ files: ['**/*.ts'], languageOptions: { parser } }, config],
    'program.ts',
  );
}
