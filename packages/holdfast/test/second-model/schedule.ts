// Random schedules of the second model, how they are played, and how a failing one is shortened.
import { createPlay } from './client.ts';
import type { Mode, Play } from './client.ts';
import { findWrong } from './oracle.ts';
import { READ_ENDS, WRITE_ENDS } from './server.ts';
/** The lines that were played, and what is wrong after the last of them. */
export type Played = Readonly<{ mode: Mode; lines: readonly string[]; wrong: readonly string[] }>;
const NEW = { title: 'a', status: 'open', done: false, owner: 'u1' };
const KEYS = ['', '?status=open', '?sort=rank', '?sort=rank&status=open', '?q=a'];
const listsOf = (family: string): string[] => KEYS.map((key) => `/${family}${key}`);
const MORE = ['/items?status=all', '/items?done=true', '/items?limit=3'];
const WHOLE = [...listsOf('items'), ...MORE, ...listsOf('counted')];
const IN_PAGES = ['number', 'offset', 'cursor', 'hand'].flatMap(listsOf);
/** Plays lines until something is wrong, or there are no more. */
export async function play(mode: Mode, give: (one: Play) => Iterable<string>): Promise<Played> {
  const one = createPlay(mode);
  const lines: string[] = [];
  let wrong: string[] = [];
  for (const line of give(one)) {
    if (!(await one.step(line))) continue;
    lines.push(line);
    wrong = findWrong(one);
    if (wrong.length > 0) break;
  }
  one.controller.stop();
  return { mode, lines, wrong };
}
/** Generates a schedule while it is played. */
export function playRandom(seed: number): Promise<Played> {
  let state = (seed * 2_654_435_761) % 2_147_483_647;
  const below = (end: number): number => {
    state = ((state + 1) * 48_271) % 2_147_483_647;
    return Math.floor((state / 2_147_483_647) * end);
  };
  return play(below(2) ? 'plain' : 'optimistic', (one) => makeUp(one, below));
}
function* makeUp(one: Play, below: (end: number) => number): Generator<string> {
  const { server, sent, states, untold } = one;
  const pick = <T>(from: readonly T[]): T => from[below(from.length)]!; // never empty
  const isShared = below(3) === 0;
  // where others insert and delete between two numbered pages, no client can know the rows between them
  const pages = isShared ? IN_PAGES.filter((url) => !/number|offset/.test(url)) : IN_PAGES;
  const lists = [pick(pages), pick([...WHOLE, ...pages])];
  const some = [`i${1 + below(5)}`, `i${1 + below(5)}`];
  const seen = [...lists, ...lists, ...some.map((id) => `/items/${id}`), '/users/u1'];
  let used = 0;
  const rank = (): number => below(7) + (used += 1) / 1_000;
  const row = (): string => {
    const met = new Set([...one.views.values()].flatMap(({ read }) => read?.ids ?? []));
    const known = [...server.past.keys()].filter((id) => /i[1-5]/.test(id) || (id < 'u' && met.has(id)));
    const hot = known.filter((id) => [...sent].some(({ result }) => result?.wrote === id));
    return `/items/${pick(pick([some, known, known.slice(-1), hot.length > 0 ? hot : some]))}`;
  };
  const fields = (): object => {
    const title = `${pick(['a', 'b'])}x${(used += 1)}`;
    const [status, owner, done] = [pick(['open', 'shut']), pick(['u1', 'u2']), below(2) === 0];
    return pick<object>([{ title }, { status }, { done }, { owner }, { rank: rank() }, { rank: rank() }]);
  };
  const whole = (more?: object): string => JSON.stringify({ ...NEW, rank: rank(), ...fields(), ...more });
  const write = (): string => {
    const kind = below(13);
    const id = [...server.past.keys()].find((gone) => !server.row(gone));
    if (kind < 5) return `PATCH ${row()} ${JSON.stringify(fields())}`;
    if (kind < 6) return `PUT ${row()} ${whole()}`;
    if (kind < 7) return `PATCH /users/u1 {"name":"m${(used += 1)}"}`;
    if (kind < 10) return `DELETE ${row()}`;
    return kind < 11 ? `POST ${row()}/close` : `POST /items ${whole(id && below(2) ? { id } : {})}`;
  };
  const choose = (): string => {
    const kind = below(100);
    const ours = sent.size > 0 ? pick([...sent]) : undefined;
    const end = below(ours?.view ? 4 : 2) ? 'full' : pick<string>(ours?.view ? READ_ENDS : WRITE_ENDS);
    if (kind < 24 && ours) return `deliver ${ours.label} ${end}`;
    if (kind < 40 && ours) return `handle ${ours.label} ${end}`;
    if (kind < 56) return write();
    if (kind < 66) return `mount ${pick(seen)}`;
    if (kind < 75) return `${pick(['fetch', 'fetch', 'fetch', 'leave'])} ${pick(seen)}`;
    if (kind < 81) return `more ${pick(lists)}`;
    if (kind < 82) return `invalidate ${pick(seen)}`;
    if (kind < 84) return pick(['idle', 'rest']);
    if (kind < 88) return `render ${pick(seen)}`;
    if (kind < 93) return `${pick(['hydrate', 'part'])} ${pick([...states.keys(), ''])}`;
    if (kind < 96 && isShared) return `foreign ${write()}`;
    return kind < 97 || untold.size > 0 ? `tell ${pick([...untold.keys(), 'all'])}` : write();
  };
  for (let left = 12 + below(40); left > 0; left -= 1) yield choose();
  yield 'rest';
  for (const id of untold.keys()) yield `tell ${id}`;
  if (isShared) yield 'rest';
}
/** The shortest schedule, by leaving out lines, that still fails in the same way. */
export async function shrink(found: Played): Promise<Played> {
  const kindOf = (wrong = ''): string => wrong.replace(/^GET.*|[\d{].*/, '');
  const isSame = (wrong: string): boolean => kindOf(wrong) === kindOf(found.wrong[0]);
  let best = found;
  for (let size = best.lines.length >> 1; size > 0; size >>= 1)
    for (let from = 0; from < best.lines.length;) {
      const lines = best.lines.toSpliced(from, size);
      const tried = await play(best.mode, () => lines);
      if (tried.wrong.some(isSame) && tried.lines.length < best.lines.length) best = tried;
      else from += size;
    }
  return best;
}
