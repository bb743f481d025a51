// The search of the site. The words that a reader brings from elsewhere, such as `invalidateQueries`, stand in the page itself, below the
// heading that answers them: `<!-- search: invalidateQueries, refetch -->`. Nobody sees them, and the search counts them most.
import type { MarkdownRenderer } from 'vitepress';

/** Around the words of a section, in the text that is indexed. */
const MARK = '\u0001';

/** The page as it is indexed. Words of code would bury the page that explains them. */
function render(text: string, env: object, md: MarkdownRenderer): Promise<string> {
  const prose = text
    .replace(/^```[^]*?^```$/gm, '')
    .replace(/^<!-- search: (.*?) -->$/gm, (_, words: string) => `${MARK}${words}${MARK}`);
  return md.renderAsync(prose, env);
}

// VitePress sends each of these functions to the page as its own text: they can use nothing that stands outside of them.
export const search = {
  detailedView: true,
  _render: render,
  miniSearch: {
    options: {
      fields: ['title', 'titles', 'text', 'words'],
      extractField(section: Record<string, unknown>, field: string): unknown {
        if (field !== 'words' && field !== 'text') return section[field];
        const parts = String(section['text']).split('\u0001');
        return parts.filter((_, index) => (index % 2 === 1) === (field === 'words')).join(' ');
      },
    },
    searchOptions: {
      fuzzy: (word: string) => (word.length > 5 ? 0.2 : 0),
      prefix: true,
      boost: { words: 30, title: 8, titles: 3, text: 1 },
      boostDocument(id: string): number {
        if (/^\/(?:benchmarks|architecture|decisions\/|reference\/changelog|errors\.html|glossary)/.test(id))
          return 0.1;
        return id.startsWith('/reference/') ? 0.3 : 1;
      },
    },
  },
};
