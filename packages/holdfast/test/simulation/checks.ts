// The invariants, checked after every step: the data that the client shows against the naive oracle, against its own past
// (identity, immutability), and against acknowledged writes. One Checker per run.
import type { OracleView } from './oracle-layers.ts';
import type { ReadCall, ViewRow, Watch, Watched } from './subject.ts';
import { FEED, isWrapped, LISTS, listKey, readKey } from './reads.ts';
import { Violation } from './violation.ts';
import type { Draft, World } from './world.ts';

interface Mounted {
  call: ReadCall;
  watch: Watch;
  seen: Watched;
  calls: number;
  isStopped: boolean;
}

interface Past {
  row: ViewRow;
  text: string;
}

export class Checker {
  readonly mounted: Mounted[] = [];
  #world: World;
  #rows = new Map<string, Past>();
  #lists = new Map<string, { list: readonly ViewRow[]; copy: ViewRow[] }>();
  #kept: { list: readonly ViewRow[]; text: string }[] = [];
  #fault: Violation | undefined;

  constructor(world: World) {
    this.#world = world;
  }

  /** Everything that must hold between two steps. Returns the view of the oracle, for the next choice. */
  check(): OracleView {
    const world = this.#world;
    if (this.#fault) throw this.#fault;
    if (world.unexpected) throw new Violation('X1', `a write that nobody asked for: ${world.unexpected}`);
    const expected = world.oracle.view(true);
    const names = this.#bindDrafts();
    for (const filter of world.lists) {
      const key = listKey(filter);
      const list = this.#guard(() => world.subject.readList(filter), `reading list ${key}`);
      this.#checkList(key, list, expected, names);
    }
    for (const id of world.knownItems) this.#checkRow(id, id, expected);
    for (const draft of world.drafts) {
      if (draft.localId && !draft.isOver) this.#checkRow(draft.localId, draft.name, expected);
    }
    for (const id of world.users) this.#checkUser(id, expected);
    for (const draft of world.drafts) this.#checkAlias(draft);
    this.#checkThings(expected);
    world.notes.check();
    this.#checkResults(expected);
    this.#checkWatches();
    this.#checkFreshness();
    this.#checkDoubts();
    world.statements.check(this.mounted);
    // several calls ended in one step: the client decides which of these ends a new request has seen
    if (world.endedInStep > 1) world.mayBeFreshSince = ++world.stamp;
    world.endedInStep = 0;
    world.writtenInStep = [];
    return expected;
  }

  forgetPast(): void {
    this.#rows.clear();
    this.#lists.clear();
  }

  mount(call: ReadCall): void {
    if (call.kind === 'list') this.#world.use(call.filter);
    this.#world.requests.show(readKey(call));
    const mounted: Mounted = { call, calls: 0, isStopped: false, watch: NO_WATCH, seen: NO_WATCH.read() };
    mounted.watch = this.#guard(
      () => this.#world.subject.watch(call, () => this.#onChange(mounted)),
      `watching ${readKey(call)}`,
    );
    mounted.seen = mounted.watch.read();
    this.mounted.push(mounted);
  }

  /** The wall clock was set back: no client is notified of that, and expired data may be fresh again. */
  acceptClock(): void {
    for (const mounted of this.mounted) mounted.seen = mounted.watch.read();
  }

  unmount(index: number): void {
    const [mounted] = this.mounted.splice(index, 1);
    if (!mounted) return;
    mounted.isStopped = true;
    this.#world.requests.leave(readKey(mounted.call));
    mounted.watch.stop();
  }

  /** A reader that shows a failure although a new request would succeed. */
  failed(): string | undefined {
    const { server } = this.#world;
    const mounted = this.mounted.find(({ call, watch }) => {
      if (call.kind === 'get' && !server.items.has(call.id)) return false;
      if (call.kind === 'note' && !server.notes.current(call.id)) return false;
      return watch.read().error !== undefined;
    });
    return mounted && readKey(mounted.call);
  }

  /** Old snapshots are checked again: no object that was returned may have changed since. */
  checkPast(): void {
    for (const { list, text } of this.#kept) {
      if (listText(list) !== text)
        throw new Violation('I17', `a list handed out earlier changed: ${text} → ${listText(list)}`);
    }
  }

  #guard<T>(run: () => T, what: string): T {
    try {
      return run();
    } catch (error) {
      throw new Violation('I18', `${what} threw ${String(error)}`);
    }
  }

  /** Connects the client's local ids to drafts by their title, which is unique. */
  #bindDrafts(): Map<string, string> {
    const { drafts, subject } = this.#world;
    const names = new Map<string, string>();
    for (const draft of drafts) if (draft.localId && !draft.isOver) names.set(draft.localId, draft.name);
    if (!drafts.some(isUnbound)) return names;
    for (const filter of this.#world.lists) {
      for (const row of subject.readList(filter) ?? []) {
        if (!row.id.startsWith('local:') || names.has(row.id)) continue;
        const draft = drafts.find((other) => isUnbound(other) && other.title === row.title);
        if (!draft) continue;
        draft.localId = row.id;
        names.set(row.id, draft.name);
      }
    }
    return names;
  }

  #checkList(
    key: string,
    list: readonly ViewRow[] | undefined,
    expected: OracleView,
    names: ReadonlyMap<string, string>,
  ): void {
    const wanted = expected.lists.get(key);
    if (key === FEED && (this.#world.isFeedUncertain || (!wanted && expected.pages.length > 0))) return;
    if (!list || !wanted) {
      if (list || wanted)
        throw new Violation('I8', `list ${key} is ${shown(list)}, expected ${shown(wanted)}`);
      this.#lists.delete(key);
      return;
    }
    const world = this.#world;
    const { deletedForGood, createdAcknowledged } = world;
    const ids = list.map((row) => names.get(row.id) ?? row.id);
    if (new Set(ids).size < ids.length)
      throw new Violation('I5', `list ${key} holds a row twice: ${ids.join()}`);
    const dead = ids.find((id) => deletedForGood.has(id));
    if (dead) throw new Violation('I4', `list ${key} shows deleted ${dead}`);
    const optional = expected.optional.get(key);
    const listSend = expected.sends.get(key) ?? 0;
    if (world.states.isOpen(key, listSend)) {
      this.#lists.delete(key);
      return;
    }
    const isSettled = (id: string): boolean => !world.isOpenIn(id, listSend) && !optional?.has(id);
    const got = ids.filter(isSettled);
    const want = wanted.filter(isSettled);
    if (new Set([...got, ...want]).size !== got.length || got.length !== want.length) {
      const lost = want.find((id) => createdAcknowledged.has(id) && !got.includes(id));
      throw new Violation(lost ? 'I3' : 'I8', `list ${key} shows ${got.join()}, expected ${want.join()}`);
    }
    const anchored = expected.anchored.get(key)!.filter((id) => got.includes(id));
    const ordered = got.filter((id) => anchored.includes(id));
    if (ordered.join() !== anchored.join()) {
      throw new Violation(
        'I5',
        `list ${key} shows ${got.join()}, not in the server's order ${anchored.join()}`,
      );
    }
    for (const row of list) {
      const same = this.#world.subject.readRow(row.id);
      if (same !== row) throw new Violation('I9', `row ${row.id} in list ${key} is not the row read alone`);
    }
    const isCrowded = this.#world.endedInStep > 1;
    const past = this.#lists.get(key);
    const isUnchanged =
      past?.copy.length === list.length && past.copy.every((row, index) => row === list[index]);
    if (past && past.list === list && !isUnchanged)
      throw new Violation('I17', `list ${key} changed in place`);
    if (past && past.list !== list && isUnchanged && !isCrowded)
      throw new Violation('I9', `list ${key} is a new array of the same rows`);
    if (past?.list !== list) {
      this.#lists.set(key, { list, copy: [...list] });
      if (this.#kept.length < 12) this.#kept.push({ list, text: listText(list) });
    }
  }

  #checkRow(id: string, name: string, expected: OracleView): void {
    const world = this.#world;
    const row = this.#guard(() => world.subject.readRow(id), `reading row ${id}`);
    if (row && world.deletedForGood.has(name))
      throw new Violation('I4', `deleted ${id} is shown: ${rowText(row)}`);
    const wanted = expected.items.get(name);
    const text = row && rowText(row);
    if (row && row.id !== id) throw new Violation('I8', `row ${id} was asked for and ${row.id} was shown`);
    if (!world.isOpen(name) && !world.isOpen(String(wanted?.['owner']))) {
      const wantedText = wanted && expectedText(wanted, expected);
      if (text !== wantedText) throw new Violation('I8', `row ${name} is ${text}, expected ${wantedText}`);
    }
    const past = this.#rows.get(id);
    if (past && row === past.row && text !== past.text) {
      throw new Violation('I17', `row ${id} changed in place: ${past.text} → ${text}`);
    }
    if (past && row && row !== past.row && text === past.text && world.endedInStep < 2) {
      throw new Violation('I9', `row ${id} is a new object with the same content: ${text}`);
    }
    if (row) this.#rows.set(id, { row, text: text! });
    else this.#rows.delete(id);
    const pending = world.subject.countPending(id);
    if (pending === undefined) return;
    const open = world.mutations.filter((mutation) => {
      if (mutation.call.kind === 'rename') return false;
      if ('ids' in mutation.call) return mutation.call.ids.includes(name);
      if (mutation.draft) return (mutation.draft.realId ?? mutation.draft.name) === name;
      return 'id' in mutation.call && mutation.call.id === name;
    });
    // a call that is not optimistic shows nothing, and a client may leave it uncounted
    const shown = open.filter(({ call }) => call.kind !== 'createThing' && call.kind !== 'close').length;
    // an edit of a row that is being deleted shows nothing, and a client may leave it uncounted
    const certain = wanted && !world.isOpen(name) ? shown : 0;
    // a row that was written by its id before the response to its creation has calls under both of its ids
    const most = world.isOpen(name) ? Infinity : open.length;
    if (pending > most || pending < certain)
      throw new Violation('I6', `row ${id} has ${pending} pending, expected ${open.length}`);
  }

  /** The former local id of a draft still identifies its row. */
  #checkAlias(draft: Draft): void {
    const { subject } = this.#world;
    if (!draft.localId || !draft.realId) return;
    const row = subject.readRow(draft.localId);
    if (row !== subject.readRow(draft.realId)) {
      throw new Violation('I9', `${draft.localId} no longer names row ${draft.realId}`);
    }
  }

  /** Members of the other type are the rows that are read alone. */
  #checkThings(expected: OracleView): void {
    if (!this.#world.lists.some((filter) => 'things' in filter)) return;
    for (const { id, name } of this.#world.subject.readThingUsers?.() ?? []) {
      const wanted = expected.users.get(id)?.['name'];
      if (name !== wanted && !this.#world.isOpen(id))
        throw new Violation('I8', `user ${id} in a list is ${name}, expected ${String(wanted)}`);
    }
  }

  /** The client was opened again: all readers get the new client. */
  mountAgain(): void {
    for (const mounted of this.mounted) {
      const { call } = mounted;
      mounted.watch = NO_WATCH;
      mounted.watch = this.#world.subject.watch(call, () => this.#onChange(mounted));
      mounted.seen = mounted.watch.read();
    }
  }

  /** A promise resolves with the stored value, unless newer data is still in flight. */
  #checkResults(expected: OracleView): void {
    const world = this.#world;
    for (const { call, value } of world.resolved.splice(0)) {
      if (call.kind === 'user' || call.kind === 'rename' || value === null) continue;
      if (call.kind.startsWith('remove') || 'ids' in call || /note|job/i.test(call.kind)) continue;
      if (call.kind === 'list') {
        if (isWrapped(call.filter)) continue;
        if (!Array.isArray(value)) throw new Violation('I12', `a list was promised and ${shown(value)} came`);
        continue;
      }
      if (value === undefined) continue;
      const row = value as ViewRow; // cast: what a row's endpoint gives
      const stored = world.subject.readRow(row.id);
      // of several responses in one step a later one may have changed the row
      const isAlone = world.endedInStep < 2 && world.oracle.layers.length === 0;
      const isClear = isAlone && !world.isOpen(row.id) && stored !== undefined && expected.items.has(row.id);
      if (isClear && rowText(stored) !== rowText(row)) {
        throw new Violation(
          'I12',
          `the promise of ${call.kind} gave ${rowText(row)}, stored is ${rowText(stored)}`,
        );
      }
    }
  }

  #checkUser(id: string, expected: OracleView): void {
    const name = this.#guard(() => this.#world.subject.readUserName(id), `reading user ${id}`);
    const wanted = expected.users.get(id)?.['name'];
    if (name !== wanted && !this.#world.isOpen(id))
      throw new Violation('I8', `user ${id} is ${name}, expected ${String(wanted)}`);
  }

  /** In the callback the new value must be readable; a call without a change is a violation, too. */
  #onChange(mounted: Mounted): void {
    if (mounted.watch === NO_WATCH) return; // it fetches when it is mounted, before its first read
    try {
      if (mounted.isStopped)
        throw new Violation('I10', `${readKey(mounted.call)} was called after it stopped`);
      const now = mounted.watch.read();
      if (isSame(now, mounted.seen) && now.shown === mounted.seen.shown)
        throw new Violation('I10', `${readKey(mounted.call)} was called without a change`);
      mounted.seen = now;
      mounted.calls++;
    } catch (error) {
      this.#fault ??=
        error instanceof Violation ? error : new Violation('I18', `a callback's read threw ${String(error)}`);
    }
  }

  #checkWatches(): void {
    for (const mounted of this.mounted) {
      const now = this.#guard(() => mounted.watch.read(), `reading ${readKey(mounted.call)}`);
      if (!isSame(now, mounted.seen)) {
        throw new Violation(
          'I10',
          `${readKey(mounted.call)} changed and its watcher was not called: ${difference(mounted.seen, now)}`,
        );
      }
      const { subject } = this.#world;
      const anew = subject.peek?.(mounted.call);
      if (subject.peek && anew !== now.value)
        throw new Violation(
          'I10',
          `${readKey(mounted.call)} shows ${shown(now.value)} to its reader and ${shown(anew)} to a new one`,
        );
    }
    if (this.#fault) throw this.#fault;
  }

  /** F2: a row that a call with an unknown end may have changed is not fresh until a later-sent response contains it. */
  #checkDoubts(): void {
    const { subject, oracle, gets, lists } = this.#world;
    if (oracle.doubted.size === 0) return;
    // an optimistic update may show a row in a list that is fresh without it, or hide it
    const views = [oracle.view(false), oracle.view(true)];
    const shows = (key: string, id: string): boolean =>
      views.every((view) => view.lists.get(key)?.includes(id));
    const calls: ReadCall[] = lists
      .filter((filter) => !('feed' in filter))
      .filter((filter) => [...oracle.doubted.keys()].some((id) => shows(listKey(filter), id)))
      .map((filter) => ({ kind: 'list', filter }));
    for (const id of oracle.doubted.keys()) if (gets.has(id)) calls.push({ kind: 'get', id });
    for (const call of calls)
      if (subject.isFresh(call))
        throw new Violation('F2', `${readKey(call)} is fresh after a call that ended unknown`);
  }

  #checkFreshness(): void {
    const { invalidatedAt, subject } = this.#world;
    if (invalidatedAt.size === 0) return;
    // a page of a list may be newer than its invalidation while the others are not: the whole list cannot be judged
    for (const filter of LISTS)
      if (!('feed' in filter)) this.#checkInvalid({ kind: 'list', filter }, invalidatedAt, subject);
    for (const id of this.#world.gets) this.#checkInvalid({ kind: 'get', id }, invalidatedAt, subject);
  }

  #checkInvalid(call: ReadCall, invalidatedAt: ReadonlyMap<string, number>, subject: World['subject']): void {
    if (!invalidatedAt.has(readKey(call)) || !subject.isFresh(call)) return;
    throw new Violation(
      'F1',
      `${readKey(call)} is fresh, but nothing sent after its invalidation has arrived`,
    );
  }
}

const NO_WATCH: Watch = {
  read: () => ({ value: undefined, error: undefined, status: undefined, isFetching: undefined }),
  stop: () => {},
};

const isUnbound = (draft: Draft): boolean => !draft.localId && !draft.isOver;

function isSame(one: Watched, two: Watched): boolean {
  return difference(one, two) === '';
}

function difference(one: Watched, two: Watched): string {
  const names = (['value', 'error', 'status', 'isFetching', 'isBlocked'] as const).filter(
    (name) => one[name] !== two[name],
  );
  return names.map((name) => `${name} ${shown(one[name])} → ${shown(two[name])}`).join(', ');
}

export function rowText(row: ViewRow): string {
  return `${row.title}|${row.status}|${row.group}|${row.body}|${row.votes}|${row.owner?.name ?? ''}`;
}

function listText(list: readonly ViewRow[]): string {
  return list.map((row) => `${row.id}: ${rowText(row)}`).join(' ; ');
}

function expectedText(row: Readonly<Record<string, unknown>>, view: OracleView): string {
  const owner = view.users.get(String(row['owner']))?.['name'];
  return `${String(row['title'])}|${String(row['status'])}|${String(row['group'])}|${String(row['body'] ?? '')}|${String(row['votes'] ?? 0)}|${String(owner ?? '')}`;
}

function shown(value: unknown): string {
  if (Array.isArray(value))
    return `[${value.map((row: { id?: string } | string) => (typeof row === 'string' ? row : row.id)).join()}]`;
  return value instanceof Error
    ? value.name
    : typeof value === 'object' && value
      ? 'an object'
      : String(value);
}
