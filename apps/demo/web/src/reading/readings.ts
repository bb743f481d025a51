// The sources and the pages of the documentation that the page shows, as HTML from the build. Each is loaded on demand.
import type { Reading } from './reader.tsx';

type Files = Record<string, () => Promise<string>>;

const DOCS: Files = import.meta.glob<string>(
  ['../../../../../docs/*.md', '!**/README.md', '!**/index.md', '!**/benchmarks.md', '!**/architecture.md'],
  { query: '?reading', import: 'default' },
);
const SOURCES: Files = import.meta.glob<string>(['../races/*.ts', '../resources/*.ts'], {
  query: '?reading',
  import: 'default',
});

const find = (files: Files, end: string): Files[string] =>
  Object.entries(files).find(([path]) => path.endsWith(end))?.[1] ??
  (() => Promise.resolve('There is no such page.'));

export const docsPage = ({ page }: { page: string }): Reading => ({
  title: `docs/${page}.md`,
  load: find(DOCS, `/${page}.md`),
});

const source = (folder: string, file: string): Reading => ({
  title: `apps/demo/web/src/${folder}/${file}`,
  load: find(SOURCES, `/${folder}/${file}`),
});

export const raceSource = (id: string): Reading => source('races', `${id}.ts`);
export const boardSources = {
  last: source('races', 'last-response-wins.ts'),
  holdfast: source('races', 'card.ts'),
} as const;
export const issueSource: Reading = source('resources', 'issue.ts');
