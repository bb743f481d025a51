// Finds words that the glossary replaces: in the pages of docs/ and in the texts of errors. Code, addresses and anchors may have them.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { docs, repository } from './pages.ts';

/** The replaced words of docs/glossary.md that have no other use here, with their forms. */
export const refused: Readonly<Record<string, RegExp>> = {
  answer: /\banswer(?:s|ed|ing)?\b/i,
  ask: /\basked for\b/i,
  guess: /\bguess(?:es|ed)?\b/i,
  ground: /\bgrounds?\b/i,
  'in doubt': /\bdoubts?\b/i,
  lane: /\blanes?\b/i,
  lay: /\blaid over\b|\blay over\b/i,
  lifetime: /\blifetimes?\b/i,
  lift: /\blift(?:s|ed)?\b/i,
  'own change': /\bown changes?\b/i,
  'take apart': /\btak(?:e|es|en|ing) apart\b|\btook apart\b/i,
  'take back': /\btak(?:e|es|en|ing)\b(?: \w+){0,2} back\b|\btook(?: \w+){0,2} back\b/i,
  'under way': /\bunder ?way\b/i,
  'unsaid': /\bunsaid\b/i,
  'wish': /\bwish(?:es)?\b/i,
};

/** Replaced words that are ordinary English too: a reader decides whether they stand for the library's own word. */
export const ordinary: readonly string[] = ['member', 'name', 'part', 'said', 'side', 'told', 'word'];

/** The words in the last column of the glossary's tables. */
export function readReplacedWords(glossary: string): string[] {
  return [...glossary.matchAll(/^\| \*\*.*\| ([^|]*) \|$/gm)].flatMap(([, cell = '']) =>
    cell.split(/[,;] /).filter((word) => word.trim() !== ''),
  );
}

export interface Text {
  /** `docs/lists.md`. */
  readonly name: string;
  readonly text: string;
}

/** The pages and the texts of errors. The glossary has the words on purpose; the changelog says what was. */
export function readTexts(): Text[] {
  const read = (name: string): Text => ({ name, text: readFileSync(join(repository, name), 'utf8') });
  const pages = globSync('{*.md,decisions/*.md}', { cwd: docs }).sort();
  return [
    ...pages.filter((page) => !/^(?:glossary|changelog)\.md$/.test(page)).map((page) => read(`docs/${page}`)),
    read('packages/holdfast/src/support/messages.ts'),
  ];
}

const blank = (found: string): string => found.replace(/[^\n]/g, ' ');

/** The text without code, addresses, anchors and comments of the source; lines keep their numbers. */
function withoutCode({ name, text }: Text): string {
  if (name.endsWith('.ts')) return text.replace(/^\s*\/\/.*$/gm, blank).replace(/\$\{[^}]*\}/g, blank);
  return text
    .replace(/^(```)[^]*?^\1$/gm, blank)
    .replace(/`[^`\n]*`/g, blank)
    .replace(/\]\([^)\s]*\)/g, blank)
    .replace(/<[^>\n]*>/g, blank);
}

/** Each replaced word with its place and its line. */
export function findReplacedWords(text: Text): string[] {
  const lines = withoutCode(text).split('\n');
  const whole = text.text.split('\n');
  return lines.flatMap((line, at) =>
    Object.entries(refused)
      .filter(([, form]) => form.test(line))
      .map(([word]) => `${text.name}:${at + 1}: ${word}: ${whole[at]?.trim()}`),
  );
}
