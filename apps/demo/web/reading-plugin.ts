// The sources and the pages of the documentation that the demo shows, as HTML that is made when the page is built:
// `import html from './file.ts?reading'`, or `?reading=part` for the lines between `// #region part` and `// #endregion`. Code is coloured then, so no highlighter is sent to the visitor.
import { readFile } from 'node:fs/promises';
import { dirname, extname } from 'node:path';
import { bundledLanguages, createHighlighter } from 'shiki';
import type { BundledLanguage, Highlighter } from 'shiki';
import type { Plugin } from 'vite';
import { createMarkdownRenderer } from 'vitepress';

const ASKED = /^(.+)\?reading(?:=(\w+))?$/;
/** Both pass the contrast of WCAG AA. */
const themes = { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' } as const;

export function readings(): Plugin {
  let highlighter: Promise<Highlighter> | undefined;
  let renderer: ReturnType<typeof createMarkdownRenderer> | undefined;
  const colour = async (code: string, language: string): Promise<string> => {
    highlighter ??= createHighlighter({ themes: Object.values(themes), langs: [] });
    const loaded = await highlighter;
    const lang = isBundled(language) ? language : 'text';
    await loaded.loadLanguage(lang);
    return loaded.codeToHtml(code.trimEnd(), { lang, themes, defaultColor: 'light-dark()' });
  };
  return {
    name: 'readings',
    enforce: 'pre',
    async load(id) {
      const [, file, part] = ASKED.exec(id) ?? [];
      if (file === undefined) return undefined;
      this.addWatchFile(file);
      const text = cut(await readFile(file, 'utf8'), part);
      const html = file.endsWith('.md')
        ? await (renderer ??= createMarkdownRenderer(dirname(file), { highlight: colour })).then((md) =>
            md.renderAsync(prepare(text)),
          )
        : await colour(text, extname(file).slice(1));
      return `export default ${JSON.stringify(html)}`;
    },
  };
}

function isBundled(language: string): language is BundledLanguage {
  return language in bundledLanguages;
}

/** The whole text without the marks of its parts, or one part. */
export function cut(text: string, part?: string): string {
  const found = part && new RegExp(`// #region ${part}\\n([^]*?)\\n// #endregion`).exec(text)?.[1];
  if (part && !found) throw new Error(`there is no part ${part}`);
  return (found || text).replaceAll(/^\/\/ #(?:end)?region.*\n/gm, '');
}

/** A page of the documentation. Its links lead to other pages in the reader, and of a picture its description is shown. */
function prepare(text: string): string {
  return text
    .replace(/^---[^]*?\n---\n/, '')
    .replaceAll(/^<<< (?:@\/)?(\S+)$/gm, '`$1`')
    .replaceAll(/!\[([^\]]*)\]\([^)]*\)/g, '*$1*');
}
