// The rules of the source layout, as functions from an import graph to messages about violations. Folders are stages of the data
// flow in alphabetical order; entry files are at the root, and no file imports them.
import type { SourceImport } from './source-imports.ts';

/** The folder a file belongs to, or undefined for an entry file at the root. */
export function folderOf(file: string): string | undefined {
  const [folder, rest] = file.split('/');
  return rest === undefined ? undefined : folder;
}

/** The subfolder of a stage that a file belongs to; empty for a file of the stage itself, which sorts before all of them. */
export function subfolderOf(file: string): string {
  return file.split('/').slice(1, -1).join('/');
}

/** Imports against the alphabet, by stage and one level down, and imports of entry files. */
export function findWrongDirections(imports: readonly SourceImport[]): string[] {
  return imports.flatMap(({ from, to, line }) => {
    const source = folderOf(from);
    const target = folderOf(to);
    if (target === undefined) return [`${from}:${line} imports the entry file ${to}`];
    const isBack =
      source !== undefined && (source > target || (source === target && subfolderOf(from) > subfolderOf(to)));
    if (isBack) return [`${from}:${line} → ${to} goes against the alphabet`];
    return [];
  });
}

/** The imports between features, each pair of them once: `http → validate`. A feature is a subfolder of `addons`. */
export function findSharedFeatures(imports: readonly SourceImport[]): string[] {
  const pairs = imports
    .filter(({ from, to }) => folderOf(from) === 'addons' && folderOf(to) === 'addons')
    .map(({ from, to }) => [subfolderOf(from), subfolderOf(to)])
    .filter(([source, target]) => source !== '' && source !== target)
    .map((pair) => pair.join(' → '));
  return [...new Set(pairs)].sort();
}

/** Import cycles between files of one folder, each named once. */
export function findCycles(imports: readonly SourceImport[]): string[] {
  const targets = new Map<string, string[]>();
  for (const { from, to } of imports) {
    if (folderOf(from) === folderOf(to)) targets.set(from, [...(targets.get(from) ?? []), to]);
  }
  const done = new Set<string>();
  const cycles: string[] = [];
  function visit(file: string, trail: readonly string[]): void {
    const seenAt = trail.indexOf(file);
    if (seenAt >= 0) {
      cycles.push([...trail.slice(seenAt), file].join(' → '));
      return;
    }
    if (done.has(file)) return;
    for (const target of targets.get(file) ?? []) visit(target, [...trail, file]);
    done.add(file);
  }
  for (const file of targets.keys()) visit(file, []);
  return cycles;
}
