// Small changes of a file that tests should notice, found by the shape of the code. A change that leaves the compiled code as it
// was, or as another change has made it, is none.
import { transformSync } from 'esbuild';
import { walk } from '../declarations.ts';
import type { SyntaxNode } from '../declarations.ts';
import { applyEdit } from './place.ts';
import type { Edit, Source } from './place.ts';

const OPERATORS: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '??=': '=',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '+=': '-=',
  '-=': '+=',
};

const METHODS: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  filter: 'map',
  startsWith: 'includes',
};

/** Code that does not run, or that only names a module. */
const SILENT =
  /^(Import|ExportAll|TS(?!AsExpression|NonNullExpression|SatisfiesExpression|ParameterProperty))/;

/** The changes of a file, in the order of its lines. */
export function mutationsOf(source: Source): readonly Edit[] {
  const { file, code, program } = source;
  const edits: Edit[] = [];
  const seen = new Set([undefined, compile(code)]);
  const add = ({ start, end }: Pick<SyntaxNode, 'start' | 'end'>, text: string): void => {
    const edit = { file, start, end, text };
    const after = compile(applyEdit(code, edit));
    if (!seen.has(after)) edits.push(edit);
    seen.add(after);
  };
  const put = (node: SyntaxNode | null, form: string): void => {
    if (node)
      add(
        node,
        form.replace('_', () => code.slice(node.start, node.end)),
      );
  };
  walk(program, (node) => {
    if (SILENT.test(node.type) || (node.type === 'ExportNamedDeclaration' && node['source'])) return false;
    const operator = Object.hasOwn(OPERATORS, node['operator']) ? OPERATORS[node['operator']] : undefined;
    if (operator && node['left']) {
      const start = code.indexOf(node['operator'], node['left'].end);
      add({ start, end: start + node['operator'].length }, operator);
    }
    switch (node.type) {
      case 'Literal':
        if (typeof node['value'] === 'boolean') put(node, String(!node['value']));
        if (node['value'] === 0 || node['value'] === 1) put(node, String(1 - node['value']));
        if (typeof node['value'] === 'string' && node['value'] !== '') put(node, "''");
        break;
      case 'IfStatement':
      case 'ConditionalExpression':
        put(node['test'], '!(_)');
        break;
      case 'UnaryExpression':
        if (node['operator'] === '!') put(node, code.slice(node['argument'].start, node['argument'].end));
        break;
      case 'ReturnStatement':
        put(node['argument'], 'void (_)');
        break;
      case 'SpreadElement':
        put(node['argument'], '(void _ ?? [])');
        break;
      case 'ContinueStatement':
        put(node, 'break;');
        break;
      case 'ExpressionStatement':
        if (/^(Call|Await|Chain)Expression$/.test(node['expression'].type)) put(node, ';');
        break;
      case 'CallExpression': {
        const name: unknown = node['callee'].property?.name;
        if (typeof name === 'string' && Object.hasOwn(METHODS, name))
          put(node['callee'].property, METHODS[name] ?? name);
        break;
      }
      default:
    }
  });
  return edits.toSorted((left, right) => left.start - right.start);
}

function compile(text: string): string | undefined {
  try {
    return transformSync(text, { loader: 'tsx', target: 'es2023', minifySyntax: true, logLevel: 'silent' })
      .code;
  } catch {
    return undefined;
  }
}
