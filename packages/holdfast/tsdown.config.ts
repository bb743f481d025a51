import { readdirSync } from 'node:fs';
import { defineConfig } from 'tsdown';

// Every file at the root of src is an entry. `env.*` are the two sides of the "#env" import condition:
// built like entries, reached only through "imports" in package.json, so that a bundler picks one.
// `testing-react.ts` is the entry `testing/react`: folders at the root of src are stages of the data flow.
const sources = new URL('./src/', import.meta.url);
const entry = Object.fromEntries(
  readdirSync(sources, { withFileTypes: true })
    .filter((file) => file.isFile() && file.name.endsWith('.ts'))
    .map((file) => [file.name.slice(0, -'.ts'.length), `src/${file.name}`]),
);

export default defineConfig({
  entry,
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  tsconfig: 'tsconfig.json',
  dts: { oxc: true, sourcemap: false },
  deps: { neverBundle: ['#env', /^react(\/|$)/, /^react-dom(\/|$)/, /^vue(\/|$)/, /^next(\/|$)/, /^node:/] },
  sourcemap: true,
  // file per file: `sideEffects: false` then lets a bundler drop whole modules, and dist mirrors src
  unbundle: true,
  checks: { moduleLevelDirective: false },
  fixedExtension: false,
  outDir: 'dist',
});
