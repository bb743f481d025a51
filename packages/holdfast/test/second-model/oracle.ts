// What the second model holds to be wrong. After every step a reader that calls itself fresh can be explained by what the server
// had since this client's own last write of a row; at rest it shows what the server has. Nothing here knows how the library works.
import { ExpiryStatus, isDraft } from 'holdfast';
import { Item, User } from './client.ts';
import type { Play, View } from './client.ts';
import { matches } from './server.ts';
import type { Fields } from './server.ts';

const text = (value: unknown): string => JSON.stringify(value) ?? 'nothing';

/** The rows that a view shows. */
function rowsOf({ id }: View, data: unknown): readonly Fields[] {
  if (!data) return [];
  const { rows = data } = data as { rows?: unknown }; // cast: asked here
  return (id ? [data] : rows) as readonly Fields[]; // cast: the views of the model
}

/** The fields of a row in the form that the server keeps: the owner is its id. */
function plain(row: Fields): Fields {
  const owner = row['owner'] as Fields | undefined; // cast: see Item
  return { ...row, ...('owner' in row && { owner: owner?.['id'] }) };
}

/** Everything that is wrong now, in words. */
export function findWrong(play: Play): string[] {
  const found = [...play.views.values()].flatMap((view) => checkView(play, view));
  if (play.idleFrom < Infinity) found.push(...checkRequests(play));
  return found;
}

function checkView(play: Play, view: View): string[] {
  const { controller, now, isAtRest } = play;
  const { url, endpoint, args, reader } = view;
  const found: string[] = [];
  const { data, expiresAt, expiryStatus } = controller.getResponse(endpoint, ...args);
  const isFresh = data !== undefined && expiresAt > now && expiryStatus === ExpiryStatus.Valid;
  const error = controller.getError(endpoint, ...args);
  const rows = rowsOf(view, data);
  const say = (what: string): number => found.push(`${url} ${what}`);
  // a reader
  const anew = expiryStatus === ExpiryStatus.Invalid ? undefined : data;
  if (!error && text(controller.watch(endpoint, ...args).read().data) !== text(anew))
    say('shows a new reader something else');
  if (!error && reader && text(reader.told) !== text(anew))
    say(`was told ${text(reader.told)}, shows ${text(anew)}`);
  if (reader && isAtRest && !isFresh && !error && !isGone(play, view))
    say('stays stale, though it is mounted');
  // stale or not
  for (const row of rows) {
    const own = controller.get(Item === row.constructor ? Item : User, { id: row['id'] });
    if (text(own) !== text(row)) say(`shows ${text(row)}, the row is ${text(own)}`);
  }
  const { total } = Object(data) as { total?: number }; // cast: asked here
  const isCounted = total !== undefined && view.family !== 'offset';
  if (isCounted && total < rows.length) say(`has a total of ${total} over ${rows.length} rows`);
  if (!isFresh || error) return found;
  const owners = rows.flatMap((row) => (row['owner'] as Fields | undefined) ?? []); // cast: see Item
  for (const row of [...rows, ...owners]) for (const one of checkFields(play, row)) say(one);
  if (!view.id) for (const one of checkMembers(play, view, rows)) say(one);
  if (isAtRest && !view.id)
    for (const one of checkAtRest(play, view, rows, isCounted ? total : undefined)) say(one);
  return found;
}

function isGone({ server }: Play, { id }: View): boolean {
  return id !== '' && server.row(id) === null;
}

/** The forms of a row that may be shown: those since the own last write; at rest the last one. */
function formsOf({ server, floors, isAtRest, untold }: Play, id: string): readonly (Fields | null)[] {
  const past = server.past.get(id) ?? [];
  const floor = past.findLastIndex(({ rev }) => rev <= (floors.get(id) ?? 0));
  const since = isAtRest && !untold.has(id) ? past.slice(-1) : past.slice(Math.max(floor, 0));
  return [...since.map(({ row }) => row), ...(floor < 0 && since.length === past.length ? [null] : [])];
}

function checkFields(play: Play, row: Fields): string[] {
  const id = String(row['id']);
  const pending = play.pending.filter((one) => one.id === id).map(({ fields }) => fields);
  if (isDraft(row)) return play.isAtRest ? [`shows the draft ${id}`] : [];
  const forms = [...formsOf(play, id), ...pending];
  return Object.entries(plain(row)).flatMap(([name, value]) => {
    const isShown = (form: Fields | null): boolean => form !== null && form[name] === value;
    // a guess names the owner, who need not be here
    if (forms.some(isShown) || (name === 'owner' && pending.length > 0 && !value)) return [];
    const had = forms.map((form) => (form ? text(form[name]) : 'no row')).join(' or ');
    return [`shows ${id}.${name} ${text(value)}, the server has ${had}`];
  });
}

/** A list that comes whole has a row, or has it not, as one of the forms says that may be shown. */
function checkMembers(play: Play, view: View, rows: readonly Fields[]): string[] {
  const { family, params } = view;
  if ((family !== 'items' && family !== 'counted') || params['limit']) return [];
  const shown = new Set(rows.map((row) => row['id']));
  const open = [...play.pending.map(({ id }) => id), ...play.sent.map(({ result }) => result?.wrote)];
  const settled = [...play.server.past.keys()].filter((id) => !open.includes(id));
  return settled.flatMap((id) => {
    const isThere = shown.has(id);
    if (!id.startsWith('i') || formsOf(play, id).some((row) => matches(row, params) === isThere)) return [];
    return [isThere ? `keeps ${id}` : `lacks ${id}`];
  });
}

/** What pages have, their order, what the last read brought, and the total. */
function checkAtRest(play: Play, view: View, rows: readonly Fields[], total: number | undefined): string[] {
  const { server, untold, touched, late } = play;
  const { family, params, read } = view;
  const found: string[] = [];
  const shown = rows.map((row) => String(row['id']));
  const all = server.list(params);
  const limit = Number(params['limit'] ?? Infinity);
  const isInPages = family !== 'items' && family !== 'counted';
  const since = view.base ?? read;
  const isChanged = (id: string): boolean =>
    (server.past.get(id)?.at(-1)?.rev ?? 0) > (since?.rev ?? 0) || (touched.get(id) ?? 0) > (since?.nth ?? 0);
  const same = (what: string, here: readonly string[], there: readonly string[]): void => {
    if (text(here) !== text(there)) found.push(`${what} ${here.join()}, the server has ${there.join()}`);
  };
  for (const id of shown) if (!all.includes(id) && !untold.has(id)) found.push(`keeps ${id}`);
  for (const id of (read?.ids ?? []).filter((one) => all.includes(one) && !shown.includes(one)))
    if (!isChangedPlace(play, id, view)) found.push(`lacks ${id}, which its last read brought`);
  if (untold.size > 0) return found;
  // nobody can know whether a read counted a row of which a message tells later
  const isUnsure = late.some(({ rev, nth }) => !read || (rev <= read.rev && nth > read.nth));
  if (total !== undefined && total !== all.length && !isUnsure)
    found.push(`has the total ${total}, the server ${all.length}`);
  if (params['sort'] && family !== 'hand')
    same('shows in order', shown, all.slice(0, Math.min(limit, shown.length)));
  else if (limit < Infinity) same('shows', shown.toSorted(), all.slice(0, limit).toSorted());
  else if (isInPages) {
    if (params['sort'])
      same(
        'shows in order',
        shown,
        all.filter((id) => shown.includes(id)),
      );
    const known = shown.filter((id) => !isChanged(id));
    const there = all.filter((id) => !isChanged(id));
    same('shows of the unchanged rows', known.toSorted(), there.slice(0, known.length).toSorted());
  }
  if (isInPages && read?.next === '') same('shows, all pages loaded,', shown.toSorted(), all.toSorted());
  return found;
}

/** Whether the row may have moved in the list since it was read. */
function isChangedPlace({ server }: Play, id: string, { read, params }: View): boolean {
  const past = server.past.get(id) ?? [];
  const at = past.findLastIndex(({ rev }) => rev <= (read?.rev ?? 0));
  const place = (row: Fields | null | undefined): unknown => matches(row, params) && row?.['rank'];
  return past.slice(Math.max(at, 0)).some(({ row }) => place(row) !== place(past[at]?.row));
}

/** While nobody acts, a key is asked for at most three times in the first second, and once in each later one. */
function checkRequests(play: Play): string[] {
  const from = play.idleFrom;
  play.idleFrom = Infinity;
  const asked = play.log.filter(({ at }) => at > from);
  return [...new Set(asked.map(({ label }) => label))].flatMap((label) => {
    const times = asked.filter((one) => one.label === label);
    const early = times.filter(({ at }) => at <= from + 1_000).length;
    return early > 3 || times.length > 5
      ? [`${label} is asked for ${times.length} times while nobody acts`]
      : [];
  });
}
