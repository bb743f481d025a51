// I15 and I16: a collection may take what no reader, poll, pending mutation or request under way needs and what has not
// come lately. What it took of that the oracle forgets too; whatever else is missing, the checks of each step will find.
import { FEED, listKey, readKey } from './reads.ts';
import { namedRows } from './model-network.ts';
import type { ReadCall } from './subject.ts';
import { Violation } from './violation.ts';
import type { World } from './world.ts';

/** What must be kept: rows and lists by their names. */
interface Needed {
  items: Set<string>;
  users: Set<string>;
  lists: Set<string>;
}

/** Rounds of waiting after which everything must have been collected. */
const MOST_ROUNDS = 400;

/** After a slice of a collection: tells the oracle what is gone of that which may go. */
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
  // further pages whose first one never came are not on screen: nobody can see whether they are gone
  if (base.pages.length > 0 && !base.lists.has(FEED)) world.isFeedUncertain = true;
  world.note(`collected ${gone.items.join()} ${gone.users.join()} ${gone.lists.join(' ')}`);
  oracle.forget(gone);
  world.notes.forgetCollected(readers);
  // nobody has its own answer: what stood for the invalidation is nothing but a mark, and may go like any
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
  // what is newer than a request under way must be there when its answer comes
  for (const { table, id, stamp, atMs } of oracle.arrivals()) {
    if (stamp > oldestSend || atMs > youngMs) needed[table].add(id);
  }
  // what a request is about is judged by what it was
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

/** At the end nobody uses anything: all of it goes, and no timer is left. */
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
  // requests that nobody waits for are cancelled a moment later, and readers rest for a second after resets in a row
  time.advance(1_000);
  if (time.pendingTimers > 0) throw new Violation('I16', `${time.pendingTimers} timers are left`);
}
