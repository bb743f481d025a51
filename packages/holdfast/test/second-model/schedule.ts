// Random schedules of the second model, how they are played, and how a failing one is cut down.
import { Play } from './client.ts';
import type { Mode } from './client.ts';
import { findWrong } from './oracle.ts';
import { READ_ENDS, WRITE_ENDS } from './server.ts';

export interface Schedule {
  readonly mode: Mode;
  readonly lines: readonly string[];
}
interface Outcome extends Schedule {
  readonly wrong: readonly string[];
}

const KEYS = ['', 'status=open', 'sort=rank', 'sort=rank&status=open', 'q=a'];
const LISTS = ['counted', 'number', 'offset', 'cursor', 'hand'].flatMap((family) =>
  KEYS.map((key) => `/${family}${key && `?${key}`}`),
);
const WHOLE = [...KEYS, 'status=all', 'done=true', 'limit=3'].map((key) => `/items${key && `?${key}`}`);
const ALL_LISTS = [...WHOLE, ...LISTS];

/** Plays given lines. Stops at the first step after which something is wrong. */
export async function play({ mode, lines }: Schedule): Promise<Outcome> {
  const isShared = lines.some((line) => line.startsWith('foreign'));
  const one = new Play(mode, isShared);
  const played: string[] = [];
  let wrong: string[] = [];
  for (const line of lines) {
    if (await one.step(line)) played.push(line);
    wrong = findWrong(one);
    if (wrong.length > 0) break;
  }
  one.controller.stop();
  return { mode, lines: played, wrong };
}

/** Makes a schedule while it is played: `counts` says how often each kind of step was. */
export async function playRandom(seed: number, counts: Map<string, number>): Promise<Outcome> {
  let state = (seed * 2_654_435_761 + 12_345) % 2_147_483_646;
  const below = (end: number): number => {
    state = ((state + 1) * 48_271) % 2_147_483_647;
    return Math.floor((state / 2_147_483_647) * end);
  };
  for (let warm = 0; warm < 4; warm += 1) below(1);
  const pick = <T>(from: readonly T[]): T => from[below(from.length)]!; // never empty
  const mode = pick<Mode>(['plain', 'optimistic']);
  const isShared = below(3) === 0;
  const one = new Play(mode, isShared);
  const lists = [pick(LISTS), pick(WHOLE), pick(ALL_LISTS)];
  const some = [`i${1 + below(5)}`, `i${1 + below(5)}`];
  const seen = [...lists, ...lists, ...some.map((id) => `/items/${id}`), '/users/u1'];
  // a row that was created can be written when it has been heard of
  const known = (): string[] =>
    [...one.server.past.keys()].filter((id) => /i[1-5]/.test(id) || (id < 'u' && one.heard.has(id)));
  const rows = (): string => pick([some, known(), known().slice(-1)][below(3)]!);
  let used = 0;
  const fields = (): Record<string, unknown> => {
    const n = (used += 1);
    const title = `${pick(['a', 'b'])}x${n}`;
    return pick([
      { title },
      { rank: below(7) + (used += 1) / 1_000 },
      { status: pick(['open', 'shut']) },
      { done: below(2) === 0 },
      { rank: below(7) + (used += 1) / 1_000 },
      { owner: pick(['u1', 'u2']) },
    ]);
  };
  const whole = (): string =>
    JSON.stringify({
      title: 'a',
      status: 'open',
      done: false,
      rank: below(7) + (used += 1) / 1_000,
      owner: 'u1',
      ...fields(),
    });
  const write = (): string => {
    const kind = below(13);
    if (kind < 5) return `PATCH /items/${rows()} ${JSON.stringify(fields())}`;
    if (kind < 6) return `PUT /items/${rows()} ${whole()}`;
    if (kind < 7) return `PATCH /users/u1 {"name":"m${(used += 1)}"}`;
    if (kind < 10) return `DELETE /items/${rows()}`;
    if (kind < 11) return `POST /items/${rows()}/close`;
    const gone = [...one.server.past.keys()].find((id) => !one.server.row(id));
    return `POST /items ${gone && below(2) ? whole().replace('{', `{"id":"${gone}",`) : whole()}`;
  };
  const choose = (): string => {
    const kind = below(100);
    const { sent } = one;
    const ours = sent.length > 0 ? pick(sent) : undefined;
    const isRead = ours?.method === 'GET';
    const end = (): string => (below(isRead ? 4 : 2) ? 'full' : pick(isRead ? READ_ENDS : WRITE_ENDS));
    if (kind < 24 && ours) return `deliver ${ours.label}${ours.result ? '' : ` ${end()}`}`;
    if (kind < 40 && ours) return `handle ${ours.label} ${end()}`;
    if (kind < 56) return write();
    if (kind < 66) return `mount ${pick(seen)}`;
    if (kind < 68) return `leave ${pick(seen)}`;
    if (kind < 75) return `fetch ${pick(seen)}`;
    if (kind < 81) return `more ${pick(lists)}`;
    if (kind < 82) return `expire ${pick(seen)}`;
    if (kind < 83) return `invalidate ${pick(seen)}`;
    if (kind < 84) return `wait ${pick([10, 400, 1_100])}`;
    if (kind < 85) return 'idle';
    if (kind < 86) return 'rest';
    if (kind < 89) return `render ${pick(seen)}`;
    if (kind < 94)
      return one.states.size > 0 ? `${pick(['hydrate', 'part'])} ${pick([...one.states.keys()])}` : write();
    if (!isShared) return write();
    if (kind < 97) return `foreign ${write()}`;
    return `tell ${rows()}${below(2) ? ` ${one.server.rev - below(4)}` : ''}`;
  };
  const lines: string[] = [];
  let wrong: string[] = [];
  const take = async (line: string): Promise<void> => {
    if (wrong.length > 0 || !(await one.step(line))) return;
    lines.push(line);
    for (const word of wordsOf(line)) counts.set(word, (counts.get(word) ?? 0) + 1);
    wrong = findWrong(one);
  };
  for (const end = 10 + below(30); lines.length < end && wrong.length === 0;) await take(choose());
  await take('rest');
  const late = below(3) ? [...one.untold.keys()] : [];
  for (const id of late) await take(`tell ${id}`);
  if (late.length > 0) await take('rest');
  one.controller.stop();
  return { mode, lines, wrong };
}

/** What is counted of a step: its verb, the end of a request, the kind of list. */
function wordsOf(line: string): string[] {
  const [verb = '', target = '', path = '', end] = line.split(' ');
  const family = /^\/\w+$|^\/\w+\?/.exec(target) ? [`list ${target.split('?')[0]}`] : [];
  return [
    verb,
    ...family,
    ...(end && /handle|deliver/.test(verb) ? [`${target === 'GET' ? 'read' : 'write'} ${end}`] : []),
  ].concat(verb === 'foreign' ? [`foreign ${target}`] : [], path ? [] : []);
}

/** The shortest schedule, by leaving out lines, that still goes wrong in the same words up to names and values. */
export async function shrink(found: Outcome, kind: (wrong: string) => string = kindOf): Promise<Outcome> {
  const goal = kind(found.wrong[0] ?? '');
  let best = found;
  for (let size = Math.ceil(best.lines.length / 2); size > 0; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < best.lines.length;) {
      const lines = best.lines.toSpliced(from, size);
      const tried = await play({ mode: best.mode, lines });
      if (tried.wrong.some((one) => kind(one) === goal) && tried.lines.length < best.lines.length)
        best = tried;
      else from += size;
    }
  }
  return best;
}

export function kindOf(wrong: string): string {
  return wrong
    .replace(/^\S+ /, '')
    .replace(/\{.*|".*/, '')
    .replace(/[iu]?\d+(,|\b)/g, '');
}
