// The lint rules as one plugin, which `holdfast/eslint-plugin` exports.
import type { LintRule } from './ast.ts';
import { noEntityAssignment, noSchemaInComponent } from './components.ts';
import { entityFieldValue, entityKey, entityPk, entitySchemaFields } from './entities.ts';
import { knownOptions, validPath } from './declarations.ts';

/** All rules by name. */
export const rules: Readonly<Record<string, LintRule>> = {
  'entity-field-value': entityFieldValue,
  'entity-key': entityKey,
  'entity-pk': entityPk,
  'entity-schema-fields': entitySchemaFields,
  'known-options': knownOptions,
  'no-entity-assignment': noEntityAssignment,
  'no-schema-in-component': noSchemaInComponent,
  'valid-path': validPath,
};

/** A plugin for ESLint, or for another linter that runs rules written for ESLint. */
export interface LintPlugin {
  readonly meta: { readonly name: string };
  readonly rules: Readonly<Record<string, LintRule>>;
  readonly configs: { readonly recommended: LintConfig };
}

/** A flat configuration: one element of the array in `eslint.config.js`. */
export interface LintConfig {
  readonly name: string;
  readonly plugins: Record<string, { readonly rules: Record<string, LintRule> }>;
  readonly rules: Record<string, 'error'>;
}

/**
 * Rules for mistakes that the compiler cannot find. In `eslint.config.js`: `export default [holdfast.configs.recommended]`.
 *
 * @example
 * import holdfast from 'holdfast/eslint-plugin';
 *
 * export const config = [holdfast.configs.recommended];
 */
export const plugin: LintPlugin = {
  meta: { name: 'holdfast' },
  rules,
  configs: {
    recommended: {
      name: 'holdfast/recommended',
      plugins: { holdfast: { rules } },
      rules: Object.fromEntries(Object.keys(rules).map((name) => [`holdfast/${name}`, 'error'] as const)),
    },
  },
};
