// Each question of store/order.ts as a table: the times before, at and after the moment in question.
import { describe, expect, test } from 'vitest';
import {
  advance,
  earlier,
  hasArrivedSince,
  hasLaterWrite,
  isAfter,
  cameWith,
  mayRestore,
  isMessage,
  isRead,
  isRestoredOrAbsent,
  isStale,
  knowsOf,
  knowsOfDelete,
  latest,
  mayReplace,
  mustRemember,
  NO_STAMP,
  raiseFence,
  stampOfRead,
  stampOfWrite,
  wasChangedByReadSince,
  wasWritten,
} from '../../src/store/order.ts';
import type { Stamp } from '../../src/store/order.ts';

const MOMENT = 50;
const AROUND = [40, 50, 60] as const;

/** What the question says of a time before, at and after MOMENT. */
const answers = (question: (time: number) => boolean): boolean[] => AROUND.map(question);

const timesOf = (sent: number, settled: number) => ({ sent, settled, expiresAt: 0, storedAt: 0 });
const readAt = (sent: number): Stamp => stampOfRead(timesOf(sent, 90));
const writeAt = (sent: number): Stamp => stampOfWrite(timesOf(sent, 90));

describe('which payload may replace stored data', () => {
  const stored = { ...NO_STAMP, fence: MOMENT, writeSent: 30 };
  test.each([
    ['a read', readAt, [false, true, true]],
    ['a write, for which the fence of reads does not count', writeAt, [true, true, true]],
  ])('%s', (_, originAt, expected) => {
    expect(answers((sent) => mayReplace(originAt(sent), stored))).toEqual(expected);
  });

  test('a write that was sent before the last acknowledged write does not', () => {
    expect(answers((sent) => mayReplace(writeAt(sent), { ...NO_STAMP, writeSent: MOMENT }))).toEqual([
      false,
      true,
      true,
    ]);
  });

  test('anything replaces data that no payload has written', () => {
    expect([readAt(1), writeAt(1)].every((origin) => mayReplace(origin, NO_STAMP))).toBe(true);
  });

  test('a nested row of a mutation counts as a read that was sent with the mutation', () => {
    const nested = stampOfRead(writeAt(MOMENT));
    expect([isRead(nested), nested.sent, nested.writeSent]).toEqual([true, MOMENT, 0]);
  });
});

describe('questions about two moments', () => {
  test.each<[string, (time: number) => boolean, boolean[]]>([
    ['a request knows of a change', (sent) => knowsOf(sent, MOMENT), [false, true, true]],
    [
      'a request knows of a delete',
      (sent) => knowsOfDelete(sent, { deletedAt: MOMENT }),
      [false, true, true],
    ],
    ['a change must be remembered', (moment) => mustRemember(moment, MOMENT), [false, false, true]],
    [
      'a later write was acknowledged',
      (writeSent) => hasLaterWrite({ ...NO_STAMP, writeSent }, MOMENT),
      [false, false, true],
    ],
    [
      'data has arrived since',
      (settled) => hasArrivedSince({ ...NO_STAMP, settled }, MOMENT),
      [false, false, true],
    ],
    [
      'data is from a payload',
      (settled) => cameWith({ ...NO_STAMP, settled }, stampOfRead(timesOf(1, MOMENT))),
      [false, true, false],
    ],
    ['a node is stale since', (staleSince) => isStale({ staleSince }, MOMENT), [false, false, true]],
    [
      'a row was seen since',
      (changedByReadAt) => wasChangedByReadSince({ changedByReadAt }, MOMENT),
      [false, false, true],
    ],
    ['a time is after another', (moment) => isAfter(moment, MOMENT), [false, false, true]],
  ])('%s', (_, question, expected) => {
    expect(answers(question)).toEqual(expected);
  });

  test('nothing in flight: no change must be remembered', () => {
    expect(answers((moment) => mustRemember(moment, Infinity))).toEqual([false, false, false]);
  });

  test('a row that was never deleted is known to every request', () => {
    expect(knowsOfDelete(1, { deletedAt: 0 })).toBe(true);
  });

  test('a node without a mark is not stale', () => {
    expect([isStale({ staleSince: 0 }), isStale({ staleSince: 1 })]).toEqual([false, true]);
  });

  test('the earlier and the latest time', () => {
    expect([earlier(40, MOMENT), earlier(60, MOMENT), latest(40, 60, MOMENT)]).toEqual([40, MOMENT, 60]);
  });
});

describe('questions about a stamp', () => {
  const message = { ...NO_STAMP, settled: MOMENT, sent: MOMENT };
  test.each([
    ['never stored', NO_STAMP, { isMessage: false, isRestoredOrAbsent: true, wasWritten: false }],
    ['read', readAt(MOMENT), { isMessage: false, isRestoredOrAbsent: false, wasWritten: false }],
    ['written', writeAt(MOMENT), { isMessage: false, isRestoredOrAbsent: false, wasWritten: true }],
    ['a message', message, { isMessage: true, isRestoredOrAbsent: true, wasWritten: false }],
    [
      'restored',
      { ...NO_STAMP, settled: MOMENT, sent: 40 },
      { isMessage: false, isRestoredOrAbsent: true, wasWritten: false },
    ],
  ])('%s', (_, stamp, expected) => {
    expect({
      isMessage: isMessage(stamp),
      isRestoredOrAbsent: isRestoredOrAbsent(stamp),
      wasWritten: wasWritten(stamp),
    }).toEqual(expected);
  });

  test('a later saved state replaces an earlier one, and never the data of a request', () => {
    const saved = { ...NO_STAMP, settled: MOMENT };
    expect(answers((settled) => mayRestore({ ...NO_STAMP, settled }, saved))).toEqual([false, true, true]);
    expect(mayRestore({ ...NO_STAMP, settled: 99 }, readAt(MOMENT))).toBe(false);
  });
});

describe('the stamp after a payload', () => {
  test('a read keeps the write mark of the data that it replaces', () => {
    expect(advance({ ...NO_STAMP, writeSent: 30 }, readAt(MOMENT))).toMatchObject({
      fence: MOMENT,
      writeSent: 30,
    });
  });

  test('marks never decrease', () => {
    expect(advance({ ...NO_STAMP, fence: 95, writeSent: 70 }, writeAt(MOMENT))).toMatchObject({
      fence: 95,
      writeSent: 70,
    });
  });

  test('a late write raises the fence and nothing else', () => {
    const stamp = { ...NO_STAMP, fence: 60, writeSent: 70 };
    expect(raiseFence(stamp, writeAt(MOMENT))).toEqual({ ...stamp, fence: 90 });
    expect(raiseFence(stamp, readAt(MOMENT))).toBe(stamp);
  });
});
