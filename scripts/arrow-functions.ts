// Writes the functions of a module as constants with arrow functions, which are shorter in a bundle: `function` and `return` go, and
// a bundler joins constants. A function stays as it is when its own `this` or `arguments` is read, when it is a generator, and when
// code that runs while the module loads may need it before its line: a constant has no value there yet. Called by build-library.ts.
// Lines stay, so that source maps hold.
import { parse, walk } from './declarations.ts';
import type { SyntaxNode } from './declarations.ts';

const FUNCTION = /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/;
const CALL = /^(?:CallExpression|NewExpression|TaggedTemplateExpression)$/;
/** What a module may create while it loads: none of them calls a function of the module. */
const HARMLESS = /^(?:Symbol|Set|WeakSet|Map|WeakMap|RegExp)$/;

/** Calls `visit` for each node that is no name of a member; false leaves out what is inside. */
function walkCode(node: unknown, visit: (node: SyntaxNode) => boolean): void {
  walk(node, (inner) => {
    if (inner.type === 'ExportSpecifier' || !visit(inner)) return false;
    const isMember = inner.type === 'MemberExpression';
    if (inner['computed'] || !(isMember || 'key' in inner)) return true;
    walkCode(isMember ? inner['object'] : inner['value'], visit);
    return false;
  });
}

/** The names that a statement reads while the module loads, and whether it calls something then. */
function loaded(statement: SyntaxNode): { names: ReadonlySet<string>; calls: boolean } {
  const names = new Set<string>();
  let calls = false;
  walkCode(statement, (node) => {
    if (FUNCTION.test(node.type) || (node.type === 'PropertyDefinition' && !node['static'])) return false;
    if (node.type === 'Identifier') names.add(String(node['name']));
    calls ||= CALL.test(node.type) && !HARMLESS.test(String(node['callee']?.name));
    return true;
  });
  return { names, calls };
}

function namesIn(node: SyntaxNode): ReadonlySet<string> {
  const names = new Set<string>();
  walkCode(node, ({ type, name }) => (type === 'Identifier' && names.add(String(name)), true));
  return names;
}

/** Whether the function's own `this` or `arguments` is read. */
function readsThis({ body, params }: SyntaxNode): boolean {
  let found = false;
  walk([body, params], (node) => {
    if (node.type === 'FunctionExpression' || node.type === 'FunctionDeclaration') return false;
    found ||= node.type === 'ThisExpression' || node['name'] === 'arguments';
    return !found;
  });
  return found;
}

/** The functions that code which runs while the module loads may need before their lines. */
function neededEarly(
  statements: readonly SyntaxNode[],
  functions: ReadonlyMap<string, SyntaxNode>,
): ReadonlySet<string> {
  const needed = new Set<string>();
  for (const statement of statements) {
    const { names, calls } = loaded(statement);
    // What is called may be any function that the statement names, and may call others: the set grows while the loop runs.
    const reached = new Set(calls ? namesIn(statement) : names);
    for (const name of reached) {
      const declared = functions.get(name);
      if (!declared) continue;
      if (declared.start > statement.start) needed.add(name);
      if (calls) for (const inner of namesIn(declared)) reached.add(inner);
    }
  }
  return needed;
}

export function writeArrows(file: string, code: string): string {
  const statements = (parse(file, code)['body'] as SyntaxNode[]).map(
    (statement): SyntaxNode => statement['declaration'] ?? statement,
  );
  const functions = new Map(
    statements
      .filter(({ type }) => type === 'FunctionDeclaration')
      .map((declared) => [String(declared['id'].name), declared]),
  );
  const needed = neededEarly(statements, functions);
  let text = code;
  // The last function is written first: what stands before it keeps its place.
  for (const [name, declared] of [...functions].reverse()) {
    const { start, end, body, async: isAsync, generator } = declared;
    if (needed.has(name) || generator || readsThis(declared)) continue;
    const params = code.slice(code.indexOf('(', start), body.start).trimEnd();
    const head = `const ${name} = ${isAsync ? 'async ' : ''}${params} => `;
    text = `${text.slice(0, start)}${head}${text.slice(body.start, end)};${text.slice(end)}`;
  }
  return text;
}
