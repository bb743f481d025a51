// `holdfast/eslint-plugin`: lint rules for mistakes that types cannot see. Runs in a linter, never in an application.
// oxlint-disable-next-line import/no-default-export -- linters take a plugin that is named in a text by its default export
export { plugin as default } from './addons/lint/plugin.ts';
