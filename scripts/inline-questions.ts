// Puts the questions of store/order.ts in place of their calls. Each is one comparison of two marks, and its name is for readers of
// the sources; no bundler puts a function of another module in place. Called by build-library.ts, before names are shortened.
import { basename } from 'node:path';
import { parse, walk } from './declarations.ts';
import type { SyntaxNode } from './declarations.ts';

interface Question {
  readonly params: readonly SyntaxNode[];
  readonly source: string;
  readonly answer: SyntaxNode;
}

/** An argument that may be read more than once: a name, or a path of names. */
const SIMPLE = /^[\w$#.]+$/;

/** Whether the expression compares or measures two values, and does nothing else: longer answers would be longer than a call. */
function isShort(answer: SyntaxNode): boolean {
  if (answer.type === 'CallExpression') return answer['callee'].object?.name === 'Math';
  return answer.type === 'BinaryExpression' && [answer['left'], answer['right']].every(isValue);
}

function isValue({ type }: SyntaxNode): boolean {
  return type === 'Identifier' || type === 'MemberExpression' || type === 'Literal';
}

/** The functions of a module that have one `return` with a short answer, and no other statement. */
function questionsIn(file: string, source: string): ReadonlyMap<string, Question> {
  const found = new Map<string, Question>();
  for (const { declaration } of parse(file, source)['body'] as SyntaxNode[]) {
    const [first, ...others] = (declaration?.body?.body ?? []) as SyntaxNode[];
    if (first?.type !== 'ReturnStatement' || others.length > 0 || !isShort(first['argument'])) continue;
    found.set(declaration.id.name, { params: declaration.params, source, answer: first['argument'] });
  }
  return found;
}

/** What stands in place of each parameter's name; undefined for a call that must stay, such as one with a spread. */
function valuesOf(params: readonly SyntaxNode[], args: readonly string[]): Map<string, string> | undefined {
  const values = new Map<string, string>();
  for (const [at, param] of params.entries()) {
    const given = args[at];
    const value = given === undefined || SIMPLE.test(given) ? given : `(${given})`;
    if (param.type === 'RestElement') values.set(param['argument'].name, args.slice(at).join(', '));
    else if (param.type === 'AssignmentPattern' && param['left'].type === 'Identifier')
      values.set(param['left'].name, value ?? String(param['right'].raw));
    else if (value === undefined) return undefined;
    else if (param.type === 'Identifier') values.set(param['name'], value);
    else if (param.type === 'ObjectPattern' && value === given)
      for (const { key, value: name } of param['properties'] as SyntaxNode[])
        values.set(name.name, `${given}.${key.name}`);
    else return undefined;
  }
  return values;
}

/** The answer as an expression; undefined where an argument would be evaluated twice. */
function answerOf({ params, source, answer }: Question, args: readonly string[]): string | undefined {
  const values = valuesOf(params, args);
  if (!values) return undefined;
  const uses: SyntaxNode[] = [];
  walk(answer, (node) => {
    if (node.type === 'SpreadElement') {
      uses.push({ ...node['argument'], start: node.start, end: node.end });
      return false;
    }
    if (node.type === 'MemberExpression') {
      uses.push(node['object']);
      return false;
    }
    if (node.type === 'Identifier') uses.push(node);
    return true;
  });
  let text = source.slice(answer.start, answer.end);
  const seen = new Set<string>();
  for (const { name, start, end } of uses.toSorted((left, right) => right.start - left.start)) {
    const value = values.get(name);
    if (value === undefined) continue;
    if (seen.has(name) && !SIMPLE.test(value)) return undefined;
    seen.add(name);
    text = text.slice(0, start - answer.start) + value + text.slice(end - answer.start);
  }
  return `(${text})`;
}

/** The code of a file with the calls of the questions that it imports from `module` answered in place. */
export function inlineQuestions(file: string, code: string, module: string, source: string): string {
  const questions = questionsIn(module, source);
  let text = code;
  for (let isDone = false; !isDone;) {
    isDone = true;
    const imported = new Set<string>();
    const calls: SyntaxNode[] = [];
    walk(parse(file, text), (node) => {
      if (node.type === 'ImportDeclaration' && String(node['source'].value).endsWith(`/${basename(module)}`))
        for (const { local } of node['specifiers'] as SyntaxNode[]) imported.add(local.name);
      if (node.type === 'CallExpression' && imported.has(node['callee'].name)) calls.push(node);
    });
    // The last call is answered first: what stands before it keeps its place. Then the file is read again.
    for (const { callee, arguments: given, start, end } of calls.reverse()) {
      const question = questions.get(callee.name);
      const isSpread = (given as SyntaxNode[]).some(({ type }) => type === 'SpreadElement');
      const args = (given as SyntaxNode[]).map((one) => text.slice(one.start, one.end));
      const answer = question && !isSpread ? answerOf(question, args) : undefined;
      if (answer === undefined) continue;
      text = text.slice(0, start) + answer + text.slice(end);
      isDone = false;
      break;
    }
  }
  return text;
}
