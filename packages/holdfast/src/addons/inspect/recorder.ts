// The recorder of an inspector: the extension of one controller, which the core calls for requests, payloads and readers.
// inspector.ts passes the events of the controller to it. The recorder does not advance the store's timeline and creates no node,
// so that the store behaves the same without it. A record of a row, list or slot is freed with its node.
import { createInterference, noteOwner } from '#env';
import { EndpointObserver } from '../../controller/observe/observer.ts';
import type {
  ExtensionHost,
  ExtensionParts,
  ExtensionReader,
  ReaderEvent,
  SendFlight,
} from '../../dispatch/extension.ts';
import type { EndpointCall } from '../../dispatch/call.ts';
import type { Flight } from '../../dispatch/flights.ts';
import { rowsAmong, targetsOfArgs } from '../../dispatch/write-queues.ts';
import type { ControllerEvent } from '../../dispatch/manager.ts';
import type { NetworkRequest } from '../../dispatch/network-request.ts';
import type { RequestOutcome } from '../../endpoint/run-request.ts';
import type { Effects } from '../../store/effects.ts';
import { itemsOf } from '../../store/graph.ts';
import type { Node } from '../../store/graph.ts';
import { Row } from '../../store/nodes.ts';
import type { Fields, List } from '../../store/nodes.ts';
import type { Slot } from '../../store/slot.ts';
import { isRead, isStale } from '../../store/order.ts';
import type { Stamp } from '../../store/order.ts';
import { ensure } from '../../support/ensure.ts';
import { toError } from '../../support/errors.ts';
import { ConnectionError } from '../../support/network-errors.ts';
import type { ExplainedAnswer } from './explanation.types.ts';
import type { ListNote, InspectedEvent } from './inspected.types.ts';
import { howFieldsArrived, byDirectWrite } from './field-arrival.ts';
import type { Interference } from './interference.ts';
import { KnownRequest } from './known-request.ts';
import type { LossTo } from './known-request.ts';
import { noteRemovedFields } from './removed-fields.ts';
import type { RowRemovedFields } from './removed-fields.ts';
import { setCause } from './fetch-cause.ts';
import type { ReaderLook } from './fetch-cause.ts';
import { LayerWatch } from './layer-watch.ts';
import { reasonsForDeletion, ListMoves, MembershipBefore } from './list-moves.ts';
import type { RowsWithLists } from './list-moves.ts';
import type { RecorderMemory, NodeChange } from './memory.ts';
import type { ComponentNames } from './name-readers.ts';
import { Ring } from './ring.ts';
import { recordSources, lateResponseRule, MOST_LOSSES, copyRowsBefore, RowSources } from './sources.ts';
import { staleReasonsOf } from './stale.ts';
import { Wakes } from './wakes.ts';
import { StampRanges } from './stamp-ranges.ts';
import type { StaleMarker, Landing, StampRange } from './stamp-ranges.ts';

export class Recorder implements RecorderMemory, ExtensionParts {
  readonly core: ExtensionHost;
  readonly requests: Map<number, KnownRequest> = new Map();
  readonly history: Ring<InspectedEvent>;
  readonly wakes: Wakes;
  readonly rowSources: WeakMap<Row, RowSources> = new WeakMap();
  readonly moves: WeakMap<List, ListMoves> = new WeakMap();
  readonly lateResponses: WeakMap<Slot, ExplainedAnswer['lost']> = new WeakMap();
  readonly lastChanges: WeakMap<Node, NodeChange> = new WeakMap();
  readonly lastPayloads: WeakMap<Node, NodeChange> = new WeakMap();
  changeCount = 0;
  readonly components: ComponentNames = new WeakMap();
  readonly interference: Interference | undefined = createInterference(ConnectionError);
  /** True after the controller was started. From then on, the components of readers are noted. */
  isStarted = false;
  readonly #requestsInOrder: Ring<KnownRequest>;
  /** For each time on the store's timeline, whether a write was acknowledged at that time (`isWrite`), or a request was sent. */
  readonly #marksByStamp = new Map<number, { readonly isWrite: boolean }>();
  readonly #stampRanges: StampRanges;
  /** The request of each flight, and of each entry of `core.acknowledged`. */
  readonly #requestsBySent = new WeakMap<object, KnownRequest>();
  readonly #callsByRequest = new WeakMap<KnownRequest, EndpointCall>();
  /** The request that has ended and whose response or error is being stored. */
  #landing: Landing | undefined;
  #lastLanded: StampRange | undefined;
  readonly #layerWatch = new LayerWatch();
  /** The readers that have looked at their data in this synchronous step. */
  readonly #looks: ReaderLook[] = [];
  /** The fields that were removed from the payload that will be stored next. */
  #removedFields: RowRemovedFields[] = [];
  #lastStamp = 0;

  readonly notes: readonly ListNote[];

  constructor(core: ExtensionHost, keep: number, notes: readonly ListNote[]) {
    this.core = core;
    this.notes = notes;
    this.history = new Ring(keep);
    this.#stampRanges = new StampRanges(keep);
    this.#requestsInOrder = new Ring(keep, (request) => this.#drop(request));
    this.wakes = new Wakes(this, keep);
  }

  // ── requests ─────────────────────────────────────────────────────────────────────────────────

  sendFlight(request: NetworkRequest, flight: Flight, next: SendFlight): Promise<RequestOutcome> {
    this.#noteSend(flight);
    const send = (): Promise<RequestOutcome> => next(request, flight);
    const sending = this.interference?.sendThrough(request, flight.aborter.signal, send) ?? send();
    // These handlers are attached before the flight's own handlers, so that the recorder is notified first.
    sending.then(
      (outcome) => this.#noteEnd(flight, outcome),
      (error: unknown) => this.#noteEnd(flight, undefined, error),
    );
    return sending;
  }

  #noteSend(flight: Flight): void {
    const { call, sent, isRead } = flight;
    const { endpoint, args, key } = call;
    const kind = isRead ? 'read' : 'mutation';
    const request = new KnownRequest(sent, kind, this.now(), endpoint.name, args, endpoint.method);
    this.#callsByRequest.set(request, call);
    const known = this.#requestsBySent.get(flight);
    // A paged read may send several requests under one `sent`: the store treats them as one request.
    if (known?.id === sent) return;
    if (isRead && !known)
      request.reasons = staleReasonsOf(this, call, this.core.engine.store.slots.get(call.slotKey));
    if (known) request.cause = isRead ? 'again' : 'refusal';
    else {
      const isOfCall = ({ reader }: ReaderLook): boolean =>
        reader instanceof EndpointObserver && reader.call.key === key;
      setCause(request, flight, this.#looks.filter(isOfCall).at(-1));
    }
    this.#requestsBySent.set(flight, request);
    this.#remember(request);
    if (flight.intent?.appliedLayers.size) request.effectAt = request.startedAt;
    this.addEvent('request', request);
  }

  #noteEnd(flight: Flight, outcome: RequestOutcome | undefined, error?: unknown): void {
    const request = this.#requestsBySent.get(flight);
    this.#landing = undefined;
    if (request && flight.sent === 0) return this.#forget(request, flight);
    if (!request || request.id !== flight.sent) return;
    request.endedAt = this.now();
    if (!outcome) request.noteError(toError(error));
    const { call, isRead } = flight;
    const requested =
      outcome || !isRead ? [] : targetsOfArgs(this.core.engine, call.kind, [call.argsForLookUp]);
    const holders = rowsAmong(requested).map((row) => [row, itemsOf(row.listsInBase)] as const);
    const range = { from: this.#latestStamp, to: Infinity, request };
    this.#landing = { request, flight, outcome, holders, range };
    this.#stampRanges.push(range);
  }

  /**
   * Forgets the request of a mutation that is not sent yet, because an extension must read the row of the mutation first, or judge
   * the mutation again.
   */
  #forget(request: KnownRequest, flight: Flight): void {
    this.#drop(request);
    this.#requestsBySent.delete(flight);
    this.#requestsInOrder.keepOnly((other) => other !== request);
    this.history.keepOnly(({ by }) => by !== request.id);
  }

  #drop(request: KnownRequest): void {
    if (this.requests.get(request.id) === request) this.requests.delete(request.id);
    for (const mark of [request.id, request.respondedAt]) this.#marksByStamp.delete(mark);
  }

  /** Called by inspector.ts after each event of the controller. */
  onEvent(event: ControllerEvent): void {
    this.#recordLayerChanges();
    if (event.type === 'reset') this.interference?.release();
    const landing = this.#landing;
    if (event.type === 'answer' || event.type === 'failure') {
      const request = landing?.flight.call.key === event.key ? landing.request : undefined;
      if (request) {
        this.#endLanding();
        if (!event.isRead)
          for (const write of this.core.acknowledged)
            if (!this.#requestsBySent.has(write)) this.#requestsBySent.set(write, request);
        if (event.type === 'answer')
          request.status = landing?.outcome?.isNotModified ? 'not-modified' : 'answered';
        else {
          request.noteError(event.error);
          this.#noteGone(landing?.holders ?? [], request);
        }
      }
      this.addEvent(event.type, request, event.key);
    } else if (event.type !== 'fetch' && event.type !== 'set') {
      if (event.type === 'expire')
        this.#stampRanges.push({ from: this.#lastStamp, to: this.#latestStamp, request: undefined });
      this.addEvent(event.type, undefined, event.key ?? '');
    }
    this.#lastStamp = this.#latestStamp;
  }

  /**
   * Notes a deletion without a payload: a read that fails because its row does not exist any more deletes the row and removes it
   * from lists.
   */
  #noteGone(holders: RowsWithLists, request: KnownRequest): void {
    for (const [row, lists] of holders) {
      if (row.base !== null || row.stamp.sent !== request.id) continue;
      ensure(this.rowSources, row, () => new RowSources()).deletedBy = request;
      for (const node of [row, ...lists]) this.#noteBaseChange(node, request);
      for (const list of lists) this.#movesOf(list).addMoves([], [row], reasonsForDeletion(request));
    }
  }

  #movesOf(list: List): ListMoves {
    return ensure(this.moves, list, () => new ListMoves());
  }

  #endLanding(): void {
    this.#lastLanded = this.#landing?.range;
    if (this.#lastLanded) this.#lastLanded.to = this.#latestStamp;
    this.#landing = undefined;
  }

  #remember(request: KnownRequest): void {
    this.requests.set(request.id, request);
    this.#marksByStamp.set(request.id, { isWrite: request.kind === 'direct-write' });
    this.#requestsInOrder.push(request);
  }

  markedStaleBy(stamp: number): StaleMarker {
    return this.#stampRanges.findMarker(stamp);
  }

  // ── base ─────────────────────────────────────────────────────────────────────────────────────

  beforeStore(effects: Effects, origin: Stamp): () => void {
    this.#recordLayerChanges();
    const landing = this.#landing;
    const isLanding = landing?.request.id === origin.sent;
    const request = isLanding ? landing.request : this.#ensureDirectWrite(origin);
    const rowPayloads = copyRowsBefore(effects, origin);
    const membership = new MembershipBefore(effects);
    const staleBefore = [...effects.rows, ...effects.lists.map(({ list }) => list)].filter((node) =>
      isStale(node),
    );
    const wasThere = new Set(rowPayloads.filter(({ before }) => before.base).map(({ row }) => row));
    for (const removed of this.#removedFields.splice(0)) this.#noteRemovedFields(removed, request);
    if (!isRead(origin)) this.#marksByStamp.set((request.respondedAt = origin.settled), { isWrite: true });
    const howOf = isLanding ? howFieldsArrived(landing.flight, landing.outcome, effects) : byDirectWrite;
    const lossOfSlot =
      isLanding && landing.flight.isRead ? this.#noteLateResponse(landing.flight, origin) : undefined;
    return () => {
      request.loss = lossOfSlot;
      const before = this.changeCount;
      const findByMark = (mark: number): { readonly isWrite: boolean } | undefined =>
        this.#marksByStamp.get(mark);
      for (const rowPayload of rowPayloads) {
        const { row } = rowPayload;
        const sources = ensure(this.rowSources, row, () => new RowSources());
        const result = recordSources(sources, rowPayload, request, findByMark, howOf(row));
        if (result.changed.size > 0 || rowPayload.before.base !== row.base)
          this.#noteBaseChange(row, request, result.changed);
        request.loss ??= result.loss;
      }
      for (const row of effects.removed) {
        ensure(this.rowSources, row, () => new RowSources()).deletedBy = request;
        this.#noteBaseChange(row, request);
      }
      for (const { draft } of effects.namings) this.#noteBaseChange(draft, request);
      const isNew = (row: Row): boolean => !wasThere.has(row);
      for (const list of membership.recordMoves(request, isNew, (changed) => this.#movesOf(changed)))
        this.#noteBaseChange(list, request);
      const hasChanged = this.changeCount > before;
      for (const node of staleBefore) if (node.staleSince === 0) this.#noteBaseChange(node, request);
      for (const { list } of effects.lists) this.lastPayloads.set(list, this.#nextChange(request));
      const isOfRows = rowPayloads.length + effects.lists.length + effects.removed.length > 0;
      request.effect =
        hasChanged || !(isOfRows || request.loss) ? 'counted' : request.loss ? 'did-not-count' : 'unchanged';
      if (hasChanged) request.effectAt ??= this.now();
      if (!isLanding) this.#stampRanges.push({ from: this.#lastStamp, to: this.#latestStamp, request });
      this.#lastStamp = this.#latestStamp;
    };
  }

  #ensureDirectWrite(origin: Stamp): KnownRequest {
    const known = this.requests.get(origin.sent);
    if (known?.kind === 'direct-write') return known;
    const request = new KnownRequest(origin.sent, 'direct-write', this.now());
    request.status = 'answered';
    request.endedAt = request.startedAt;
    this.#remember(request);
    this.addEvent('direct-write', request);
    return request;
  }

  /**
   * Notes the response if it will not be stored in the slot of its call. Then returns the rule by which it is not stored, and the
   * request whose data counts instead.
   */
  #noteLateResponse({ call }: Flight, origin: Stamp): LossTo | undefined {
    const slot = this.core.engine.store.slots.get(call.slotKey);
    const lost = slot && lateResponseRule(slot, call.isPage, origin);
    if (!slot || !lost) return undefined;
    this.lateResponses.set(slot, [lost, ...(this.lateResponses.get(slot) ?? [])].slice(0, MOST_LOSSES));
    return { rule: 'read-sent-before-later-read', to: this.requests.get(slot.stamp.sent) };
  }

  // ── messages and direct writes ───────────────────────────────────────────────────────────────

  onIgnored(row: Row, incoming: Fields, names: readonly string[]): void {
    this.#removedFields.push({ row, incoming, names });
  }

  #noteRemovedFields(removed: RowRemovedFields, request: KnownRequest): void {
    const sources = ensure(this.rowSources, removed.row, () => new RowSources());
    noteRemovedFields(this.core, sources, removed, request, (sent) => this.#requestsBySent.get(sent));
  }

  // ── changes ──────────────────────────────────────────────────────────────────────────────────

  #recordLayerChanges(): void {
    // If the timeline has not advanced since the last response was stored, that response has made the change.
    const isLast = this.#lastLanded?.to === this.#latestStamp;
    const by = this.#landing?.request ?? (isLast ? this.#lastLanded?.request : undefined);
    this.#layerWatch.reportChanges(this.core.engine.store, (node, fields, how) => {
      const known = this.lastChanges.get(node);
      // A response that has changed base and replaced its own optimistic update counts as a change of base.
      const isOptimistic = !by || known?.isOptimistic !== false || known.by !== by;
      this.#noteChange(node, { changeNumber: ++this.changeCount, isOptimistic, fields, by, how });
    });
  }

  onReader(reader: ExtensionReader, event: ReaderEvent, retriesFailed?: boolean): void {
    if (event === 'watch' && this.isStarted) noteOwner(this.components, reader);
    if (event === 'mount' || event === 'unmount') this.#noteMount(reader, event);
    if (event === 'notify') {
      this.#recordLayerChanges();
      this.wakes.noteWake(reader);
    }
    if (event === 'look' || event === 'retry') {
      const byOthers = retriesFailed === true ? 'reconnect' : 'focus';
      this.#looks.push({ reader, occasion: retriesFailed === undefined ? event : byOthers });
      queueMicrotask(() => void this.#looks.splice(0));
    }
  }

  #noteMount(reader: ExtensionReader, event: 'mount' | 'unmount'): void {
    const isMount = event === 'mount';
    if (isMount) this.wakes.addReader(reader);
    const call = reader instanceof EndpointObserver ? reader.call : undefined;
    const slot = call && this.core.engine.store.slots.get(call.slotKey);
    const request = slot && this.requests.get(slot.stamp.sent);
    // A suspended reader mounts only after its response has arrived: the request was sent for this reader.
    if (isMount && request?.cause === 'unknown') request.cause = 'mount';
    this.addEvent(event, undefined, call?.endpoint.name);
  }

  #noteBaseChange(node: Node, by: KnownRequest | undefined, fields?: Iterable<string>): void {
    this.#noteChange(node, this.#nextChange(by, fields));
  }

  #nextChange(by: KnownRequest | undefined, fields: Iterable<string> = []): NodeChange {
    return { changeNumber: ++this.changeCount, isOptimistic: false, fields, by };
  }

  #noteChange(node: Node, change: NodeChange): void {
    this.lastChanges.set(node, change);
    // A view of all rows depends on the table. For a view of the rows with a certain field value, wakes.ts looks up the table.
    if (node instanceof Row) this.lastChanges.set(node.table, change);
  }

  // ── shared ───────────────────────────────────────────────────────────────────────────────────

  now(): number {
    return this.core.environment.clock.now();
  }

  addEvent(what: InspectedEvent['what'], request: KnownRequest | undefined, about = ''): void {
    this.history.push({ at: this.now(), what, by: request?.id, about: request?.endpoint || about });
  }

  get #latestStamp(): number {
    return this.core.engine.store.timeline.last;
  }

  /** The remembered requests, the oldest first. */
  rememberedRequests(): KnownRequest[] {
    return this.#requestsInOrder.toArray();
  }

  callOf(id: number): EndpointCall | undefined {
    const request = this.requests.get(id);
    return request && this.#callsByRequest.get(request);
  }

  requestOf(flight: Flight): KnownRequest | undefined {
    const request = this.#requestsBySent.get(flight);
    return request?.id === flight.sent ? request : undefined;
  }
}
