// The rules of the second model: after every step, fresh data is a state of the server since this client's last write of the row;
// at rest it is the present state. Nothing here depends on how the library works.
import { ExpiryStatus, isDraft } from 'holdfast';
import { Item, User } from './client.ts';
import type { Play, View } from './client.ts';
import { isWhole, matches } from './server.ts';
import type { Fields, Form } from './server.ts';
const text = (value: unknown): string => JSON.stringify(value) ?? 'nothing';
const rowsOf = (given: unknown): readonly Fields[] => [given ?? []].flat() as Fields[]; // cast: the views of the model
/** Everything that is wrong now. Reading leaves traces in a store: before all is at rest, only mounted readers are checked. */
export function findWrong(play: Play): string[] {
  const looked = [...play.views.values()].filter(({ reader }) => reader || play.is.atRest);
  return checkRequests(play).concat(looked.flatMap((view) => checkView(play, view)));
}
/** Without a user action, a key is requested at most three times in the first second, and once in each later second. */
function checkRequests({ log, is: { idleFrom: from } }: Play): string[] {
  return [...new Set(log.map(({ label }) => label))].flatMap((label) => {
    const times = log.filter((one) => one.label === label && one.at > from);
    const early = times.filter(({ at }) => at <= from + 1_000);
    return early.length > 3 || times.length > 5 ? [`${label} is asked for ${times.length} times in 3 s`] : [];
  });
}
function checkView(play: Play, view: View): string[] {
  const { controller, server, is } = play;
  const { at, ask, reader, read } = view;
  const found: string[] = [];
  const { data, expiresAt, expiryStatus } = controller.getResponse(...ask);
  const isFresh = data !== undefined && expiresAt > is.now && expiryStatus === ExpiryStatus.Valid;
  const { rows: list = data, total } = Object(data) as { rows?: unknown; total?: number }; // cast: asked here
  const rows = rowsOf(list);
  const shown = expiryStatus === ExpiryStatus.Invalid ? 'nothing' : text(data);
  const anew = text(controller.watch(...ask).read().data);
  const told = reader ? text(reader.told) : anew;
  const hasError = controller.getError(...ask) !== undefined;
  if (!hasError && anew !== shown) found.push(`shows a new reader ${anew}, but has ${shown}`);
  if (!hasError && told !== anew) found.push(`has told ${told}, but shows ${anew}`);
  const isLeft = at.id ? !server.row(at.id) : at.url.startsWith('/hand'); // only the user has the page tokens
  if (reader && read && is.atRest && !isFresh && !isLeft) found.push('stays stale');
  const own = ({ id }: Fields): string => text(controller.get(at.family === 'users' ? User : Item, { id }));
  for (const row of rows) if (own(row) !== text(row)) found.push(`shows ${text(row)}, but it is ${own(row)}`);
  if (total! < rows.length) found.push(`has a total of ${total} over ${rows.length} rows`); // false for undefined
  const owners = rows.flatMap((row) => rowsOf(row['owner']));
  const isOff = (row: Fields): boolean =>
    !at.id && !matches(row, at.params) && ![...play.pending].some(({ id }) => id === row['id']);
  if (!isFresh || hasError) return found.map((what) => `${at.url} ${what}`);
  found.push(...[...rows, ...owners].flatMap((row) => checkFields(play, row)));
  found.push(...rows.filter(isOff).map((row) => `shows ${text(row)}, which its key rules out`));
  if (is.atRest && !at.id) found.push(...checkList(play, view, rows, total));
  return found.map((what) => `${at.url} ${what}`);
}
/** A fresh row shows a state since this client's last write; at rest the present one, unless it got no message of a change. */
function checkFields({ server, floors, is, untold, pending }: Play, row: Fields): string[] {
  const id = String(row['id']);
  if (isDraft(row as never)) return is.atRest ? [`shows the draft ${id}`] : []; // cast: a row is an entity
  const floor = is.atRest && !untold.has(id) ? Infinity : (floors.get(id) ?? 0);
  const forms = server.since(id, floor).map((form) => form.row);
  const guesses = [...pending].filter((one) => one.id === id).map(({ fields }) => fields);
  return Object.entries(row).flatMap(([name, given]) => {
    const value = name === 'owner' ? rowsOf(given)[0]?.['id'] : given;
    // an optimistic update contains the owner, who need not be stored
    const isUnknown = name === 'id' || (name === 'owner' && guesses.length > 0 && value === undefined);
    if (isUnknown || [...forms, ...guesses].some((form) => form && form[name] === value)) return [];
    return [`shows ${id}.${name} ${text(value)}, the server has ${text(forms.map((form) => form?.[name]))}`];
  });
}
/** At rest a fresh list has the rows, their order and the total of the server, and the result of its last read. */
function checkList(play: Play, view: View, rows: readonly Fields[], total: number | undefined): string[] {
  const { server, untold, touched, is } = play;
  const { read, base = read } = view;
  const { family, params } = view.at;
  const all = server.list(params);
  const shown = rows.map((row) => String(row['id']));
  const found = shown.filter((id) => !all.includes(id) && !untold.has(id)).map((id) => `keeps ${id}`);
  const placeOf = ({ row }: Form): unknown => matches(row, params) && row?.['rank'];
  const hasMoved = (id: string): boolean => new Set(server.since(id, read?.rev ?? 0).map(placeOf)).size > 1;
  const left = (read?.ids ?? []).filter((id) => all.includes(id) && !shown.includes(id) && !hasMoved(id));
  found.push(...left.map((id) => `lacks ${id}, which its read brought`));
  if (untold.size > 0) return found;
  const same = (what: string, here: readonly string[], there: readonly string[]): void => {
    const [mine, right] = [here, there].map((ids) => (what === 'in order' ? ids : ids.toSorted()).join());
    if (mine !== right) found.push(`shows ${what} ${mine}, the server has ${right}`);
  };
  // no client can know whether a read has counted a row that a message brings later
  const isSure = total !== undefined && !!read && read.nth > is.toldAt;
  if (isSure && total !== all.length) found.push(`has the total ${total}, not ${all.length}`);
  const { limit = isWhole(family) ? all.length : shown.length, sort } = params;
  const isSettled = (id: string): boolean =>
    (server.past.get(id)?.at(-1)?.rev ?? 0) <= (base?.rev ?? 0) && (touched.get(id) ?? 0) < (base?.nth ?? 0);
  const settled = shown.filter(isSettled);
  const inOrder = all.filter((id) => shown.includes(id));
  if (sort) same('in order', shown, inOrder);
  if (isWhole(family) || (sort && family !== 'hand'))
    same('of the first', shown, all.slice(0, Number(limit)));
  else same('of the unchanged', settled, all.filter(isSettled).slice(0, settled.length));
  if (read?.next === '' && !params['limit']) same('of all', shown, all);
  return found;
}
