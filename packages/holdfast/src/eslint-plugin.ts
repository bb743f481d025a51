// `holdfast/eslint-plugin`: lint rules for mistakes that types cannot find. It runs in a linter, never in an application.
// oxlint-disable-next-line import/no-default-export -- linters load a plugin by its package name and use its default export
export { plugin as default } from './addons/lint/plugin.ts';
