// Faults that a careful reader might make in the library, as edits: a file under packages/holdfast/src, a text that
// stands there exactly once, and what takes its place. Each breaks one rule; scripts/faults.mjs has them judged.

interface Fault {
  readonly name: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

export const FAULTS: readonly Fault[] = [
  {
    name: 'order follows the wall clock',
    file: 'store/timeline.ts',
    find: 'now > this.#last ? now : this.#last + NUDGE_MS',
    replace: 'now',
  },
  {
    name: 'a read replaces a write that was acknowledged after its sending',
    file: 'store/stamp.ts',
    find: 'fence: isRead ? sent : settled,',
    replace: 'fence: sent,',
  },
  {
    name: 'the fence is for writes too',
    file: 'store/stamp.ts',
    find: '(origin.isRead ? stamp.fence : stamp.writeSent)',
    replace: 'stamp.fence',
  },
  {
    name: 'an applied read erases the mark of an earlier write',
    file: 'store/stamp.ts',
    find: 'if (stamp.writeSent <= next.writeSent && stamp.fence <= next.fence) return next;',
    replace: 'if (next) return next;',
  },
  {
    name: 'a write that is too late to show leaves no fence',
    file: 'store/stamp.ts',
    find: 'return fence <= stamp.fence ? stamp : { ...stamp, fence };',
    replace: 'return fence < 0 ? { ...stamp, fence } : stamp;',
  },
  {
    name: 'a tombstone counts from the sending of the delete',
    file: 'store/apply-effects.ts',
    find: 'row.deletedAt = Math.max(row.deletedAt, origin.settled);',
    replace: 'row.deletedAt = Math.max(row.deletedAt, origin.sent);',
  },
  {
    name: 'answers bring deleted rows back',
    file: 'store/apply-effects.ts',
    find: 'if (origin.sent < row.deletedAt) continue;',
    replace: '',
  },
  {
    name: 'a failure leaves its guess on screen',
    file: 'controller/fetch-write.ts',
    find: "drop(core, mutation.guess);\n  core.emit({ type: 'failure'",
    replace: "core.emit({ type: 'failure'",
  },
  {
    name: 'a list read forgets what was created or moved since',
    file: 'store/write-list.ts',
    find: 'if (fence <= origin.sent || !row.base) continue;',
    replace: 'if (fence >= 0) continue;',
  },
  {
    name: 'an older list replaces a newer one',
    file: 'store/write-list.ts',
    find: 'const isLate = present !== undefined && isOlder(origin, present.stamp);',
    replace: 'const isLate = present !== undefined && origin.sent < 0;',
  },
  {
    name: 'rows that no longer match stay in the list',
    file: 'store/membership.ts',
    find: "if (!matchesFields(list, after)) return 'leave';",
    replace: "if (!matchesFields(list, after)) return 'none';",
  },
  {
    name: 'rows that match now do not enter',
    file: 'store/membership.ts',
    find: "&& !matchesFields(list, before) ? 'enter' : 'none'",
    replace: "&& !matchesFields(list, before) ? 'none' : 'none'",
  },
  {
    name: 'a search that holds a changed row stays fresh',
    file: 'store/membership.ts',
    find: "if (!isDecidable(list, after)) return 'doubt';",
    replace: "if (!isDecidable(list, after)) return 'none';",
  },
  {
    name: 'one end takes all later guesses away',
    file: 'store/overlay.ts',
    find: 'store.intents.splice(at, 1);',
    replace: 'store.intents.splice(at);',
  },
  {
    name: 'a guess is never made again',
    file: 'store/overlay.ts',
    find: 'if (intent.mustRun || sawSomethingElse(intent)) intent.run();',
    replace: '',
  },
  {
    name: 'a guess does not move rows between lists',
    file: 'store/overlay.ts',
    find: 'if (before && row.shown) layMoves(store, intent, row, before, row.shown);',
    replace: '',
  },
  {
    name: 'a guess brings a deleted row back',
    file: 'store/overlay.ts',
    find: 'if (fields !== null && isGone && !intent.drafts.includes(row)) {',
    replace: 'if (fields !== null && isGone && intent.sent < 0) {',
  },
  {
    name: 'a row is added to a list that holds it',
    file: 'store/list-members.ts',
    find: 'return row === undefined ? !members.includes(member) : !isHeld(row);',
    replace: 'return row === undefined ? !members.includes(member) : row.pk !== isHeld.name;',
  },
  {
    name: 'pages stand in the order of arrival',
    file: 'store/list-members.ts',
    find: 'return [...segments, page].toSorted(comparePages);',
    replace: 'return [...segments, page].toSorted(() => 0);',
  },
  {
    name: 'a doubt is settled by a read that was sent before it',
    file: 'store/store.ts',
    find: 'if (node.staleSince === 0 || sent < node.staleSince) return;',
    replace: 'if (node.staleSince === 0) return;',
  },
  {
    name: 'subscribers are not woken',
    file: 'store/graph.ts',
    find: 'if (view.subscribers !== null) wake.add(view);',
    replace: '',
  },
  {
    name: 'an entity built again is a new object',
    file: 'schema/entity-read.ts',
    find: 'return isSame ? previous : instance;',
    replace: 'return instance;',
  },
  {
    name: 'a draft loses its local id when it is named',
    file: 'store/apply-effects.ts',
    find: 'table.aliases.set(localId, row);',
    replace: '',
  },
  {
    name: 'guesses keep the local id of a named draft',
    file: 'store/apply-effects.ts',
    find: 'intent.mustRun = true;',
    replace: '',
  },
  {
    name: 'requests do not wait for the drafts they name',
    file: 'controller/drafts.ts',
    find: 'if (creation) found.add(creation);',
    replace: '',
  },
  {
    name: 'a deleted draft still sends its edits',
    file: 'controller/fetch-write.ts',
    find: "if (endpoint.method === 'DELETE') for (const callOff of creation.waiting) callOff();",
    replace: '',
  },
  {
    name: 'an empty answer reverts what was intended',
    file: 'controller/fetch-write.ts',
    find: 'const value = isEmpty ? guess?.value : named(endpoint, outcome.value);',
    replace: 'const value = isEmpty ? outcome.value : named(endpoint, outcome.value);',
  },
  {
    name: 'a write that ended unknown leaves everything fresh',
    file: 'controller/fetch-write.ts',
    find: 'if (sent > 0 && !isRefusal(error)) {',
    replace: 'if (sent > 0 && !isRefusal(error) && error.name === "") {',
  },
  {
    name: 'a reset keeps the store',
    file: 'controller/mutable-core.ts',
    find: 'this.generation += 1;\n    this.engine = this.#createEngine();',
    replace: 'this.generation += 1;',
  },
  {
    name: 'a reset leaves requests under way',
    file: 'controller/mutable-core.ts',
    find: 'this.flights.abortAll(new ResetError());',
    replace: '',
  },
  {
    name: 'a fetch joins a request from before a mutation',
    file: 'dispatch/flights.ts',
    find: 'for (const flight of this.#all) flight.isOutdated = true;',
    replace: '',
  },
  {
    name: 'a fetch joins a request from before an invalidation',
    file: 'dispatch/flights.ts',
    find: 'if (flight.slotKey === slotKey) flight.isOutdated = true;',
    replace: 'if (flight.slotKey === slotKey) continue;',
  },
  {
    name: 'nothing is joined',
    file: 'dispatch/flights.ts',
    find: '?.find((flight) => flight.isJoinable &&',
    replace: '?.find((flight) => flight.isSettled &&',
  },
  {
    name: 'an answer from before an invalidation makes the data fresh',
    file: 'controller/write-slot.ts',
    find: 'if (origin.sent >= slot.invalidatedAt) slot.invalidatedAt = 0;',
    replace: 'slot.invalidatedAt = 0;',
  },
  {
    name: 'not found is only an error',
    file: 'controller/fetch-read.ts',
    find: 'if (view.stored instanceof Row) removeRow(engine.store, view.stored, origin);',
    replace: '',
  },
  {
    name: 'requests have no time limit',
    file: 'endpoint/run-request.ts',
    find: 'timeoutMs < LONGEST_TIMER_MS',
    replace: 'timeoutMs < 0',
  },
  {
    name: 'polls go on while nobody looks or the network is away',
    file: 'dispatch/polling-manager.ts',
    find: 'if (!online.isOnline() || !visibility.isVisible()) return;',
    replace: '',
  },
  {
    name: 'a poll goes on after the last unsubscribe',
    file: 'dispatch/polling-manager.ts',
    find: 'joined.wishes.delete(subscription);',
    replace: '',
  },
  {
    name: 'what fails is tried again at once',
    file: 'controller/freshness.ts',
    find: 'if (failures <= FREE_FAILURES) return wanted;',
    replace: 'if (failures > 0) return 0;',
  },
  {
    name: 'what failed is not tried again',
    file: 'controller/when-due.ts',
    find: 'pausedUntil || seen.errorExpiresAt ||',
    replace: 'pausedUntil || (seen.errorExpiresAt > 0 ? -1 : 0) ||',
  },
  {
    name: 'a failure stands until the clock has caught up',
    file: 'controller/observer.ts',
    find: 'else if (isMisdated(until,',
    replace: 'else if (until < 0 && isMisdated(until,',
  },
  {
    name: 'a failure stays over data that others brought',
    file: 'controller/observer.ts',
    find: 'return seen.error !== undefined || isDue(',
    replace: 'return isDue(',
  },
  {
    name: 'a collection takes what readers show',
    file: 'controller/retention.ts',
    find: 'yield* this.#observers.views();',
    replace: '',
  },
  {
    name: 'a collection takes what is polled',
    file: 'controller/retention.ts',
    find: 'for (const { key } of this.#live.entries()) {',
    replace: 'for (const { key } of [...this.#live.entries()].slice(0, 0)) {',
  },
  {
    name: 'a collection takes what pending mutations use',
    file: 'normalize/collect.ts',
    find: 'for (const intent of store.intents) {',
    replace: 'for (const intent of store.intents.slice(0, 0)) {',
  },
  {
    name: 'a collection takes what is newer than a request under way',
    file: 'normalize/collect.ts',
    find: 'return Math.max(node.stamp.fence, node.deletedAt, node.staleSince) <= oldestOpen;',
    replace: 'return oldestOpen > 0;',
  },
  {
    name: 'a collection has no second look at what is in use',
    file: 'normalize/collect.ts',
    find: 'for (const roots of [this.#roots(), this.#engineRoots(), touched]) this.#markAll(roots);',
    replace: '',
  },
  {
    name: 'nothing is ever collected',
    file: 'normalize/collect.ts',
    find: 'if (this.#suspects.has(node)) gone.add(node);',
    replace: 'if (this.#suspects.has(node) && steps < 0) gone.add(node);',
  },
  {
    name: 'the names of collected drafts stay',
    file: 'normalize/collect.ts',
    find: 'for (const table of store.tables.values()) forgetNames(table, (row) => gone.has(row));',
    replace: '',
  },
  {
    name: 'look-ups are never forgotten',
    file: 'normalize/collect.ts',
    find: 'this.#engine.forgetCells(gone);',
    replace: '',
  },
  {
    name: 'age is measured by the wall clock',
    file: 'controller/retention.ts',
    find: 'this.#collector.run(this.#waitsSince)',
    replace: 'this.#collector.run(engine.store.timeline.tick() - this.#lengthMs)',
  },
  {
    name: 'observers that nobody uses are kept',
    file: 'controller/retention.ts',
    find: 'this.#observers.forgetIdle();',
    replace: '',
  },
];
