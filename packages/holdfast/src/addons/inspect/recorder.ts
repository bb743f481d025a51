// The recorder of an inspector: turns what put-into.ts lets it see into memory that explain.ts, stale.ts and wakes.ts read. Draws no
// stamp and makes no node: a run with it is a run without it. What it keeps of rows, lists and slots goes with them.
import { EndpointObserver } from '../../controller/observe/observer.ts';
import type { Core } from '../../controller/state/core.ts';
import type { Flight } from '../../dispatch/flights.ts';
import { rowsAmong, targetsOf } from '../../dispatch/write-queues.ts';
import type { ControllerEvent } from '../../dispatch/manager.ts';
import type { RequestOutcome } from '../../endpoint/run-request.ts';
import type { Effects } from '../../store/effects.ts';
import { itemsOf } from '../../store/graph.ts';
import type { Node } from '../../store/graph.ts';
import { Row } from '../../store/nodes.ts';
import type { List, Slot } from '../../store/nodes.ts';
import type { Origin } from '../../store/stamp.ts';
import { ensure } from '../../support/ensure.ts';
import type { ExplainedAnswer } from './explanation.types.ts';
import type { InspectedEvent } from './inspected.types.ts';
import { readHow, writtenDirectly } from './how-it-came.ts';
import { KnownRequest } from './known-request.ts';
import { Asides, loseAside } from './lost-beside.ts';
import { causeOfFlight, hearReader } from './watch-reader.ts';
import type { Occasion } from './watch-reader.ts';
import { LayerWatch } from './layer-watch.ts';
import { goneBy, ListMoves, Places } from './list-moves.ts';
import type { Holders } from './list-moves.ts';
import type { RecorderMemory, NodeChange } from './memory.ts';
import type { ComponentNames } from './name-readers.ts';
import { Ring } from './ring.ts';
import { judgeStatement, lateRule, MOST_LOSSES, readStatements, RowSources } from './sources.ts';
import { reasonsFor } from './stale.ts';
import { Wakes } from './wakes.ts';
import { Windows } from './windows.ts';
import type { Doubter, Landing, Window } from './windows.ts';

export class Recorder implements RecorderMemory {
  readonly core: Core;
  readonly requests: Map<number, KnownRequest> = new Map();
  readonly history: Ring<InspectedEvent>;
  readonly wakes: Wakes;
  readonly rows: WeakMap<Row, RowSources> = new WeakMap();
  readonly moves: WeakMap<List, ListMoves> = new WeakMap();
  readonly late: WeakMap<Slot, ExplainedAnswer['lost']> = new WeakMap();
  readonly lastChanges: WeakMap<Node, NodeChange> = new WeakMap();
  readonly lastStated: WeakMap<Node, NodeChange> = new WeakMap();
  count = 0;
  readonly components: ComponentNames = new WeakMap();
  readonly #order: Ring<KnownRequest>;
  /** What a mark of a stamp is. */
  readonly #marks = new Map<number, { readonly isWrite: boolean }>();
  readonly #windows: Windows;
  readonly #sent = new WeakMap<Flight, KnownRequest>();
  /** The request that has ended and is being stored. */
  #landing: Landing | undefined;
  #lastLanded: Window | undefined;
  readonly #layers = new LayerWatch();
  /** What readers are doing at this moment. */
  readonly occasion: Occasion = { cause: undefined };
  readonly #asides = new Asides();
  #lastStamp = 0;

  constructor(core: Core, keep: number) {
    this.core = core;
    this.history = new Ring(keep);
    this.#windows = new Windows(keep);
    this.#order = new Ring(keep, (request) => {
      if (this.requests.get(request.id) === request) this.requests.delete(request.id);
      for (const mark of [request.id, request.respondedAt]) this.#marks.delete(mark);
    });
    this.wakes = new Wakes(this, keep);
  }

  // ── requests ─────────────────────────────────────────────────────────────────────────────────

  sends(flight: Flight): void {
    const { call, sent, isRead } = flight;
    const { endpoint, args, key } = call;
    const request = new KnownRequest(
      sent,
      isRead ? 'read' : 'mutation',
      this.now(),
      key,
      endpoint.name,
      args,
    );
    const known = this.#sent.get(flight);
    // a list in pages sends several requests: to the store they are one
    if (known?.id === sent) return;
    if (isRead && !known)
      request.reasons = reasonsFor(this, call, this.core.engine.store.slots.get(call.slotKey));
    request.cause = known ? 'again' : causeOfFlight(flight, request, this.occasion);
    this.#sent.set(flight, request);
    this.#remember(request);
    this.notify('request', request);
  }

  lands(flight: Flight, outcome: RequestOutcome | undefined): void {
    const request = this.#sent.get(flight);
    this.#landing = undefined;
    if (!request || request.id !== flight.sent) return;
    request.endedAt = this.now();
    const { call, isRead } = flight;
    const requested = outcome || !isRead ? [] : targetsOf(this.core.engine, call.kind, [call.lookUpArgs]);
    const holders = rowsAmong(requested).map((row) => [row, itemsOf(row.holders)] as const);
    const window = { from: this.#stamp, to: Infinity, request };
    this.#landing = { request, flight, outcome, holders, window };
    this.#windows.push(window);
  }

  /** The controller tells what has happened, after it has. */
  hear(event: ControllerEvent): void {
    this.#lookAtLayers();
    const landing = this.#landing;
    if (event.type === 'answer' || event.type === 'failure') {
      const request = landing?.flight.call.key === event.key ? landing.request : undefined;
      if (request) {
        this.#endLanding();
        if (event.type === 'answer')
          request.status = landing?.outcome?.isNotModified ? 'not-modified' : 'answered';
        else {
          request.status = 'failed';
          request.error = event.error.name;
          this.#noteGone(landing?.holders ?? [], request);
        }
      }
      this.notify(event.type, request, event.key);
    } else if (event.type !== 'fetch' && event.type !== 'set') {
      if (event.type === 'expire')
        this.#windows.push({ from: this.#lastStamp, to: this.#stamp, request: undefined });
      this.notify(event.type, undefined, event.key ?? '');
    }
    this.#lastStamp = this.#stamp;
  }

  /** A read that is told that its row is gone removes it, from its lists too, without a payload. */
  #noteGone(holders: Holders, request: KnownRequest): void {
    for (const [row, lists] of holders) {
      if (row.base !== null || row.stamp.fetchedAt !== request.id) continue;
      ensure(this.rows, row, () => new RowSources()).deletedBy = request;
      for (const node of [row, ...lists]) this.#change(node, request);
      for (const list of lists) this.#movesOf(list).note([], [row], goneBy(request));
    }
  }

  #movesOf(list: List): ListMoves {
    return ensure(this.moves, list, () => new ListMoves());
  }

  #endLanding(): void {
    this.#lastLanded = this.#landing?.window;
    if (this.#lastLanded) this.#lastLanded.to = this.#stamp;
    this.#landing = undefined;
  }

  #remember(request: KnownRequest): void {
    this.requests.set(request.id, request);
    this.#marks.set(request.id, { isWrite: request.kind === 'direct-write' });
    this.#order.push(request);
  }

  doubtedBy(stamp: number): Doubter {
    return this.#windows.find(stamp);
  }

  // ── server truth ─────────────────────────────────────────────────────────────────────────────

  /** A payload is about to enter server truth; what this gives is called when it is in. */
  applying(effects: Effects, origin: Origin): () => void {
    this.#lookAtLayers();
    const landing = this.#landing;
    const isLanding = landing?.request.id === origin.sent;
    const request = isLanding ? landing.request : this.#directWrite(origin);
    const statements = readStatements(effects, origin);
    const places = new Places(effects);
    const trusted = [...effects.rows, ...effects.lists.map(({ list }) => list)].filter(
      ({ staleSince }) => staleSince > 0,
    );
    const wasThere = new Set(statements.filter(({ before }) => before.base).map(({ row }) => row));
    if (isLanding && landing.flight.isRead) this.#noteLateResponse(landing.flight, origin);
    if (!isLanding) this.#noteAside(effects, request);
    if (!origin.isRead) this.#marks.set((request.respondedAt = origin.settled), { isWrite: true });
    const howOf = isLanding ? readHow(landing.flight, landing.outcome, effects) : writtenDirectly;
    return () => {
      for (const statement of statements) {
        const { row } = statement;
        const sources = ensure(this.rows, row, () => new RowSources());
        if (judgeStatement(sources, statement, request, (mark) => this.#marks.get(mark), howOf(row)))
          this.#change(row, request);
      }
      for (const row of effects.removed) {
        ensure(this.rows, row, () => new RowSources()).deletedBy = request;
        this.#change(row, request);
      }
      for (const { list } of effects.lists)
        this.lastStated.set(list, { count: ++this.count, isOptimistic: false, by: request });
      for (const { draft } of effects.namings) this.#change(draft, request);
      for (const node of trusted) if (node.staleSince === 0) this.#change(node, request);
      const isNew = (row: Row): boolean => !wasThere.has(row);
      for (const list of places.compare(request, isNew, (one) => this.#movesOf(one)))
        this.#change(list, request);
      if (!isLanding) this.#windows.push({ from: this.#lastStamp, to: this.#stamp, request });
      this.#lastStamp = this.#stamp;
    };
  }

  #directWrite(origin: Origin): KnownRequest {
    const known = this.requests.get(origin.sent);
    if (known?.kind === 'direct-write') return known;
    const request = new KnownRequest(origin.sent, 'direct-write', this.now());
    request.status = 'answered';
    request.endedAt = request.startedAt;
    this.#remember(request);
    this.notify('direct-write', request);
    return request;
  }

  #noteLateResponse({ call }: Flight, origin: Origin): void {
    const slot = this.core.engine.store.slots.get(call.slotKey);
    const lost = slot && lateRule(slot, call.isPage, origin);
    if (slot && lost) this.late.set(slot, [lost, ...(this.late.get(slot) ?? [])].slice(0, MOST_LOSSES));
  }

  // ── beside the answers ───────────────────────────────────────────────────────────────────────

  /** A payload was read to its end; it may be stored, laid over as a guess, or neither. */
  reads(effects: Effects): void {
    this.#asides.note(effects);
  }

  #noteAside(effects: Effects, request: KnownRequest): void {
    for (const aside of this.#asides.of(effects)) {
      const sources = ensure(this.rows, aside.row, () => new RowSources());
      loseAside(this.core, sources, aside, request, (flight) => this.#sent.get(flight));
    }
  }

  // ── changes ──────────────────────────────────────────────────────────────────────────────────

  #lookAtLayers(): void {
    // nothing has happened since
    const isLast = this.#lastLanded?.to === this.#stamp;
    const by = this.#landing?.request ?? (isLast ? this.#lastLanded?.request : undefined);
    this.#layers.look(this.core.engine.store, (node) => {
      const known = this.lastChanges.get(node);
      // an answer that took the place of its guess has changed server truth as well
      const isOptimistic = !by || known?.isOptimistic !== false || known.by !== by;
      this.#noteChange(node, { count: ++this.count, isOptimistic, by });
    });
  }

  /** A reader comes, or the last one of its kind has gone. */
  watches(observer: object, isThere: boolean): void {
    if (isThere && this.wakes.start(observer))
      hearReader(observer, this.occasion, () => this.tells(observer));
    const call = observer instanceof EndpointObserver ? observer.call : undefined;
    const slot = call && this.core.engine.store.slots.get(call.slotKey);
    const request = slot && this.requests.get(slot.stamp.fetchedAt);
    // a reader that could not be mounted before its answer came is the one that has asked for it
    if (isThere && request?.cause === 'unknown') request.cause = 'mount';
    this.notify(isThere ? 'mount' : 'unmount', undefined, call?.endpoint.name);
  }

  tells(observer: object): void {
    this.#lookAtLayers();
    this.wakes.note(observer);
  }

  #change(node: Node, by: KnownRequest | undefined): void {
    this.#noteChange(node, { count: ++this.count, isOptimistic: false, by });
  }

  #noteChange(node: Node, change: NodeChange): void {
    this.lastChanges.set(node, change);
    // views of all rows, and of those with some value, are built from their table
    if (node instanceof Row) this.lastChanges.set(node.table, change);
  }

  // ── shared ───────────────────────────────────────────────────────────────────────────────────

  now(): number {
    return this.core.environment.clock.now();
  }

  notify(what: InspectedEvent['what'], request: KnownRequest | undefined, about = ''): void {
    this.history.push({ at: this.now(), what, by: request?.id, about: request?.endpoint || about });
  }

  get #stamp(): number {
    return this.core.engine.store.timeline.last;
  }

  /** Those that are remembered, the oldest first. */
  known(): KnownRequest[] {
    return this.#order.toArray();
  }

  requestOf(flight: Flight): KnownRequest | undefined {
    const request = this.#sent.get(flight);
    return request?.id === flight.sent ? request : undefined;
  }
}
