// The decision table of store/membership.ts: what each event of a row means for one list.
import { describe, expect, test } from 'vitest';
import { decideMembership } from '../../src/store/membership.ts';
import { List, Row, Table } from '../../src/store/nodes.ts';
import type { Fields, ListIdentity, Placement, RowEvent } from '../../src/store/nodes.ts';
import { NO_STAMP } from '../../src/store/order.ts';

const table = new Table('Task');

/** A list of `state=open`, or with other filters. */
function listOf(identity: Partial<ListIdentity> = {}, change: Partial<List> = {}): List {
  const key = identity.key === undefined ? new Map([['state', 'open']]) : identity.key;
  const list = new List(table, {
    id: 'list',
    key,
    filterNames: [...(key ?? new Map<string, string>()).keys()].filter((name) => !name.startsWith('order')),
    followsFields: true,
    declaresServerMembership: false,
    isKeyed: false,
    ...identity,
  });
  return Object.assign(list, change);
}

const open = { id: '1', state: 'open', rank: 1 };
const closed = { ...open, state: 'closed' };
const some = { id: '1', state: 'open' };
const bare = { id: '1' };

const created = (after: Fields): RowEvent => ({ type: 'created', after });
const written = (after: Fields, incoming = after): RowEvent => ({ type: 'written', after, incoming });
const changed = (before: Fields, after: Fields): RowEvent => ({ before, after });
const read = (before: Fields, after: Fields, fields: Fields): RowEvent => ({ before, after, read: fields });
const taught = (before: Fields, after: Fields): RowEvent => ({
  ...changed(before, after),
  needsNoMove: true,
});
const deleted = (before?: Fields): RowEvent => ({ before, after: null });

/** The decision as words: `stay`, `enter, unsure`. */
function decide(list: List, event: RowEvent, isHeld: boolean, row = new Row(table, '1')): string {
  const { move, isUnsure } = decideMembership(list, row, event, isHeld);
  return isUnsure ? `${move}, unsure` : move;
}

type Line = readonly [what: string, list: List, event: RowEvent, held: string, notHeld: string];

function checkTable(lines: readonly Line[]): void {
  test.each(lines)('%s', (_, list, event, held, notHeld) => {
    expect({ held: decide(list, event, true), notHeld: decide(list, event, false) }).toEqual({
      held,
      notHeld,
    });
  });
}

const byFields = listOf();
const all = listOf({ key: new Map() });
const search = listOf({ key: new Map([['search', 'word']]) });
const limited = listOf({
  key: new Map([
    ['state', 'open'],
    ['limit', '10'],
  ]),
});
const ofTwo = listOf({
  key: new Map([
    ['state', 'open'],
    ['rank', '1'],
  ]),
});
const byServer = listOf({}, { hasServerMembership: true });
const byFilter = listOf({ followsFields: false });
const inServerOrder = listOf({}, { serverOrder: 'rank' });
const withoutKey = listOf({ key: null, followsFields: false });

describe('a row is created', () => {
  checkTable([
    ['with fields that match', byFields, created(open), 'stay', 'enter'],
    ['with fields that contradict', byFields, created(closed), 'stay, unsure', 'stay'],
    ['without the field of a filter', byFields, created(bare), 'stay', 'stay, unsure'],
    ['for a list without filters', all, created(bare), 'stay', 'enter'],
    ['for a search', search, created(open), 'stay', 'stay, unsure'],
    ['for a list that only the server decides', byServer, created(open), 'stay, unsure', 'stay, unsure'],
    ['for a list with a filter of the user, matching', byFilter, created(open), 'stay', 'stay, unsure'],
    [
      'for a list with a filter of the user, contradicting',
      byFilter,
      created(closed),
      'stay, unsure',
      'stay',
    ],
    ['for a list in a server order', inServerOrder, created(open), 'stay, unsure', 'enter, unsure'],
  ]);
});

describe('a write contains fields of the row', () => {
  checkTable([
    ['and they match', byFields, written(open), 'stay', 'enter'],
    ['and they contradict', byFields, written(closed), 'leave', 'stay'],
    ['none of which filters', byFields, written(open, { rank: 1 }), 'stay', 'stay'],
    ['and the field of a filter is missing', byFields, written(bare), 'stay, unsure', 'stay, unsure'],
    ['and the key has a limit: contradicting', limited, written(closed), 'leave, unsure', 'stay'],
    ['and only the server decides', byServer, written(open), 'stay, unsure', 'stay, unsure'],
    ['and the user’s filter decides', byFilter, written(closed), 'stay', 'stay'],
    ['and the order of the server names one', inServerOrder, written(open), 'stay, unsure', 'enter, unsure'],
    [
      'and the order of the server names none',
      inServerOrder,
      written(open, { state: 'open' }),
      'stay',
      'enter, unsure',
    ],
    ['and no filter selects the list', withoutKey, written(open), 'stay', 'stay'],
    ['that the search has judged before', search, { ...written(open), needsNoMove: true }, 'stay', 'stay'],
  ]);
});

describe('a write contains some fields of a stale row, and the others are unconfirmed', () => {
  /** The state of the row, or its rank, came with a request that was sent after the row became stale. */
  const staleRow = (confirmed: 'state' | 'rank') =>
    Object.assign(new Row(table, '1'), {
      staleSince: 5,
      fieldStamps: new Map([[confirmed, { ...NO_STAMP, sent: 6 }]]),
    });
  const closedFirst = { ...closed, rank: 1 };
  test.each([
    ['they match', ofTwo, open, 'state', 'stay, unsure', 'enter, unsure'],
    [
      'they match, and an unconfirmed field contradicts',
      ofTwo,
      closedFirst,
      'rank',
      'leave, unsure',
      'stay, unsure',
    ],
    ['they contradict', ofTwo, closed, 'state', 'leave', 'stay'],
    ['they decide', byFields, open, 'state', 'stay', 'enter'],
    ['the list has no filter', all, open, 'state', 'stay', 'stay'],
  ] as const)('%s', (_, list, after, confirmed, held, notHeld) => {
    const event = written(after, { [confirmed]: after[confirmed] });
    expect({
      held: decide(list, event, true, staleRow(confirmed)),
      notHeld: decide(list, event, false, staleRow(confirmed)),
    }).toEqual({ held, notHeld });
  });
});

describe('fields of the row change', () => {
  checkTable([
    ['into the list', byFields, changed(closed, open), 'stay', 'enter'],
    ['into the list, by a read of all filters', ofTwo, read(closed, open, open), 'stay', 'enter'],
    [
      'into the list, by a read of some filters',
      ofTwo,
      read(closed, open, some),
      'stay, unsure',
      'enter, unsure',
    ],
    [
      'into the list, by a read that was requested before the list',
      listOf({}, { segments: [{ cursor: null, sortKey: 0, members: [], stamp: { ...NO_STAMP, sent: 8 } }] }),
      { ...read(closed, open, open), sent: 7 },
      'stay',
      'stay, unsure',
    ],
    [
      'into the list, by a read that was requested after the list',
      listOf({}, { segments: [{ cursor: null, sortKey: 0, members: [], stamp: { ...NO_STAMP, sent: 7 } }] }),
      { ...read(closed, open, open), sent: 8 },
      'stay',
      'enter',
    ],
    ['out of the list', byFields, changed(open, closed), 'leave', 'stay'],
    ['out of the list, by a read of some filters', ofTwo, read(open, closed, some), 'leave', 'stay'],
    ['beside the filters', byFields, changed(open, { ...open, rank: 2 }), 'stay', 'stay'],
    ['by a field that was not known before', byFields, changed(bare, open), 'stay', 'stay, unsure'],
    ['by a read that only adds fields', byFields, taught(bare, open), 'stay', 'stay'],
    ['by a field that was not known before, contradicting', byFields, changed(bare, closed), 'leave', 'stay'],
    [
      'beside the filters, in a limited list that its fields contradict',
      limited,
      changed(closed, { ...closed, rank: 2 }),
      'stay, unsure',
      'stay',
    ],
    ['in a search', search, changed(closed, open), 'stay, unsure', 'stay, unsure'],
    ['in a search, by a read that only adds fields', search, taught(bare, open), 'stay', 'stay'],
    ['in a server order, by a read that only adds fields', inServerOrder, taught(bare, open), 'stay', 'stay'],
    [
      'in the order of the server',
      inServerOrder,
      changed(open, { ...open, rank: 2 }),
      'stay, unsure',
      'stay',
    ],
  ]);

  const moved = changed(open, { ...open, rank: 2 });
  checkTable([
    [
      'in a declared order with pages that are not loaded',
      listOf({}, { arrangedBy: 'rank', unloadedEnds: 'end' }),
      moved,
      'stay',
      'enter',
    ],
    [
      'in a declared order with all pages loaded',
      listOf({}, { arrangedBy: 'rank', unloadedEnds: '' }),
      moved,
      'stay',
      'stay',
    ],
    [
      'in a declared order by another field',
      listOf({}, { arrangedBy: 'title', unloadedEnds: 'end' }),
      moved,
      'stay',
      'enter',
    ],
    [
      'in an order of pages by hand',
      listOf(
        {},
        {
          arrangedBy: 'rank',
          segments: [null, '2'].map((cursor) => ({ cursor, sortKey: 0, stamp: NO_STAMP, members: [] })),
        },
      ),
      moved,
      'stay',
      'stay, unsure',
    ],
  ]);
});

describe('a row is deleted', () => {
  checkTable([
    ['from a list whose filters are fields', byFields, deleted(open), 'leave', 'stay'],
    ['from a list with a limit', limited, deleted(open), 'leave, unsure', 'stay'],
    ['and its fields are unknown', byFields, deleted(), 'leave, unsure', 'stay'],
    ['and its fields are unknown, for a list without filters', all, deleted(), 'leave', 'stay'],
  ]);
});

describe('a request places the row', () => {
  const placed = (placement: Partial<Placement>, after: Fields = open): RowEvent => ({
    after,
    sent: 5,
    placement: {
      table,
      members: [],
      place: 'end',
      merge: null,
      selectLists: () => [],
      takes: () => true,
      mustLeave: null,
      hasHooks: false,
      isByRow: true,
      ...placement,
    },
  });
  checkTable([
    ['into the list', byFields, placed({}), 'stay', 'enter'],
    ['into another list', byFields, placed({ takes: () => false }), 'stay', 'stay'],
    ['out of the list', byFields, placed({ mustLeave: () => true }), 'leave', 'leave'],
    ['into a list that its fields contradict', byFields, placed({}, closed), 'stay', 'enter, unsure'],
    [
      'into a list that its fields contradict, by a filter of the user',
      byFields,
      placed({ isByRow: false }, closed),
      'stay',
      'enter',
    ],
  ]);

  test('a later write that is acknowledged already has taken the row out of the list', () => {
    const row = Object.assign(new Row(table, '1'), { base: closed, stamp: { ...NO_STAMP, writeSent: 9 } });
    expect(decide(byFields, placed({}, closed), false, row)).toBe('stay');
  });
});
