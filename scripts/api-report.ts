// Writes what each entry exports, names first and then their declarations, from the built `.d.ts` files to
// packages/holdfast/api/ENTRY.api.md. The files are committed, so a change of the public surface shows in a diff;
// with `--check` it compares instead of writing. Reads text, since TypeScript 7 has no API for scripts.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const library = join(import.meta.dirname, '../packages/holdfast');
const dist = join(library, 'dist');
const reports = join(library, 'api');

interface Binding {
  readonly file: string;
  /** Name inside that file; `*` for the whole module. */
  readonly name: string;
}

interface Module {
  readonly imports: Map<string, Binding>;
  readonly exports: Map<string, Binding>;
  readonly declarations: Map<string, string[]>;
}

const opening = /^(?:export |declare |import |type |interface |abstract |class |function |const |enum )/;
const declared =
  /^(?:export )?(?:declare )?(?:default )?(?:abstract )?(?:class|function|const|let|var|type|interface|enum|namespace) ([\w$]+)/;

function withoutComments(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\/\n?[ \t]*/g, '')
    .replace(/^\/\/[^\n]*$/gm, '')
    .replace(/^[ \t]+$/gm, '');
}

/** Statements stand at column 0 in emitted declarations; what follows indented or closes a bracket belongs to them. */
function splitStatements(text: string): string[] {
  const statements: string[] = [];
  for (const line of withoutComments(text).split('\n')) {
    if (opening.test(line)) statements.push(line);
    else if (statements.length > 0 && line.trim() !== '') statements[statements.length - 1] += `\n${line}`;
  }
  return statements;
}

function splitNames(list: string): { local: string; exported: string }[] {
  return list
    .split(',')
    .map((each) => each.trim().replace(/^type /, ''))
    .filter(Boolean)
    .map((each) => {
      const [local = '', exported = local] = each.split(/ as /);
      return { local, exported };
    });
}

const modules = new Map<string, Module>();

function readModule(file: string): Module {
  const known = modules.get(file);
  if (known) return known;
  const module: Module = { imports: new Map(), exports: new Map(), declarations: new Map() };
  modules.set(file, module);
  const target = (specifier: string): string =>
    specifier.startsWith('.') ? join(dirname(file), specifier.replace(/\.js$/, '.d.ts')) : specifier;
  for (const statement of splitStatements(readFileSync(file, 'utf8'))) {
    const from = /\bfrom\s+["']([^"']+)["']/.exec(statement)?.[1];
    const list = /\{([^}]*)\}/.exec(statement)?.[1] ?? '';
    const whole = /\* as ([\w$]+)/.exec(statement)?.[1];
    if (statement.startsWith('import ') && from) {
      if (whole) module.imports.set(whole, { file: target(from), name: '*' });
      for (const { local, exported } of splitNames(list))
        module.imports.set(exported, { file: target(from), name: local });
    } else if (/^export (?:type )?[{*]/.test(statement)) {
      if (whole && from) module.exports.set(whole, { file: target(from), name: '*' });
      for (const { local, exported } of splitNames(list)) {
        module.exports.set(
          exported,
          from ? { file: target(from), name: local } : (module.imports.get(local) ?? { file, name: local }),
        );
      }
    } else {
      const name = declared.exec(statement)?.[1];
      if (!name) throw new Error(`${file}: cannot read ${statement.slice(0, 80)}`);
      module.declarations.set(name, [...(module.declarations.get(name) ?? []), statement]);
      if (statement.startsWith('export ')) module.exports.set(name, { file, name });
    }
  }
  return module;
}

/** Follows re-exports to the file that declares the name. */
function resolve({ file, name }: Binding): Binding {
  if (name === '*' || !existsSync(file)) return { file, name };
  const module = readModule(file);
  if (module.declarations.has(name)) return { file, name };
  const next = module.exports.get(name) ?? module.imports.get(name);
  return next ? resolve(next) : { file, name };
}

function describe(exported: string, binding: Binding): string {
  const { file, name } = resolve(binding);
  if (name === '*') {
    const names = [...readModule(file).exports.keys()].sort();
    return `namespace ${exported} { ${names.join(', ')} }`;
  }
  const statements = existsSync(file) ? readModule(file).declarations.get(name) : undefined;
  if (!statements) throw new Error(`no declaration of ${exported} (${name} in ${file})`);
  const text = statements
    .map((statement) => statement.replace(/^export /, '').replace(/^declare /, ''))
    .join('\n');
  return name === exported ? text : `// ${exported} is ${name}\n${text}`;
}

function report(entry: string): string {
  const { exports } = readModule(join(dist, `${entry}.d.ts`));
  const names = [...exports.keys()].sort();
  const path = entry === 'index' ? 'holdfast' : `holdfast/${entry.replace(/^(react|testing)-/, '$1/')}`;
  const bodies = names.map((name) => ({
    name,
    text: describe(name, exports.get(name) ?? { file: '', name }),
  }));
  return [
    `# \`${path}\``,
    `Written by \`npm run api:write\` from the built declarations; a change here is a change of the public surface.`,
    `${names.length} names.`,
    ...bodies.map(({ name, text }) => `## ${name}\n\n\`\`\`ts\n${text}\n\`\`\``),
    '',
  ].join('\n\n');
}

const entries = readdirSync(dist)
  .filter((file) => file.endsWith('.d.ts') && !file.startsWith('env.'))
  .map((file) => file.slice(0, -'.d.ts'.length));
const wanted = new Map(entries.map((entry) => [`${entry}.api.md`, report(entry)]));
const present = existsSync(reports) ? readdirSync(reports) : [];

if (process.argv.includes('--check')) {
  const stale = [...wanted].filter(
    ([file, text]) => !present.includes(file) || readFileSync(join(reports, file), 'utf8') !== text,
  );
  const differing = [...stale.map(([file]) => file), ...present.filter((file) => !wanted.has(file))];
  for (const file of differing)
    console.error(`packages/holdfast/api/${file} differs from what is built: run \`npm run api:write\``);
  process.exitCode = differing.length > 0 || entries.length === 0 ? 1 : 0;
} else {
  mkdirSync(reports, { recursive: true });
  for (const file of present) if (!wanted.has(file)) rmSync(join(reports, file));
  for (const [file, text] of wanted) writeFileSync(join(reports, file), text);
  console.log(`wrote ${wanted.size} reports`);
}
