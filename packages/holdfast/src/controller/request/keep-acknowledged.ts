// A value that comes beside the answers, by `set` or from a stream, may be older than the mutations of this client: it leaves
// alone the fields that are in flight, or acknowledged and not read since. Where it says the same, it is an echo.
import type { Flight } from '../../dispatch/flights.ts';
import { queueOf } from '../../dispatch/write-queues.ts';
import { respondOptimistically, sentFields } from '../../endpoint/row-name.ts';
import { markRowStale } from '../../store/apply-effects.ts';
import type { Effects } from '../../store/effects.ts';
import { isEqual, omit } from '../../store/fields.ts';
import { listsNear } from '../../store/membership.ts';
import type { Fields, Row } from '../../store/nodes.ts';
import { uncover } from '../../store/overlay.ts';
import { rowOf } from '../../store/stored-form.ts';
import { tryRun } from '../../support/call-safely.ts';
import type { Core, AcknowledgedWrite } from '../state/core.ts';

/** How long an acknowledged field is kept from values that may be older. */
const KEPT_MS = 10_000;

/** A call was acknowledged: guesses of calls sent earlier do not cover what it has sent. Its answer names what it has created. */
export function noteAcknowledged(core: Core, flight: Flight, { stored }: Effects): void {
  const { store } = core.engine;
  const { call } = flight;
  const stamp = store.timeline.tick();
  const ms = core.environment.clock.now();
  const created = rowOf(stored);
  const sent = sentRowsOf(core, flight);
  if (sent.length === 0 && created)
    sent.push({ row: created, fields: sentFields(call.endpoint.splitArgs(call.args).body) });
  // the oldest stands first: the whole is looked through only when that one has had its time
  if (ms - (core.acknowledged[0]?.ms ?? ms) > KEPT_MS) core.acknowledged = acknowledgedLately(core);
  for (const { row, fields } of sent) {
    core.acknowledged.push({ row, fields: { ...fields }, stamp, ms });
    uncover(store, row, Object.keys(fields), flight.sent);
  }
}

/** A clock that was set back says nothing. */
function acknowledgedLately({ acknowledged, environment }: Core): AcknowledgedWrite[] {
  const now = environment.clock.now();
  return acknowledged.filter(({ ms }) => ms <= now && now - ms <= KEPT_MS);
}

/** A read has brought fields since they were acknowledged: what comes beside the answers may replace them again. */
export function forgetAcknowledged({ acknowledged }: Core, effects: Effects, sent: number): void {
  for (const { row, fields, stamp } of acknowledged)
    if (stamp < sent) for (const name of Object.keys(effects.incomingOf(row) ?? {})) delete fields[name];
}

/** Takes out of a value what this client knows better. Rows about which they disagree are in doubt. */
export function keepAcknowledged(core: Core, effects: Effects): void {
  const { store } = core.engine;
  core.acknowledged = acknowledgedLately(core);
  if (core.acknowledged.length + core.flights.size === 0) return;
  // a message does not delete a row whose creation is in flight
  const isCreated = (row: Row): boolean =>
    [...core.flights].some(({ call, named }) => call.kind.isPlacement && named.includes(queueOf(row)));
  for (const row of effects.removed.filter(isCreated)) {
    effects.removed.splice(effects.removed.indexOf(row), 1);
    core.messageIgnoredAt = store.timeline.tick();
    markRowStale(store, row);
  }
  for (const [at, row] of effects.rows.entries()) {
    const incoming = effects.fields[at]!; // grow together
    const { base } = row;
    const policy = effects.policies?.get(at);
    // a version decides, or the class's own order, which judges whole rows
    if (base && (policy?.merge || policy?.byVersion(base, incoming) !== undefined)) continue;
    const known: Record<string, unknown> = {};
    for (const one of core.acknowledged)
      if (one.row === row) for (const name of Object.keys(one.fields)) known[name] = base?.[name];
    for (const flight of core.flights)
      for (const one of (flight.acknowledged ??= sentRowsOf(core, flight)))
        if (rowOf(one.row) === row) Object.assign(known, one.fields);
    const names = Object.keys(incoming).filter((name) => Object.hasOwn(known, name));
    if (names.length === 0) continue;
    core.messageIgnoredAt = store.timeline.tick();
    const isEcho = names.every((name) => isEqual(known[name], incoming[name]));
    // a row that is not here is shown as the message has it, until the mutation in flight is answered
    if (base) effects.fields[at] = omit(incoming, new Set(names));
    else if (!isEcho) effects.nested?.add(row);
    if (isEcho) continue;
    markRowStale(store, row);
    // so are the lists that the row would be in if the message is right
    for (const table of [row.table, ...row.table.unions])
      for (const list of listsNear(table, { ...base, ...incoming }, { incoming }))
        store.markStale(list, core.messageIgnoredAt);
  }
}

/** The rows of which a mutation has sent fields, with their stored form. */
function sentRowsOf({ engine }: Core, { call }: Flight): { row: Row; fields: Fields }[] {
  const { endpoint, kind, args } = call;
  const value = tryRun(() => respondOptimistically.call(endpoint, undefined as never, ...args)); // cast: it takes no snapshot
  const effects = tryRun(() => engine.normalize(kind, value, { args, name: endpoint.name }));
  return effects?.rows.map((row, at) => ({ row, fields: effects.fields[at]! })) ?? []; // grow together
}
