// I15 and I16: a collection may remove data that no reader, poll, pending mutation or request in flight needs and that has not
// arrived lately. The oracle removes the same data; the checks of each step find anything else that is missing.
import { FEED, listKey, readKey } from './reads.ts';
import { namedRows } from './model-network.ts';
import type { ReadCall } from './subject.ts';
import { Violation } from './violation.ts';
import type { World } from './world.ts';

/** Data that must be kept: rows and lists by their names. */
interface Needed {
  items: Set<string>;
  users: Set<string>;
  lists: Set<string>;
}

/** Rounds of waiting after which everything must have been collected. */
const MOST_ROUNDS = 400;

/** After a slice of a collection: reports to the oracle the removable data that was removed. */
export function forgetCollected(world: World, readers: readonly ReadCall[]): void {
  const { subject, oracle } = world;
  const needed = findNeeded(world, readers);
  const base = oracle.view(false);
  const gone = {
    items: [...base.items.keys()].filter((id) => !needed.items.has(id) && !subject.readRow(id)),
    users: [...base.users.keys()].filter(
      (id) => !needed.users.has(id) && subject.readUserName(id) === undefined,
    ),
    lists: world.lists
      .filter((filter) => !subject.readList(filter))
      .map(listKey)
      .filter((key) => base.lists.has(key) && !needed.lists.has(key)),
  };
  // further pages whose first page never arrived are not on screen: no check can see whether they were removed
  if (base.pages.length > 0 && !base.lists.has(FEED)) world.isFeedUncertain = true;
  world.note(`collected ${gone.items.join()} ${gone.users.join()} ${gone.lists.join(' ')}`);
  oracle.forget(gone);
  world.notes.forgetCollected(readers);
  // no own response exists: the invalidation was only a mark, and may be removed like any other
  const used = new Set(readers.map(readKey));
  for (const key of world.invalidatedAt.keys())
    if (!world.answered.has(key) && !used.has(key)) world.invalidatedAt.delete(key);
  for (const id of gone.items) {
    world.detailed.delete(id);
    for (const draft of world.drafts) if (draft.realId === id) delete draft.localId;
  }
}

function findNeeded(world: World, readers: readonly ReadCall[]): Needed {
  const { oracle, network, epoch, time, schedule } = world;
  const needed: Needed = { items: new Set(), users: new Set(), lists: new Set() };
  const underWay = network.exchanges.filter((exchange) => exchange.epoch === epoch && !exchange.ended);
  const oldestSend = Math.min(...underWay.map((exchange) => exchange.send));
  const youngMs = time.elapsedMs - (schedule.keepMs ?? Infinity);
  // data that is newer than a request in flight must be stored when its response arrives
  for (const { table, id, stamp, atMs } of oracle.arrivals()) {
    if (stamp > oldestSend || atMs > youngMs) needed[table].add(id);
  }
  // the target of a request is judged by its state at the time of sending
  for (const exchange of underWay) {
    const table = exchange.path.startsWith('/users') ? 'users' : 'items';
    for (const id of namedRows(exchange)) needed[table].add(id);
  }
  for (const call of readers) {
    if (call.kind === 'list') needed.lists.add(listKey(call.filter));
    else if (call.kind === 'get') needed.items.add(call.id);
    else if (call.kind === 'user') needed.users.add(call.id);
  }
  for (const layer of oracle.layers) needed[layer.kind === 'rename' ? 'users' : 'items'].add(layer.id());
  for (const view of [oracle.view(false), oracle.view(true)]) {
    for (const key of needed.lists) for (const id of view.lists.get(key) ?? []) needed.items.add(id);
    for (const id of needed.items) needed.users.add(String(view.items.get(id)?.['owner']));
  }
  return needed;
}

/** At the end nothing is used: everything is removed, and no timer is left. */
export async function checkAllCollected(world: World, settle: () => Promise<void>): Promise<void> {
  const { subject, surroundings, time } = world;
  if (subject.countKept && world.schedule.keepMs !== undefined) {
    for (let round = 0; round < MOST_ROUNDS && subject.countKept() > 0; round++) {
      if (surroundings.isAwaited) surroundings.giveSlice();
      else time.runNext(Infinity);
      await settle();
    }
    if (subject.countKept() > 0)
      throw new Violation('I15', `${subject.countKept()} things are kept that nobody uses`);
  }
  subject.stop?.();
  // requests without a reader are cancelled a moment later, and readers pause for a second after several resets
  time.advance(1_000);
  if (time.pendingTimers > 0) throw new Violation('I16', `${time.pendingTimers} timers are left`);
}
