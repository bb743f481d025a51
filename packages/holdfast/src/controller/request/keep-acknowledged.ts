// Protects this client's mutations from messages. A message, for example by `set` or from a stream, may be older than a mutation.
// So it replaces neither a field that a pending mutation sends nor, until a read returns it, a field that was acknowledged a short
// time ago. A message with the same values is an echo of the mutation. A message also does not delete a row whose creation is
// pending. If the class has its own merge, or if the message and the row have comparable versions, the merge or the versions decide
// instead.
import type { Flight } from '../../dispatch/flights.ts';
import { queueNameOf } from '../../dispatch/write-queues.ts';
import { respondOptimistically, sentFields } from '../../endpoint/row-name.ts';
import { markRowAndHoldersStale } from '../../store/apply-effects.ts';
import type { Effects } from '../../store/effects.ts';
import { isEqual, omit } from '../../store/fields.ts';
import { listsConcerned } from '../../store/list-index.ts';
import type { Fields, Row } from '../../store/nodes.ts';
import { knowsOf } from '../../store/order.ts';
import { supersedeFields } from '../../store/overlay.ts';
import { rowOf } from '../../store/stored-form.ts';
import { tryRun } from '../../support/call-safely.ts';
import type { Core, AcknowledgedWrite } from '../state/core.ts';

/** How long an acknowledged field is protected from messages, unless a read returns it earlier. */
const PROTECTED_MS = 10_000;

/**
 * Records the fields of a mutation that was just acknowledged. Optimistic updates of mutations that were sent earlier do not hide
 * these fields any more. The row of a creation is found from its response.
 */
export function noteAcknowledged(core: Core, flight: Flight, { stored }: Effects): void {
  const { store } = core.engine;
  const { call } = flight;
  const stamp = store.timeline.tick();
  const ms = core.environment.clock.now();
  const created = rowOf(stored);
  const sent = normalizeSentRows(core, flight);
  if (sent.length === 0 && created)
    sent.push({ row: created, fields: sentFields(call.endpoint.splitArgs(call.args).body) });
  // The first entry is the oldest, so the array is filtered only when that entry is too old.
  if (ms - (core.acknowledged[0]?.acknowledgedAt ?? ms) > PROTECTED_MS)
    core.acknowledged = protectedWrites(core);
  for (const { row, fields } of sent) {
    core.acknowledged.push({ row, fields: { ...fields }, stamp, acknowledgedAt: ms });
    supersedeFields(store, row, Object.keys(fields), flight.sent);
  }
}

/**
 * Returns the writes that were acknowledged within PROTECTED_MS. A write with a time in the future is left out, because the clock
 * was set back.
 */
function protectedWrites({ acknowledged, environment }: Core): AcknowledgedWrite[] {
  const now = environment.clock.now();
  return acknowledged.filter(({ acknowledgedAt: ms }) => ms <= now && now - ms <= PROTECTED_MS);
}

/**
 * Ends the protection of fields that a read has returned, if the read was sent after their acknowledgement: messages may replace
 * the fields again.
 */
export function forgetAcknowledged({ acknowledged }: Core, effects: Effects, sent: number): void {
  for (const { row, fields, stamp } of acknowledged)
    if (knowsOf(sent, stamp))
      for (const name of Object.keys(effects.incomingOf(row) ?? {})) delete fields[name];
}

/**
 * Removes from a message the protected fields of stored rows, and the deletion of rows whose creation is pending. A row is marked
 * stale when the message contradicts the mutation.
 */
export function removeProtectedFields(core: Core, effects: Effects): void {
  const { store } = core.engine;
  if (core.acknowledged.length + core.flights.size === 0) return;
  core.acknowledged = protectedWrites(core);
  // A message does not delete a row whose creation is pending.
  const isCreated = (row: Row): boolean =>
    [...core.flights].some(
      ({ call, rowQueues }) => call.kind.isPlacement && rowQueues.includes(queueNameOf(row)),
    );
  for (const row of effects.removed.filter(isCreated)) {
    effects.removed.splice(effects.removed.indexOf(row), 1);
    core.messageFieldsIgnoredAt = store.timeline.tick();
    markRowAndHoldersStale(store, row);
  }
  for (const [index, row] of effects.rows.entries()) {
    const incoming = effects.fields[index]!; // `rows` and `fields` have equal lengths
    const { base } = row;
    const policy = effects.policies?.get(index);
    // A version of the row, or the class's own merge function, decides between the message and the stored row.
    if (base && (policy?.merge || policy?.compareVersions(base, incoming) !== undefined)) continue;
    const protectedFields: Record<string, unknown> = {};
    for (const write of core.acknowledged)
      if (write.row === row)
        for (const name of Object.keys(write.fields)) protectedFields[name] = base?.[name];
    for (const flight of core.flights)
      for (const sent of (flight.sentRows ??= normalizeSentRows(core, flight)))
        if (rowOf(sent.row) === row) Object.assign(protectedFields, sent.fields);
    const names = Object.keys(incoming).filter((name) => Object.hasOwn(protectedFields, name));
    if (names.length === 0) continue;
    core.messageFieldsIgnoredAt = store.timeline.tick();
    const isEcho = names.every((name) => isEqual(protectedFields[name], incoming[name]));
    // A stored row does not take the protected fields. A row that is not stored yet takes all fields of the message; unless the
    // message is an echo, that row counts as read, not as written, so that the response to a pending mutation replaces its
    // fields.
    if (base) {
      effects.fields[index] = omit(incoming, new Set(names));
      core.extension.onIgnored?.(row, incoming, names);
    } else if (!isEcho) effects.rowsAsRead = new Set(effects.rowsAsRead).add(row);
    if (isEcho) continue;
    markRowAndHoldersStale(store, row);
    // The lists that contain the row if the message is correct become stale too.
    const after = { ...base, ...incoming };
    for (const list of listsConcerned(row, { type: 'written', after, incoming }))
      store.markStale(list, core.messageFieldsIgnoredAt);
  }
}

/** Returns the rows whose fields a mutation sends, with these fields in stored form. */
export function normalizeSentRows(
  { engine }: Pick<Core, 'engine'>,
  { call }: Flight,
): { row: Row; fields: Fields }[] {
  const { endpoint, kind, args } = call;
  const value = tryRun(() => respondOptimistically.call(endpoint, undefined, ...args));
  const effects = tryRun(() => engine.normalize(kind, value, { args, name: endpoint.name }));
  return effects?.rows.map((row, index) => ({ row, fields: effects.fields[index]! })) ?? []; // `rows` and `fields` have equal lengths
}
