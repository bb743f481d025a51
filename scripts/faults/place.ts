// Finds where a fault goes. A fault names a function, a part of it and a few words that stand in that part: `in: 'isOlder'`, `the:
// 'value'`, `with: 'stamp.fence'` is the innermost value in `isOlder` that holds `stamp.fence`. The syntax tree knows where the part
// starts and ends, so that formatting, comments, other names and all code around the words may change; and the function may stand in
// any file, so that it may move. The words are few on purpose: each is one that a rename can take away. What is lost is told with
// the place that is closest.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { walk } from '../declarations.ts';
import type { SyntaxNode } from '../declarations.ts';

/** The parts of a function, each by what holds it; without a dot, the node itself. `text` is the words alone. */
const PARTS = {
  statement:
    'BlockStatement.body IfStatement.consequent IfStatement.alternate ForStatement.body ForOfStatement.body WhileStatement.body SwitchCase.consequent',
  condition:
    'IfStatement.test ConditionalExpression.test WhileStatement.test ForStatement.test DoWhileStatement.test',
  operand: 'LogicalExpression.left LogicalExpression.right',
  comparison: 'BinaryExpression',
  branch: 'ConditionalExpression.consequent ConditionalExpression.alternate',
  value:
    'VariableDeclarator.init AssignmentExpression.right Property.value PropertyDefinition.value ReturnStatement.argument ArrowFunctionExpression.body ForOfStatement.right',
  argument: 'CallExpression.arguments NewExpression.arguments',
  call: 'CallExpression',
  text: '',
} as const;

/** Where a fault goes and what it puts there. */
export interface Spot {
  /** Below packages/holdfast/src: where the function was last. */
  readonly file: string;
  /** A function, a constant or `Class.member`, not one inside another. */
  readonly in: string;
  readonly the: keyof typeof PARTS;
  /** What stands in the part, in no other part of its kind in the function. Blanks count for nothing. */
  readonly with: string;
  /** What takes the place of the part; `_` is the part itself, and nothing drops it. */
  readonly becomes: string;
}

export interface Edit {
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface Source {
  readonly file: string;
  /** The text with blanks for comments. */
  readonly code: string;
  readonly program: SyntaxNode;
  /** By name; one name may have several, such as a getter and a setter. */
  readonly functions: ReadonlyMap<string, readonly SyntaxNode[]>;
}

interface Place {
  readonly source: Source;
  readonly name: string;
  readonly node: Pick<SyntaxNode, 'type' | 'start' | 'end'>;
}

export function readSources(folder: string): readonly Source[] {
  return globSync('**/*.{ts,tsx}', { cwd: folder })
    .sort()
    .map((file) => readSource(file, readFileSync(join(folder, file), 'utf8')));
}

export function readSource(file: string, text: string): Source {
  const { program, comments } = parseSync(file, text);
  let code = text;
  for (const { start, end } of comments)
    code = code.slice(0, start) + code.slice(start, end).replaceAll(/\S/g, ' ') + code.slice(end);
  const root = program as unknown as SyntaxNode; // cast: read by shape
  return { file, code, program: root, functions: functionsOf(root) };
}

function functionsOf(program: SyntaxNode): Map<string, SyntaxNode[]> {
  const functions = new Map<string, SyntaxNode[]>();
  const add = (name: string, node: SyntaxNode): void => {
    functions.set(name, [...(functions.get(name) ?? []), node]);
  };
  for (const statement of program['body'] as SyntaxNode[]) {
    const declared: SyntaxNode = statement['declaration'] ?? statement;
    for (const one of (declared['declarations'] ?? [declared]) as SyntaxNode[]) {
      const name: string | undefined = one['id']?.name;
      if (!name || one.type.startsWith('TS')) continue;
      const members: SyntaxNode[] | undefined = one['body']?.body;
      if (one.type !== 'ClassDeclaration' || !members) add(name, one);
      else
        for (const member of members) {
          const { type, name: key } = (member['key'] ?? {}) as SyntaxNode;
          if (key) add(`${name}.${type === 'PrivateIdentifier' ? '#' : ''}${key}`, member);
        }
    }
  }
  return functions;
}

/**
 * The edit that makes the fault; `movedTo` where its function stands in another file; or why there is none. A function that has
 * faults of its own is hardly the one that is looked for under another name: those are `taken`.
 */
export function findEdit(
  sources: readonly Source[],
  spot: Spot,
  taken: ReadonlySet<string> = new Set(),
): { readonly edit: Edit; readonly movedTo: string | undefined } | { readonly lost: string } {
  const holders = sources.filter(({ functions }) => functions.has(spot.in));
  const named = holders.find(({ file }) => file === spot.file);
  const places = (named ? [named] : holders).flatMap((source) => placesIn(source, spot.in, spot));
  const [place] = places;
  if (place && places.length === 1) {
    const { file } = place.source;
    const stranger = strangerIn(spot.becomes, place.source, sources);
    if (stranger) return { lost: `what it puts there names \`${stranger}\`, which is not known there` };
    return { edit: editAt(place, spot), movedTo: named ? undefined : file };
  }
  const why =
    holders.length === 0
      ? `no function \`${spot.in}\``
      : `${places.length} times the ${spot.the} with \`${spot.with}\` in \`${spot.in}\``;
  const closest = closestPlace(sources, spot, taken);
  return { lost: `${why}; the closest match is ${closest ? describe(closest) : 'nowhere'}` };
}

/** The parts of this kind that hold the words, in one function. */
function placesIn(source: Source, name: string, { the, with: words }: Spot): readonly Place[] {
  return (source.functions.get(name) ?? []).flatMap((root) => {
    const parts = partsOf(root, the);
    const code = source.code.slice(root.start, root.end);
    const found = [...code.matchAll(patternOf(words))].flatMap((match) => {
      const start = root.start + match.index;
      const range = { type: 'text', start, end: start + match[0].length };
      return the === 'text' ? range : (innermost(parts, range) ?? []);
    });
    return [...new Set(found)].map((node) => ({ source, name, node }));
  });
}

function partsOf(root: SyntaxNode, the: Spot['the']): readonly SyntaxNode[] {
  const parts: SyntaxNode[] = [];
  const holders = PARTS[the].split(' ').map((holder) => holder.split('.'));
  walk(root, (node) => {
    if (node.type === 'ObjectPattern') return false; // has the shape of values, and none
    if (node['shorthand']) return;
    for (const [type, member] of holders)
      if (type === node.type) parts.push(...[member ? (node[member] ?? []) : node].flat());
  });
  return parts.filter(({ type }) => type !== 'BlockStatement' && type !== 'SpreadElement');
}

function innermost(
  parts: readonly SyntaxNode[],
  range: Pick<SyntaxNode, 'start' | 'end'>,
): SyntaxNode | undefined {
  return parts
    .filter(({ start, end }) => start <= range.start && range.end <= end)
    .toSorted((left, right) => left.end - left.start - (right.end - right.start))[0];
}

/** Finds words in any formatting: blanks, quotes, semicolons and the comma behind the last of several may differ. */
function patternOf(words: string): RegExp {
  const tokens = (words.match(/\w+|[^\w\s]/g) ?? []).map((token) => {
    if (/\w/.test(token)) return `\\b${token}\\b`;
    if (/['"]/.test(token)) return `['"]`;
    if (token === ';') return ';?';
    return (/[)\]}]/.test(token) ? String.raw`,?\s*` : '') + `\\${token}`;
  });
  return new RegExp(tokens.join(String.raw`\s*`), 'g');
}

function editAt({ source, node }: Place, { the, becomes }: Spot): Edit {
  const { type, start, end } = node;
  const own = source.code.slice(start, end);
  const isExpression = the !== 'statement' && the !== 'text';
  const text = becomes.replaceAll(/\b_\b/g, () => (isExpression ? `(${own})` : own));
  // what a declaration declares is used behind it
  const isInBraces = the === 'statement' && type !== 'VariableDeclaration';
  return {
    file: source.file,
    start,
    end,
    text: isInBraces ? `{ ${text} }` : isExpression ? `(${text})` : text,
  };
}

const KEYWORDS = /^(break|const|false|for|if|new|null|of|return|throw|true|typeof|void)$/;

/** A name in the new text that its file does not hold, or a member that no file holds: it was renamed, and would throw. */
function strangerIn(becomes: string, source: Source, sources: readonly Source[]): string | undefined {
  const holds = (name: string, within: readonly Source[]): boolean =>
    within.some(({ code }) => patternOf(name).test(code));
  const code = becomes.replaceAll(/'[^']*'|`[^`]*`/g, "''");
  const declared = [...code.matchAll(/\b(?:const|let) (\w+)/g)].map(([, name]) => name);
  const names = [...code.matchAll(/(\.?)\b([a-z]\w*)/gi)].map(([, dot, name = '']) => ({
    isMember: !!dot,
    name,
  }));
  return names.find(
    ({ isMember, name }) =>
      !KEYWORDS.test(name) &&
      !declared.includes(name) &&
      !(name in globalThis) &&
      !holds(name, isMember ? sources : [source]),
  )?.name;
}

export function applyEdit(text: string, { start, end, text: put }: Edit): string {
  return text.slice(0, start) + put + text.slice(end);
}

/** Where the words stand under another name, in the same file before all others; else the part that looks most like them. */
function closestPlace(sources: readonly Source[], spot: Spot, taken: ReadonlySet<string>): Place | undefined {
  const score = ({ name, source }: Place): number =>
    likeness(spot.in, name) + Number(source.file === spot.file) - Number(name !== spot.in && taken.has(name));
  const all = sources.flatMap((source) => [...source.functions.keys()].map((name) => ({ source, name })));
  const same = all.flatMap(({ source, name }) => placesIn(source, name, spot));
  if (same.length > 0) return best(same, score);
  const alike = all
    .filter(({ source, name }) => name === spot.in || source.file === spot.file)
    .flatMap(({ source, name }) =>
      (source.functions.get(name) ?? [])
        .flatMap((root) => partsOf(root, spot.the === 'text' ? 'statement' : spot.the))
        .map((node) => ({ source, name, node })),
    );
  return best(alike, (place) => {
    const { start, end } = place.node;
    return likeness(spot.with, place.source.code.slice(start, end)) + score(place);
  });
}

function best(places: readonly Place[], score: (place: Place) => number): Place | undefined {
  return places.toSorted((left, right) => score(right) - score(left))[0];
}

/** The share of the pairs of letters of one text that the other one holds, a little less where the other one is long. */
function likeness(one: string, other: string): number {
  const pairs = Array.from({ length: one.length - 1 }, (_, at) => one.slice(at, at + 2));
  return pairs.filter((pair) => other.includes(pair)).length / (pairs.length || 1) - other.length / 10_000;
}

function describe({ source: { file, code }, name, node: { start, end } }: Place): string {
  const line = code.slice(0, start).split('\n').length;
  return `\`${name}\`, ${file}:${line}: ${code.slice(start, end).replaceAll(/\s+/g, ' ').slice(0, 100)}`;
}
