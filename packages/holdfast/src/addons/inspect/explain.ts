// Explains one row, one stored response, one list or the pending mutations, from the store and the recorder. It changes nothing,
// and creates no node and no view.
import type { EndpointCall } from '../../dispatch/call.ts';
import type { Flight, Flights } from '../../dispatch/flights.ts';
import { isEqual } from '../../store/fields.ts';
import { fitOf } from '../../store/filters.ts';
import { itemsOf } from '../../store/graph.ts';
import type { Intent } from '../../store/intent.ts';
import { List } from '../../store/nodes.ts';
import type { Row, RowState } from '../../store/nodes.ts';
import { rowOf, toPlain } from '../../store/stored-form.ts';
import { isStale } from '../../store/order.ts';
import { storedParts } from '../../controller/slot/read-slot.ts';
import { tryRun } from '../../support/call-safely.ts';
import type {
  ExplainedAnswer,
  ExplainedField,
  ExplainedList,
  ExplainedMember,
  ExplainedRow,
  Guess,
} from './explanation.types.ts';
import type { InspectedWrite } from './inspected.types.ts';
import type { Recorder } from './recorder.ts';
import { nameOfNode, nodesReadBy, staleReasonOf, staleReasonsOf } from './stale.ts';

// ── rows ─────────────────────────────────────────────────────────────────────────────────────────

export function explainRow(recorder: Recorder, row: Row): ExplainedRow {
  const { base, shown, table, pk, staleSince } = row;
  const sources = recorder.rowSources.get(row);
  const names = new Set([
    ...Object.keys(base ?? {}),
    ...Object.keys(shown ?? {}),
    ...(sources?.lostNames() ?? []),
  ]);
  const guesses = optimisticUpdatesOf(recorder, row);
  const fields: [string, ExplainedField][] = [];
  for (const name of names) {
    const isStored = !!base && Object.hasOwn(base, name);
    const known = isStored ? sources : undefined;
    const source = known?.made.of(name);
    const isOnlyOptimistic = !isStored && !!shown && Object.hasOwn(shown, name);
    const value = toPlain(shown?.[name]);
    const server = toPlain(base?.[name]);
    fields.push([
      name,
      {
        value,
        server,
        from: source?.request.id,
        how: source?.how ?? (isOnlyOptimistic ? 'guessed' : 'unknown'),
        confirmed: (known?.confirmationsOf(name) ?? []).map(({ id }) => id),
        history: (known?.historyOf(name) ?? []).map((earlier) => ({
          value: toPlain(earlier.value),
          from: earlier.source?.request.id,
          how: earlier.source?.how ?? 'unknown',
        })),
        // A value that equals the stored or the shown value is left out.
        lost: (sources?.lossesOf(name) ?? [])
          .filter((loss) => !isEqual(loss.value, base?.[name]) && !isEqual(loss.value, shown?.[name]))
          .map((loss) => ({
            value: toPlain(loss.value),
            from: loss.from.id,
            to: loss.to?.id,
            rule: loss.rule,
          })),
        guesses: guesses.filter((optimistic) => optimistic.name === name).map(({ optimistic }) => optimistic),
      },
    ]);
  }
  return {
    found: 'entity',
    entity: table.key,
    pk,
    isDeleted: base === null,
    fields: Object.fromEntries(fields),
    late: (sources?.responsesAfterDeletion ?? []).map(({ id }) => ({ rule: 'row-was-deleted', from: id })),
    stale: isStale(row) ? [staleReasonOf(recorder, nameOfNode(row), staleSince)] : [],
  };
}

/** The value that each pending mutation gives to each field that it changes. The earliest mutation comes first. */
function optimisticUpdatesOf(recorder: Recorder, row: Row): { name: string; optimistic: Guess }[] {
  const { core } = recorder;
  const { intents, unidentifiedCreations } = core.engine.store;
  const found: { name: string; optimistic: Guess }[] = [];
  let state: RowState = row.base;
  for (const layer of row.layers ?? []) {
    const below = state;
    state = tryRun(() => layer.edit(below)) ?? null;
    const intent = [...intents].find(({ calledAt }) => calledAt === layer.calledAt);
    const flight = intent && flightOfIntent(core.flights, intent);
    for (const name of new Set([...Object.keys(state ?? {}), ...Object.keys(below ?? {})])) {
      const isStated = layer.overwritten && Object.hasOwn(layer.overwritten, name);
      if (!isStated && state?.[name] === below?.[name]) continue;
      const optimistic: Guess = {
        endpoint: flight?.call.endpoint.name ?? '',
        by: flight && recorder.requestOf(flight)?.id,
        status:
          flight && intent && !unidentifiedCreations.has(intent)
            ? statusOf(core.flights, flight)
            : 'answered-without-a-name',
        value: toPlain(state?.[name]),
      };
      found.push({ name, optimistic });
    }
  }
  return found;
}

function flightOfIntent(flights: Iterable<Flight>, intent: Intent): Flight | undefined {
  for (const flight of flights) if (flight.intent === intent) return flight;
  return undefined;
}

const MORE_PAGES: Readonly<Record<NonNullable<List['unloadedEnds']>, ExplainedList['more']>> = {
  '': 'none',
  end: 'at-the-end',
  start: 'at-the-start',
  both: 'at-both-ends',
};

// ── responses ────────────────────────────────────────────────────────────────────────────────────

export function explainResponse(recorder: Recorder, call: EndpointCall): ExplainedAnswer {
  const { core } = recorder;
  const slot = core.engine.store.slots.get(call.slotKey);
  const lists = new Set<List>();
  if (slot) {
    for (const node of [...storedParts(slot.stored), ...nodesReadBy(itemsOf(slot.dependents))])
      if (node instanceof List) lists.add(node);
  }
  const flights = core.flights.readsOf(call.slotKey);
  return {
    found: 'answer',
    endpoint: call.endpoint.name,
    key: call.key,
    from: slot?.hasResult ? recorder.requests.get(slot.stamp.sent)?.id : undefined,
    lost: slot ? (recorder.lateResponses.get(slot) ?? []) : [],
    collections: [...lists].map((list) => explainList(recorder, list)),
    stale: staleReasonsOf(recorder, call, slot),
    requests: flights.flatMap((flight) => recorder.requestOf(flight)?.id ?? []),
  };
}

/** Explains one list, with those of its rows that `choose` returns. */
export function explainList(
  recorder: Recorder,
  list: List,
  choose: (members: readonly unknown[]) => readonly unknown[] = (members) => members,
): ExplainedList {
  const { identity, segments, arrangedBy, serverOrder, hasServerMembership, table, shown, base } = list;
  const state = rowOf(base[0])?.base;
  // If the key has a search, or another argument that is not a field of the rows, the fields of a row do not decide.
  const isDecidedHere = !state || fitOf(list, state) !== 'unknown';
  const moves = recorder.moves.get(list);
  const pageOf = new Map<unknown, number | undefined>();
  for (const { members, stamp } of segments)
    for (const member of choose(members)) pageOf.set(rowOf(member), recorder.requests.get(stamp.sent)?.id);
  const wanted = choose(shown);
  const inBase = new Set(wanted.length > 0 ? base.map(rowOf) : []);
  const explain = (row: Row): ExplainedMember => {
    const came = moves?.entered.get(row);
    let how = came?.how ?? 'answered';
    let by = came?.by.id;
    if (how === 'answered') by = pageOf.get(row) ?? by;
    if (by === undefined && !came) how = 'unknown';
    if (!inBase.has(row)) [how, by] = ['guessed', undefined];
    return { entity: row.table.key, pk: row.pk, how, by };
  };
  return {
    id: `${table.key} ${identity.id}`,
    entity: table.key,
    arguments: Object.fromEntries(identity.key ?? []),
    count: shown.length,
    pages: segments.map(({ stamp }) => recorder.requests.get(stamp.sent)?.id),
    order: serverOrder ? 'servers-order' : arrangedBy ? 'declared-order' : 'as-answered',
    membership:
      identity.followsFields && !hasServerMembership && isDecidedHere ? 'by-fields' : 'by-the-server',
    rest: list.restCount,
    more: list.unloadedEnds === undefined ? 'unknown' : MORE_PAGES[list.unloadedEnds],
    items: wanted.flatMap((member) => rowOf(member) ?? []).map(explain),
    gone: (moves?.departed ?? []).map(({ row, how, by }) => ({
      entity: row.table.key,
      pk: row.pk,
      how,
      by: by?.id,
    })),
    notes: recorder.notes.map((note) => note(list, recorder.core.engine.store)),
  };
}

// ── mutations ────────────────────────────────────────────────────────────────────────────────────

/**
 * True for a mutation that its caller has aborted, and for the mutation for which a held deletion waits (addons/edit), which is
 * aborted from the start and never sent. No explanation mentions them.
 */
const isAborted = ({ aborter }: Flight): boolean => aborter.signal.aborted;

function statusOf(flights: Flights, flight: Flight): InspectedWrite['status'] {
  const { status, sent } = flight;
  const ahead = status === 'waiting' ? flights.findAhead(flight) : undefined;
  // A mutation without a time is not in flight: HttpSemantics reads its row first.
  const isHeld = !status || (ahead ? isAborted(ahead) : status === 'sent' && sent === 0);
  return isHeld ? 'held' : status;
}

/** The mutations that have not ended, in the order of their turns. */
export function explainWrites(recorder: Recorder): InspectedWrite[] {
  const { flights } = recorder.core;
  const open = [...flights].filter((flight) => !isAborted(flight));
  return open.map((flight) => {
    const { call, queues, intent } = flight;
    const status = statusOf(flights, flight);
    const changedNodes = new Set([...(intent?.appliedLayers.values() ?? [])].map(nameOfNode));
    return {
      endpoint: call.endpoint.name,
      method: call.endpoint.method ?? '',
      args: call.args,
      by: recorder.requestOf(flight)?.id,
      status,
      standsIn: queues,
      waitsFor: status === 'waiting' ? flights.findAhead(flight)?.call.endpoint.name : undefined,
      over: [...changedNodes],
    };
  });
}
