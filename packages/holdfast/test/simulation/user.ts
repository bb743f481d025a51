// The user: reads, edits and deletes visible rows, and expects that no read is served by a request from before the last news.
import { exchangeKey } from './model-network.ts';
import { BRIEF } from './model-server.ts';
import { NOTES } from './notes-server.ts';
import type { OracleView } from './oracle-layers.ts';
import { FEED, LISTS, listKey, PAGES, readKey, SHAPED } from './reads.ts';
import type { Step } from './schedule.ts';
import type { Fields, PlainRead, ReadCall, WriteCall } from './subject.ts';
import { Violation } from './violation.ts';
import type { Draft, World } from './world.ts';

export const NOTHING: OracleView = {
  items: new Map(),
  users: new Map(),
  lists: new Map(),
  anchored: new Map(),
  optional: new Map(),
  sends: new Map(),
  pages: [],
};

/** The responses to half of the writes of rows that were never read, once they are done. */
const ENDS = ['empty', 'wrongShape', 'lostAfter', '500After'] as const;

export class User {
  #world: World;
  #view = NOTHING;
  #titles = 0;
  #asked: { key: string; canJoin: boolean; mustJoin: boolean; after: number } | undefined;

  constructor(world: World) {
    this.#world = world;
  }

  act(step: Step, view: OracleView): void {
    const world = this.#world;
    this.#view = view;
    const { subject } = world;
    switch (step.do) {
      case 'get':
        return this.#ifTarget(step, (id) => this.#read({ kind: 'get', id }));
      case 'list':
        return this.#read({ kind: 'list', filter: LISTS[Math.floor(step.at * LISTS.length)]! });
      case 'page':
        return this.#read({ kind: 'list', filter: PAGES[Math.floor(step.at * PAGES.length)]! });
      case 'user':
        return this.#read({ kind: 'user', id: step.at < 0.5 ? 'u1' : 'u2' });
      case 'create':
        return world.issue({ kind: 'create', body: this.#newBody(step) });
      case 'patch':
        return this.#ifTarget(
          step,
          (id, draft) => world.issue({ kind: 'patch', id, body: this.partBody(step) }, draft),
          true,
        );
      case 'put':
        return this.#ifTarget(
          step,
          (id, draft) => world.issue({ kind: 'put', id, body: this.#wholeBody(step) }, draft),
          true,
        );
      case 'vote':
        return this.#ifTarget(step, (id, draft) => world.issue({ kind: 'vote', id }, draft), true);
      case 'push':
        return this.#ifTarget(step, (id) => {
          if (!this.#inBase(id)) return;
          const isWriting = world.isWriting('items', id);
          world.pushRow(id);
          // where the message repeats the stored values, the response in flight is the later payload
          if (isWriting) world.loosen(id, Infinity);
        });
      case 'remove':
        return this.#ifTarget(step, (id, draft) => world.issue({ kind: 'remove', id }, draft), true);
      case 'rename':
        return this.#rename(step.at < 0.5 ? 'u1' : 'u2');
      case 'set':
        return this.#ifTarget(step, (id) => this.#inBase(id) && world.setRow(id, this.partBody(step)));
      case 'invalidateRow':
        return this.#ifTarget(step, (id) => this.#invalidate({ kind: 'get', id }));
      case 'invalidateList':
        return this.#invalidate({ kind: 'list', filter: LISTS[Math.floor(step.at * LISTS.length)]! });
      case 'invalidateLists':
        world.note('invalidate lists');
        for (const filter of LISTS) world.markInvalid({ kind: 'list', filter });
        world.mayBeFreshSince = world.stamp; // the client chooses whether pages count as lists
        return subject.invalidateLists();
      case 'expireLists':
        world.note('expire lists');
        world.mayBeFreshSince = ++world.stamp;
        world.requests.wishAll();
        world.states.expire();
        return subject.expireLists();
      case 'shaped':
        return this.#read({ kind: 'list', filter: SHAPED[Math.floor(step.at * SHAPED.length)]! });
      case 'nextPage':
        return this.#readNextPage();
      case 'move':
        return this.#move(step);
      case 'patchMany':
        return this.#ifMany(step, (ids) =>
          world.issue({ kind: 'patchMany', ids, body: this.partBody(step) }),
        );
      case 'removeMany':
        return this.#ifMany(step, (ids) => world.issue({ kind: 'removeMany', ids }));
      case 'createThing':
        return world.issue({
          kind: 'createThing',
          body: { ...this.#newBody(step), kind: 'item', things: '1' },
        });
      case 'patchThing':
        return this.#ifTarget(step, (id) =>
          world.issue({ kind: 'patchThing', id, body: { ...this.partBody(step), kind: 'item' } }),
        );
      case 'removeThing':
        return this.#ifTarget(step, (id) => world.issue({ kind: 'removeThing', id }));
      case 'close':
        return this.#ifTarget(step, (id) => {
          world.play('close');
          world.issue({ kind: 'close', id });
        });
      case 'readUnread':
        return this.#ifUnread(step, (id) => this.#read({ kind: 'get', id }));
      case 'writeUnread':
        return this.#writeUnread(step);
      case 'compose':
        return this.#compose(step);
      case 'tell':
        return this.#tell(step);
      case 'note':
      case 'notes':
        return this.#read(
          step.do === 'notes'
            ? { kind: 'notes' }
            : { kind: 'note', id: NOTES[Math.floor(step.at * NOTES.length)]! },
        );
      case 'jobs':
      case 'orders':
        return this.#read(world.jobs.pickRead(step));
      default:
        return step.do.endsWith('Job') ? world.jobs.act(step) : world.notes.act(step);
    }
  }

  /** A read by the user must not be served by a request that is older than the last news. */
  #read(call: ReadCall): void {
    const { network, freshSince, mayBeFreshSince, lastInvalidatedAt, epoch } = this.#world;
    const key = readKey(call);
    const since = Math.max(freshSince, lastInvalidatedAt.get(key) ?? 0);
    const underWay = network.exchanges.filter(
      (exchange) =>
        !exchange.ended && exchange.epoch === epoch && exchangeKey(exchange) === key && exchange.send > since,
    );
    const mustJoin = underWay.some((exchange) => exchange.send > mayBeFreshSince);
    this.#asked = { key, canJoin: underWay.length > 0, mustJoin, after: network.sentCount };
    this.#world.issue(call);
  }

  checkSending(): void {
    const asked = this.#asked;
    this.#asked = undefined;
    if (!asked) return;
    const sent = this.#world.network.exchanges.filter(
      (exchange) => exchange.number > asked.after && exchangeKey(exchange) === asked.key,
    ).length;
    if (sent === 0 && !asked.canJoin)
      throw new Violation('I13', `${asked.key} joined a request older than the last news`);
    if (sent > (asked.mustJoin ? 0 : 1))
      throw new Violation('I13', `${asked.key} was sent twice in one freshness epoch`);
  }

  #rename(id: string): void {
    // no user renames a person they never saw; what a client shows of such a row meanwhile is its own choice
    if (!this.#world.oracle.view(false).users.has(id)) return;
    this.#world.issue({ kind: 'rename', id, body: { name: this.title() } });
  }

  /** Rows of the server that the client has never read, or has removed from memory. */
  unread(): string[] {
    const { server, oracle, network } = this.#world;
    const { items } = oracle.view(false);
    // calls of a row whose creation has no response yet use the local id of its draft
    const isBeingCreated = (id: string): boolean =>
      network.exchanges.some(
        ({ method, path, delivery }) =>
          method === 'POST' &&
          path.split('/').length === 2 &&
          delivery !== undefined &&
          'text' in delivery &&
          delivery.text.includes(`"id":"${id}"`),
      );
    return [...server.items.keys()].filter((id) => !items.has(id) && !isBeingCreated(id));
  }

  #ifUnread(step: Step, act: (id: string) => void): void {
    const ids = this.unread().filter((id) => !this.#isMoving(id));
    const id = ids[Math.floor(step.at * ids.length)];
    if (id === undefined) return;
    this.#world.play(step.do);
    act(id);
  }

  /** A user may write a row that was never read: by an address, a link or another screen. */
  #writeUnread(step: Step): void {
    const world = this.#world;
    const fraction = (step.at * 10) % 1;
    const end = ENDS[Math.floor(step.fault * 2 * ENDS.length)];
    const user = step.at < 0.5 ? 'u1' : 'u2';
    if (fraction < 0.2 && !world.oracle.view(false).users.has(user)) {
      world.play('renameUnread');
      world.writeUnread({ kind: 'rename', id: user, body: { name: this.title() } }, end);
      return;
    }
    this.#ifUnread(step, (id) => {
      if (fraction < 0.55) world.writeUnread({ kind: 'patch', id, body: this.partBody(step) }, end);
      else if (fraction < 0.7) world.writeUnread({ kind: 'put', id, body: this.#wholeBody(step) }, end);
      else if (fraction < 0.85 || !world.subject.hasShapes) world.writeUnread({ kind: 'remove', id }, end);
      else world.writeUnread({ kind: 'close', id }, end);
    });
  }

  /** A message about any row is created; it arrives later, or is one of many that arrive at once. */
  #compose({ at, with: fraction }: Step): void {
    const { server } = this.#world;
    const unread = this.unread();
    const ids = fraction < 0.5 && unread.length > 0 ? unread : [...server.items.keys()];
    const id = ids[Math.floor(at * ids.length)];
    if (id !== undefined) this.#world.compose(id);
  }

  #tell({ at, with: fraction }: Step): void {
    const world = this.#world;
    if (world.composed.length === 0) this.#compose({ at, with: fraction } as Step); // cast: the two that it uses
    const [message] = world.composed.splice(Math.floor(at * world.composed.length), 1);
    // a message about a row that is deleted for good: its effect is not checked
    if (!message || world.deletedForGood.has(message.id) || world.ambiguous.has(message.id)) return;
    const isKnown = this.#inBase(message.id);
    const isWriting = world.isWriting('items', message.id);
    world.play(isWriting ? 'tellWhileWriting' : isKnown ? 'tellKnown' : 'tellUnread');
    world.knownItems.add(message.id);
    world.pushRow(message.id, message.row);
    // it is open whether the message or the response in flight is later, until the row is read
    if (isWriting) world.loosen(message.id, Infinity);
    else if (!isKnown) world.loosen(message.id, world.stamp);
  }

  #invalidate(call: ReadCall): void {
    this.#world.note(`invalidate ${readKey(call)}`);
    this.#world.markInvalid(call);
    if (call.kind === 'list' && 'feed' in call.filter) this.#world.mayBeFreshSince = this.#world.stamp;
    this.#world.subject.invalidate(call);
  }

  /** Users act on visible rows. */
  #ifTarget(step: Step, act: (id: string, draft?: Draft) => unknown, canBeDraft = false): void {
    const world = this.#world;
    const view = this.#world.schedule.isPaired ? world.oracle.view(false) : this.#view;
    const names = [...view.items.keys()].filter((name) => {
      if (!name.startsWith('draft')) return true;
      return canBeDraft && world.drafts.some((draft) => draft.name === name && draft.localId);
    });
    const name = names[Math.floor(step.at * names.length)];
    if (name === undefined) return;
    const draft = world.drafts.find((other) => other.name === name);
    // a screen may still have the local id of the draft
    const former =
      canBeDraft && (step.at * 100) % 1 < 0.3 && world.drafts.find((other) => other.realId === name);
    if (step.do !== 'get' && this.#isMoving(draft?.realId ?? name)) return;
    if (former && former.localId && !this.#world.schedule.isPaired) act(former.localId, former);
    else act(draft?.localId ?? name, draft);
  }

  /** The user scrolls on: loads the first page, then the first one that is not loaded yet. */
  #readNextPage(): void {
    const { lists, pages } = this.#world.oracle.view(false);
    const next = lists.has(FEED) && PAGES.find((page) => !pages.includes(listKey(page)));
    this.#read({ kind: 'list', filter: next || LISTS.find((filter) => 'feed' in filter)! });
  }

  /**
   * A move is never combined with other calls: a deleted row stays on screen under it, an edit by the former local id of its
   * draft waits for it, and a list keeps a row whose other pending change is refused after it. None of that is checked here.
   */
  #move(step: Step): void {
    const { schedule, mutations } = this.#world;
    if (schedule.hasOthers) return;
    this.#ifTarget(step, (id) => {
      const body = { status: step.with < 0.5 ? 'open' : 'done' };
      if (!mutations.some(({ call, draft }) => names(call, draft, id)))
        this.#world.issue({ kind: 'move', id, body });
    });
  }

  #isMoving(id: string): boolean {
    return this.#world.mutations.some(({ call }) => call.kind === 'move' && call.id === id);
  }

  /** Two rows that are on the server. */
  #ifMany(step: Step, act: (ids: readonly string[]) => unknown): void {
    const ids = [...this.#world.oracle.view(false).items.keys()].filter(
      (id) => !this.#isMoving(id) && (this.#world.schedule.isPaired || this.#view.items.has(id)),
    );
    const first = Math.floor(step.at * ids.length);
    const chosen = [ids[first], ids[(first + 1) % ids.length]].filter((id) => id !== undefined);
    if (chosen.length === 2 && chosen[0] !== chosen[1]) act(chosen);
  }

  #inBase(id: string): boolean {
    return this.#world.oracle.view(false).items.has(id) && !this.#world.ambiguous.has(id);
  }

  /** A target to mount a reader on. */
  pickRead(step: Step, shown: OracleView): PlainRead {
    if (step.with < 0.6) return { kind: 'list', filter: LISTS[Math.floor(step.at * LISTS.length)]! };
    const ids = [...shown.items.keys()].filter((name) => !name.startsWith('draft'));
    const id = ids[Math.floor(step.at * ids.length)];
    return id === undefined ? { kind: 'user', id: 'u1' } : { kind: 'get', id };
  }

  /** Every text is new, so that a row shows which write it has. */
  title(): string {
    return `t${++this.#titles}`;
  }

  #wholeBody(step: Step): Fields {
    return {
      title: this.title(),
      status: step.with < 0.5 ? 'open' : 'done',
      group: (step.with * 10) % 1 < 0.5 ? 'a' : 'b',
      body: `body ${this.#titles}`,
    };
  }

  /** One in four gets a response with its id alone. */
  #newBody(step: Step): Fields {
    const body = this.#wholeBody(step);
    return step.fault < 0.25 ? { ...body, title: `${BRIEF} ${body['title']}` } : body;
  }

  partBody(step: Step): Fields {
    const part: Record<string, string> = {};
    if (step.with < 0.35) part['status'] = step.with < 0.2 ? 'done' : 'open';
    else if (step.with < 0.5) part['group'] = step.with < 0.42 ? 'a' : 'b';
    else if (step.with < 0.6) part['body'] = this.title();
    else part['title'] = this.title();
    if (step.with < 0.1) part['title'] = this.title();
    return part;
  }
}

/** True when a call is about this row. */
function names(call: WriteCall, draft: Draft | undefined, id: string): boolean {
  return 'ids' in call ? call.ids.includes(id) : 'id' in call && (draft?.realId ?? call.id) === id;
}
