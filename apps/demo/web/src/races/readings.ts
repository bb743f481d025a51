// The pages of the documentation and the sources that the races link to, from the repository. Each is loaded on demand.

const DOCS = import.meta.glob<string>(
  '../../../../../docs/{freshness,write-queues,lists,live,optimistic-updates,sessions}.md',
  { query: '?raw', import: 'default' },
);
const SOURCES = import.meta.glob<string>('./*.ts', { query: '?raw', import: 'default' });

export interface Reading {
  readonly title: string;
  load(): Promise<string>;
}

const find = (files: Record<string, () => Promise<string>>, end: string): (() => Promise<string>) =>
  Object.entries(files).find(([path]) => path.endsWith(end))?.[1] ?? (() => Promise.resolve(''));

export const docsPage = (page: string): Reading => ({
  title: `docs/${page}.md`,
  load: find(DOCS, `/${page}.md`),
});

export const raceSource = (id: string): Reading => ({
  title: `apps/demo/web/src/races/${id}.ts`,
  load: find(SOURCES, `/${id}.ts`),
});
