// Two builds of the library under the same script: the first step at which something visible from outside differs, and the
// shortest script that still shows such a difference.
import { shrink } from '../shrink.ts';
import { takeFilm } from './film.ts';
import type { Frame } from './film.ts';
import type { Library } from './library.ts';
import { withoutNumbers } from './scribe.ts';
import type { Script } from './script.ts';

export interface Difference {
  /** The first difference: the kind of the line, or `references` where the content is the same, or `order` of lines. */
  kind: string;
  step: number;
  before: string;
  after: string;
}

export interface Builds {
  before: Library;
  after: Library;
  isDevelopment: boolean;
  /** Kinds of lines that are not compared. */
  ignored: ReadonlySet<string>;
}

export async function compareBuilds(builds: Builds, script: Script): Promise<Difference | undefined> {
  const options = { hasOwnShop: builds.isDevelopment };
  const before = await takeFilm(builds.before, script, options);
  const after = await takeFilm(builds.after, script, options);
  const length = Math.max(before.length, after.length);
  for (let step = 0; step < length; step++) {
    const difference = compareFrames(before[step] ?? [], after[step] ?? [], builds.ignored);
    if (difference) return { ...difference, step };
  }
  return undefined;
}

function compareFrames(
  before: Frame,
  after: Frame,
  ignored: ReadonlySet<string>,
): Omit<Difference, 'step'> | undefined {
  const keep = (frame: Frame): string[] => {
    const kept = frame.filter((line) => !ignored.has(kindOf(line)));
    return ignored.has('references') ? kept.map(withoutNumbers) : kept;
  };
  const one = keep(before);
  const two = keep(after);
  const at = one.findIndex((line, index) => line !== two[index]);
  const index = at >= 0 ? at : one.length < two.length ? one.length : -1;
  if (index < 0) return undefined;
  const [left, right] = contexts(one, two, index);
  const sides = { before: left, after: right };
  const sorted = (lines: string[]): string => lines.map(withoutNumbers).sort().join('\n');
  if (sorted(one) === sorted(two)) {
    const isOrder = one.map(withoutNumbers).join('\n') !== two.map(withoutNumbers).join('\n');
    if (isOrder && ignored.has('order')) return undefined;
    return { kind: isOrder ? 'order' : 'references', ...sides };
  }
  const kind = kindOf(one[index] ?? two[index]!);
  return { kind, ...sides };
}

const kindOf = (line: string): string => line.slice(0, line.indexOf(' '));

/** The first place where the two lines differ, and the lines before them in the same step. */
function contexts(one: readonly string[], two: readonly string[], index: number): [string, string] {
  const [left, right] = [one[index] ?? '(nothing)', two[index] ?? '(nothing)'];
  let at = 0;
  while (at < left.length && left[at] === right[at]) at++;
  const start = at > BEFORE ? at - BEFORE : 0;
  const show = (lines: readonly string[], line: string): string => {
    const earlier = lines.slice(Math.max(0, index - 4), index).map((other) => other.slice(0, AFTER));
    const part = `${line.slice(0, line.indexOf(' '))} …${line.slice(start, at + AFTER)}`;
    return [...earlier, `→ ${start > 0 ? part : line.slice(0, at + AFTER)}`].join('\n    ');
  };
  return [show(one, left), show(two, right)];
}

/** Characters of a line that are shown, before and after the place where it differs. */
const BEFORE = 160;
const AFTER = 240;

/** The shortest script that shows a difference of the same kind. */
export function shrinkDifference(builds: Builds, script: Script, kind: string): Promise<Script> {
  return shrink(script, async (candidate) => (await compareBuilds(builds, candidate))?.kind === kind);
}
