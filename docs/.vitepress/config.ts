// The site's frame: navigation, search, and how a heading becomes an anchor. Pages are the Markdown files of docs/; the folder
// reference/ is made by scripts/docs/build.ts before the site is.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { breakCodes } from './break-codes.ts';
import { darkPictures } from './dark-pictures.ts';
import { fileNames } from './file-names.ts';
import { longTables } from './long-tables.ts';
import { highlight } from '../../scripts/docs/highlight.ts';
import { readPageHovers } from '../../scripts/docs/hovers.ts';
import { search } from './search.ts';
import { GUIDES, sections } from '../../scripts/docs/sections.ts';
import { slugify } from '../../scripts/docs/slugify.ts';

const docs = join(import.meta.dirname, '..');

const hovers = await readPageHovers();

/** Matches the addresses of the pages of these sections, for the navigation. */
const activeIn = (titles: readonly string[]): string =>
  `^/(?:${sections
    .filter(({ title }) => titles.includes(title))
    .flatMap(({ pages }) => pages.map(({ page }) => page.replace('README', '[\\w-]+')))
    .join('|')})(?:\\.html)?$`;

/** The decisions stand below the page that lists them, so that each has its place, its next and its previous page. */
const decisions = readdirSync(join(docs, 'decisions'))
  .filter((file) => /^\d/.test(file))
  .sort()
  .map((file) => ({
    text:
      readFileSync(join(docs, 'decisions', file), 'utf8')
        .split('\n', 1)[0]
        ?.replace(/^# 0*/, '') ?? file,
    link: `/decisions/${file.replace(/\.md$/, '')}`,
  }));

/** A page that is not written yet is left out of the navigation. */
const sidebar = sections.map(({ title, pages, isCollapsed = false }) => ({
  text: title,
  collapsed: isCollapsed,
  items: pages
    .filter(({ page }) => existsSync(join(docs, `${page}.md`)))
    .map(({ page, name }) => ({
      text: name,
      link: `/${page}`,
      ...(page === 'decisions/README' && { collapsed: true, items: decisions }),
    })),
}));

export default defineConfig({
  lang: 'en',
  title: 'Holdfast',
  description: 'Declare a REST resource once: typed endpoints, a normalized cache and React hooks.',
  base: process.env['DOCS_BASE'] ?? '/',
  srcExclude: ['patterns/**'],
  // the list of the pages, as the repository shows it
  rewrites: { 'README.md': 'guides.md' },
  head: [
    ['link', { rel: 'icon', type: 'image/svg+xml', href: `${process.env['DOCS_BASE'] ?? '/'}logo.svg` }],
  ],
  transformHtml: (html) => html.replace('class="VPContent is-home"', 'role="main" class="VPContent is-home"'),
  markdown: {
    // as GitHub makes them: the pages are read there too, and errors name their anchors so
    anchor: { slugify },
    // a head of a column that says nothing is no head: screen readers would announce it
    config(md) {
      fileNames(md);
      breakCodes(md);
      longTables(md);
      darkPictures(md, docs);
      md.core.ruler.push('empty-heads', ({ tokens }) => {
        tokens.forEach((token, index) => {
          if (token.type !== 'th_open' || tokens[index + 1]?.content !== '') return;
          for (const one of tokens.slice(index, index + 3)) if (one.tag === 'th') one.tag = 'td';
        });
      });
    },
    highlight: (code, language) => highlight(code, language, hovers.get(code.trimEnd())),
  },
  themeConfig: {
    logo: '/logo.svg',
    nav: [
      { text: 'Start', link: '/getting-started', activeMatch: activeIn(['Start']) },
      { text: 'Guides', link: '/guides', activeMatch: `^/guides|${activeIn([...GUIDES, 'In depth'])}` },
      { text: 'Reference', link: '/reference/', activeMatch: '^/reference/|^/(?:errors|glossary)' },
      { text: 'Compare', link: '/comparison', activeMatch: activeIn(['Why and how']) },
    ],
    sidebar,
    outline: [2, 3],
    search: { provider: 'local', options: search },
    docFooter: { prev: 'Previous', next: 'Next' },
    footer: { message: 'Apache-2.0' },
  },
});
