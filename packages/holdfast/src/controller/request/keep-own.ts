// A value that comes beside the answers, by `set` or from a stream, may be older than the mutations of this client: it leaves
// alone the fields that are in flight, or acknowledged and not read since. Where it says the same, it is an echo.
import type { Flight } from '../../dispatch/flights.ts';
import { laneOf } from '../../dispatch/lanes.ts';
import { guessResponse, sentFields } from '../../endpoint/row-name.ts';
import { doubtRow } from '../../store/apply-effects.ts';
import type { Effects } from '../../store/effects.ts';
import { isEqual, omit } from '../../store/fields.ts';
import { listsNear } from '../../store/membership.ts';
import type { Fields, Row } from '../../store/nodes.ts';
import { uncover } from '../../store/overlay.ts';
import { rowOf } from '../../store/stored-form.ts';
import { attempt } from '../../support/call-safely.ts';
import type { Core, Own } from '../state/core.ts';

/** How long an acknowledged field is kept from values that may be older. */
const KEPT_MS = 10_000;

/** A call was acknowledged: guesses of calls sent earlier do not cover what it has sent. Its answer names what it has created. */
export function noteOwn(core: Core, flight: Flight, { stored }: Effects): void {
  const { store } = core.engine;
  const { ask } = flight;
  const stamp = store.timeline.tick();
  const ms = core.environment.clock.now();
  const created = rowOf(stored);
  const sent = sentBy(core, flight);
  if (sent.length === 0 && created)
    sent.push({ row: created, fields: sentFields(ask.endpoint.splitArgs(ask.args).body) });
  // the oldest stands first: the whole is looked through only when that one has had its time
  if (ms - (core.own[0]?.ms ?? ms) > KEPT_MS) core.own = ownLately(core);
  for (const { row, fields } of sent) {
    core.own.push({ row, fields: { ...fields }, stamp, ms });
    uncover(store, row, Object.keys(fields), flight.sent);
  }
}

/** A clock that was set back says nothing. */
function ownLately({ own, environment }: Core): Own[] {
  const now = environment.clock.now();
  return own.filter(({ ms }) => ms <= now && now - ms <= KEPT_MS);
}

/** A read has brought fields since they were acknowledged: what comes beside the answers may replace them again. */
export function forgetOwn({ own }: Core, effects: Effects, sent: number): void {
  for (const { row, fields, stamp } of own)
    if (stamp < sent) for (const name of Object.keys(effects.saidOf(row) ?? {})) delete fields[name];
}

/** Takes out of a value what this client knows better. Rows about which they disagree are in doubt. */
export function keepOwn(core: Core, effects: Effects): void {
  const { store } = core.engine;
  core.own = ownLately(core);
  if (core.own.length + core.flights.size === 0) return;
  // a message does not delete a row whose creation is in flight
  const isCreated = (row: Row): boolean =>
    [...core.flights].some(({ ask, named }) => ask.kind.isPlacement && named.includes(laneOf(row)));
  for (const row of effects.removed.filter(isCreated)) {
    effects.removed.splice(effects.removed.indexOf(row), 1);
    core.heardAt = store.timeline.tick();
    doubtRow(store, row);
  }
  for (const [at, row] of effects.rows.entries()) {
    const said = effects.fields[at]!; // grow together
    const { base } = row;
    const policy = effects.policies?.get(at);
    // a version decides, or the class's own order, which judges whole rows
    if (base && (policy?.merge || policy?.byVersion(base, said) !== undefined)) continue;
    const known: Record<string, unknown> = {};
    for (const one of core.own)
      if (one.row === row) for (const name of Object.keys(one.fields)) known[name] = base?.[name];
    for (const flight of core.flights)
      for (const one of (flight.own ??= sentBy(core, flight)))
        if (rowOf(one.row) === row) Object.assign(known, one.fields);
    const names = Object.keys(said).filter((name) => Object.hasOwn(known, name));
    if (names.length === 0) continue;
    core.heardAt = store.timeline.tick();
    const isEcho = names.every((name) => isEqual(known[name], said[name]));
    // a row that is not here is shown as the message has it, until the mutation in flight is answered
    if (base) effects.fields[at] = omit(said, new Set(names));
    else if (!isEcho) effects.sides?.add(row);
    if (isEcho) continue;
    doubtRow(store, row);
    // so are the lists that the row would be in if the message is right
    for (const table of [row.table, ...row.table.unions])
      for (const list of listsNear(table, { ...base, ...said }, { said })) store.doubt(list, core.heardAt);
  }
}

/** The rows of which a mutation has sent fields, with their stored form. */
function sentBy({ engine }: Core, { ask }: Flight): { row: Row; fields: Fields }[] {
  const { endpoint, kind, args } = ask;
  const value = attempt(() => guessResponse.call(endpoint, undefined as never, ...args)); // cast: it takes no snapshot
  const effects = attempt(() => engine.normalize(kind, value, { args, name: endpoint.name }));
  return effects?.rows.map((row, at) => ({ row, fields: effects.fields[at]! })) ?? []; // grow together
}
