// Checks the list of names that the build shortens, or writes it anew (`--write`). A name may be shortened when a class or a
// type of the library declares it and nothing outside can meet it: no public type, no platform, no text, no state or error.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import {
  isLint,
  isMember,
  library,
  memberName,
  parse,
  readSurface,
  usedMember,
  walk,
} from './declarations.ts';
import type { Surface, SyntaxNode } from './declarations.ts';
import { homonyms, internalNames } from './internal-names.list.ts';

const list = join(import.meta.dirname, 'internal-names.list.ts');
const sources = join(library, 'src');

/** Types that are written into a state as JSON, member by member: another version, or a page, reads them by name. */
const isWritten = (type: string): boolean => type.startsWith('Dehydrated');

/** Whether a member is written as a text, as in `{ 'stamp': 1 }`: the build leaves it as it is. */
const isText = (node: SyntaxNode): boolean => node['key'].type === 'Literal';

interface Sources {
  /** Members that classes, interfaces and object types declare, each with the file that does. */
  readonly declared: ReadonlyMap<string, string>;
  /** Members that are read, written or defined somewhere. */
  readonly used: ReadonlySet<string>;
  /** Names that must stay, each with the reason. */
  readonly kept: ReadonlyMap<string, string>;
  /** Texts, which may be names, each with its file. */
  readonly texts: ReadonlyMap<string, string>;
}

/** What stands in a place where only the compiler sees it. */
const typeOnly = (node: SyntaxNode): boolean =>
  node.type.startsWith('TS') &&
  !['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression'].includes(node.type);

/** The member names of an object literal. */
function literalNames(node: SyntaxNode): string[] {
  const names: string[] = [];
  walk(node, (inner) => {
    if (inner.type === 'Property' && !isText(inner)) names.push(memberName(inner) ?? '');
    return inner.type !== 'ArrowFunctionExpression';
  });
  return names;
}

function readSources({ reached }: Surface): Sources {
  const isPublic = (file: string, name: string): boolean =>
    reached.has(`${file.split(sep).join('/').replace(/\.ts$/, '.d.ts')}#${name}`);
  const declared = new Map<string, string>();
  const used = new Set<string>();
  const kept = new Map<string, string>();
  const texts = new Map<string, string>();
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !isLint(file),
  );
  for (const file of files.sort()) {
    const keep = (name: string | undefined, why: string): void => {
      if (name !== undefined) kept.set(name, `${why} in ${file}`);
    };
    const program = parse(file, readFileSync(join(sources, file), 'utf8'));
    walk(program, (node) => {
      if (isMember(node)) {
        const name = memberName(node);
        if (name !== undefined) declared.set(name, file);
      }
      // an application may extend the class, and give its own members any name
      if (node.type === 'ClassDeclaration' && isPublic(file, String(node['id']?.name))) {
        for (const member of node['body'].body as SyntaxNode[])
          if (isMember(member))
            keep(memberName(member), `is a member of the public class ${node['id'].name}`);
      }
      const type = /Interface|TypeAlias|Class/.test(node.type) ? String(node['id']?.name) : '';
      if (isWritten(type)) {
        walk(node, (inner) => {
          if (isMember(inner) && !isText(inner))
            keep(memberName(inner), `is written into a state, as a member of ${type},`);
        });
      }
      // a cast to a shape: what is cast came from outside
      if (node.type === 'TSAsExpression' && node['typeAnnotation'].type === 'TSTypeLiteral') {
        for (const member of node['typeAnnotation'].members as SyntaxNode[])
          if (isMember(member)) keep(memberName(member), 'is read off a value by a cast');
      }
      return true;
    });
    walk(program, (node) => {
      if (typeOnly(node)) return false;
      if (node['source'] && /^(?:Import|Export)/.test(node.type)) return false;
      const name = usedMember(node);
      if (name !== undefined) used.add(name);
      if (node.type === 'Literal' && typeof node['value'] === 'string') texts.set(node['value'], file);
      if (node.type === 'TemplateElement') texts.set(String(node['value'].cooked), file);
      if (node.type === 'CallExpression' || node.type === 'NewExpression') {
        const given = node['arguments'] as SyntaxNode[];
        const code = given.findIndex(
          (one) => one.type === 'Literal' && /^[A-Z]+(_[A-Z]+)+$/.test(String(one['value'])),
        );
        for (const one of code < 0 ? [] : given.slice(code + 1))
          for (const name of literalNames(one)) keep(name, `is a parameter of ${given[code]?.['value']}`);
      }
      return true;
    });
  }
  return { declared, used, kept, texts };
}

/** The member names of the platform's types, of React's but for the attributes of elements, and of Node's streams. */
function readPlatform(): Set<string> {
  const root = createRequire(import.meta.url);
  // a file of a package, and one of a package that only that package depends on
  const near = (name: string, file: string): string =>
    join(dirname(root.resolve(`${name}/package.json`)), file);
  const behind = (name: string, file: string): string =>
    createRequire(near(name, 'package.json')).resolve(file);
  const compiler = behind(
    'typescript',
    `@typescript/typescript-${process.platform}-${process.arch}/package.json`,
  );
  const types = join(dirname(compiler), 'lib');
  const files = [
    ...readdirSync(types)
      .filter((file) => /^lib\.(?:es|dom|decorators).*\.d\.ts$/.test(file))
      .map((file) => join(types, file)),
    near('@types/react', 'index.d.ts'),
    near('@types/node', 'stream.d.ts'),
    behind('@types/node', 'undici-types/fetch.d.ts'),
  ];
  const names = new Set<string>();
  for (const file of files) {
    walk(parse(file, readFileSync(file, 'utf8')), (node) => {
      if (node.type === 'TSInterfaceDeclaration' && String(node['id'].name).endsWith('Attributes'))
        return false;
      const name = isMember(node) ? memberName(node) : undefined;
      if (name !== undefined) names.add(name);
      return true;
    });
  }
  return names;
}

/** Says why a name may not be shortened; undefined for one that may. */
export function createJudge(
  surface: Surface = readSurface(),
  { declared, used, kept, texts }: Sources = readSources(surface),
): (name: string) => string | undefined {
  const platform = readPlatform();
  return (name) => {
    if (!used.has(name)) return 'no longer occurs in the sources';
    if (surface.members.has(name)) return 'is a member of a public type';
    if (!declared.has(name)) return 'is declared by no class and no type of the library';
    if (kept.has(name)) return kept.get(name);
    if (homonyms.includes(name)) return undefined;
    if (platform.has(name)) return 'is a member of the platform or of React';
    return texts.has(name) ? `is a text in ${texts.get(name)}` : undefined;
  };
}

const isSorted = (names: readonly string[]): boolean => names.join() === [...new Set(names)].sort().join();

if (import.meta.main) {
  const surface = readSurface();
  const found = readSources(surface);
  const judge = createJudge(surface, found);
  // two letters are as short as what they would be given
  const possible = [...found.used].filter((name) => name.length > 2 && judge(name) === undefined).sort();
  if (process.argv.includes('--write')) {
    const [head] = readFileSync(list, 'utf8').split('export const internalNames');
    const lines = possible.map((name) => `  '${name}',\n`).join('');
    writeFileSync(list, `${head}export const internalNames: readonly string[] = [\n${lines}];\n`);
    console.log(`wrote ${possible.length} names: read the diff, build, and run \`npm run check -- tarball\``);
  } else {
    const problems = [
      ...internalNames.filter((name) => judge(name) !== undefined).map((name) => `${name} ${judge(name)}`),
      ...homonyms
        .filter((name) => !internalNames.includes(name))
        .map((name) => `${name} is a homonym of no listed name`),
      ...(isSorted(internalNames) && isSorted(homonyms) ? [] : ['a list is not sorted']),
    ];
    for (const problem of problems) console.error(problem);
    if (problems.length > 0)
      console.error('mend scripts/internal-names.list.ts by hand or with `npm run check -- names --write`');
    const missing = possible.filter((name) => !internalNames.includes(name));
    if (missing.length > 0) console.log(`${missing.length} more could be shortened: ${missing.join(' ')}`);
    console.log(`${internalNames.length} names, ${problems.length} problems`);
    process.exitCode = problems.length > 0 ? 1 : 0;
  }
}
