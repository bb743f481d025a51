// The two comparisons with the server: data that the client calls fresh equals that of the server without a new request, and all
// data does after one complete refetch.
import { rowText } from './checks.ts';
import type { ViewRow } from './subject.ts';
import { isOpaque, listKey, PAGES } from './reads.ts';
import { Violation } from './violation.ts';
import type { World } from './world.ts';

/** I2: nothing is in flight and nothing is fetched again; data that is not stale is right. Returns everything shown, as text. */
export function checkFreshEqualsServer(world: World): string {
  const { subject, server, tainted } = world;
  const ending: string[] = [];
  for (const filter of world.lists) {
    const list = subject.readList(filter);
    const isFresh = subject.isFresh({ kind: 'list', filter });
    ending.push(`${listKey(filter)} ${list?.map((row) => row.id).join()}`);
    // a list in pages is requested page by page: no single response covers all of it
    if (!list || !isFresh || 'feed' in filter) continue;
    const isSearch = isOpaque(filter);
    const shown = list.map((row) => row.id).filter((id) => !tainted.has(id));
    const truth = server
      .list(filter)
      .map((item) => item.id)
      .filter((id) => !tainted.has(id));
    const extra = shown.find((id) => !truth.includes(id));
    if (extra)
      throw new Violation(
        'I2',
        `fresh list ${listKey(filter)} shows ${shown.join()}, the server has ${truth.join()}`,
      );
    // no client can know that a row now matches a search whose rule only the server has
    const missing = isSearch ? undefined : truth.find((id) => !shown.includes(id));
    if (missing)
      throw new Violation(
        'I2',
        `fresh list ${listKey(filter)} shows ${shown.join()}, the server has ${truth.join()}`,
      );
    for (const row of list) if (!tainted.has(row.id)) checkRow(world, row, false, 'I2');
  }
  for (const id of world.knownItems) {
    const row = subject.readRow(id);
    const isFresh = world.gets.has(id) && subject.isFresh({ kind: 'get', id });
    ending.push(`${id} ${row && rowText(row)}`);
    if (!isFresh || tainted.has(id)) continue;
    if (row) checkRow(world, row, world.detailed.has(id), 'I2');
    else if (server.items.has(id)) throw new Violation('I2', `fresh row ${id} is not shown`);
  }
  for (const id of world.users) {
    const name = subject.readUserName(id);
    ending.push(`${id} ${name}`);
    if (!tainted.has(id) && subject.isFresh({ kind: 'user', id }) && name !== server.users.get(id)?.name) {
      throw new Violation('I2', `fresh user ${id} is ${name}, the server has ${server.users.get(id)?.name}`);
    }
  }
  return ending.join('\n');
}

/** I1: after one complete refetch, all data equals that of the server, order included. */
export function checkRefetched(world: World, ids: readonly string[]): void {
  const { subject, server } = world;
  const { lists, pages } = world.oracle.view(false);
  for (const filter of world.lists) {
    if (!lists.has(listKey(filter))) continue;
    const list = subject.readList(filter) ?? [];
    const shown = list.map((row) => row.id).join();
    const parts = [
      filter,
      ...('feed' in filter ? PAGES.filter((page) => pages.includes(listKey(page))) : []),
    ];
    const truth = [...new Set(parts.flatMap((part) => server.list(part).map((item) => item.id)))].join();
    if (shown !== truth)
      throw new Violation(
        'I1',
        `after a refetch list ${listKey(filter)} shows ${shown}, the server has ${truth}`,
      );
    for (const row of list) checkRow(world, row, false, 'I1');
  }
  for (const id of ids) {
    const row = subject.readRow(id);
    if (!row !== !server.items.has(id))
      throw new Violation('I1', `after a refetch row ${id} is ${row && rowText(row)}`);
    if (row) checkRow(world, row, true, 'I1');
  }
}

function checkRow(world: World, row: ViewRow, withBody: boolean, invariant: 'I1' | 'I2'): void {
  const { server, tainted } = world;
  const item = server.items.get(row.id);
  const withOwner = invariant === 'I1' || !tainted.has(item?.owner ?? '');
  const shown = comparable(row, withBody, withOwner);
  const truth = item && comparable({ ...item, owner: server.users.get(item.owner) }, withBody, withOwner);
  if (shown === truth) return;
  throw new Violation(
    invariant,
    `row ${row.id} is ${shown}, the server has ${truth}; changed elsewhere: ${[...tainted].join()}`,
  );
}

function comparable(row: ViewRow, withBody: boolean, withOwner: boolean): string {
  const { id, title, status, group, votes } = row;
  const body = withBody ? row.body : '';
  return rowText({ id, title, status, group, votes, body, owner: withOwner ? row.owner : undefined });
}
