// Colours code on the site when it is built, by the grammars that editors use. A word is an element only where it has a colour of its
// own, or a type that is shown when the pointer is over it: so pages stay small.
import { createHighlighter } from 'shiki';
import type { ThemeRegistrationRaw } from 'shiki';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
};
const escape = (text: string): string => text.replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign);
const escapeAttribute = (text: string): string => text.replace(/[&<>"\n]/g, (sign) => ESCAPES[sign] ?? sign);

/** What the grammars call the words of each colour. A later, more exact name counts more. */
const KINDS = {
  comment: ['comment', 'punctuation.definition.comment', 'meta.diff.range'],
  text: ['string', 'punctuation.definition.string', 'constant.other.option'],
  keyword: [
    'keyword',
    'storage',
    'variable.language',
    'constant.language',
    'keyword.operator.new',
    'keyword.operator.expression',
    'punctuation.definition.template-expression',
    'entity.name.command',
    'support.function.builtin.shell',
  ],
  number: ['constant.numeric'],
  name: ['entity.name.type', 'support.type', 'support.class', 'entity.other.inherited-class'],
  call: ['entity.name.function', 'support.function', 'support.type.property-name.json'],
  tag: ['entity.name.tag'],
  attribute: ['entity.other.attribute-name'],
  added: ['markup.inserted'],
  removed: ['markup.deleted'],
  plain: ['keyword.operator', 'storage.type.function.arrow', 'meta.template.expression', 'string.unquoted'],
} as const;
type Kind = keyof typeof KINDS;

/** The grammars name colours: the number of a colour is the place of its kind. */
const colourOf = (place: number): string => `#0000${(place + 16).toString(16)}`;
const kinds = Object.keys(KINDS) as Kind[]; // cast: the keys of the constant
const kindOf = new Map(kinds.map((kind, place) => [colourOf(place).toUpperCase(), kind]));

const theme: ThemeRegistrationRaw = {
  name: 'kinds',
  type: 'light',
  fg: '#000000',
  bg: '#ffffff',
  settings: kinds.map((kind, place) => ({
    scope: [...KINDS[kind]],
    settings: { foreground: colourOf(place) },
  })),
};
const LANGUAGES = ['ts', 'tsx', 'js', 'json', 'html', 'sh', 'diff'] as const;
type Language = (typeof LANGUAGES)[number];
const highlighter = await createHighlighter({ themes: [theme], langs: [...LANGUAGES] });

interface Token {
  readonly start: number;
  readonly end: number;
  readonly kind: Kind | undefined;
}

const isKnown = (language: string): language is Language => LANGUAGES.some((known) => known === language);

function readTokens(code: string, language: Language): Token[] {
  // without a limit of time: a busy machine would leave the rest of a line without colours
  const lines = highlighter.codeToTokensBase(code, { lang: language, theme, tokenizeTimeLimit: 0 });
  return lines.flat().map(({ content, offset, color = '' }) => {
    const kind = kindOf.get(color.toUpperCase());
    return { start: offset, end: offset + content.length, kind: kind === 'plain' ? undefined : kind };
  });
}

/** A word of code, and what an editor shows when the pointer is over it. */
export interface Hover {
  readonly start: number;
  readonly end: number;
  readonly type: string;
}

/** The names in code, and no words of comments, texts or the language. */
export function findNames(code: string, language: string): { start: number; end: number }[] {
  if (!isKnown(language)) return [];
  return readTokens(code, language)
    .filter(({ kind }) => kind === undefined || kind === 'name' || kind === 'call' || kind === 'attribute')
    .flatMap(({ start, end }) =>
      [...code.slice(start, end).matchAll(/[A-Za-z_$][\w$]*/g)].map((found) => ({
        start: start + found.index,
        end: start + found.index + found[0].length,
      })),
    );
}

/** The code as HTML: `<span class="t-keyword">`; a name with a hover has it as `data-type`. */
export function colour(code: string, language: string, hovers: readonly Hover[] = []): string {
  const tokens = isKnown(language) ? readTokens(code, language) : [];
  const kindAt = (at: number): Kind | undefined =>
    tokens.find(({ start, end }) => start <= at && at < end)?.kind;
  const edges = new Set([0, code.length]);
  for (const { start, end } of [...tokens, ...hovers]) edges.add(start).add(end);
  let html = '';
  let open = '';
  let text = '';
  const close = (): void => {
    html += open === '' ? escape(text) : `<span${open}>${escape(text)}</span>`;
    text = '';
  };
  const places = [...edges].toSorted((one, other) => one - other);
  for (const [index, start] of places.slice(0, -1).entries()) {
    const part = code.slice(start, places[index + 1]);
    const kind = kindAt(start);
    const hover = hovers.find((one) => one.start === start);
    const attributes = `${kind ? ` class="t-${kind}"` : ''}${hover ? ` data-type="${escapeAttribute(hover.type)}"` : ''}`;
    if (attributes !== open) {
      close();
      open = attributes;
    }
    text += part;
  }
  close();
  return html;
}

/** As VitePress wants it. Vue must not look for its own signs in code. */
export function highlight(code: string, language: string, hovers: readonly Hover[] = []): string {
  const lines = colour(code.trimEnd(), language, hovers);
  return `<pre class="code" tabindex="0" v-pre=""><code>${lines}</code></pre>`;
}
