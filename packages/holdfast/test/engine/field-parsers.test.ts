// Functions and constructors as field schemas: which are called, which are constructed, and how often.
import { BigNumber } from 'bignumber.js';
import { Cache, Entity, schema } from 'holdfast';
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';

function parse(parser: unknown, wire: unknown): unknown {
  class Holder extends Entity {
    static override key = 'Holder';
    id = '';
    field: unknown = undefined;
    static override schema = { field: parser };
  }
  const cache = new Cache();
  cache.write(Holder, { id: '1', field: wire });
  return cache.read(Holder, ['1'])?.field;
}

class Money {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
class Bare {
  at: unknown;
  constructor(at: unknown) {
    this.at = at;
  }
}
function helper(text: string): string {
  return `<${text}>`;
}

test('a Date schema is constructed', () => {
  expect(parse(Date, '2020-01-01T00:00:00Z')).toEqual(new Date('2020-01-01T00:00:00Z'));
  expect(parse(Date, 5)).toEqual(new Date(5));
});

test('a BigNumber schema is constructed and keeps every digit', () => {
  expect((parse(BigNumber, '0.12345678901234567890123456789') as BigNumber).toFixed()).toBe(
    '0.12345678901234567890123456789',
  );
});

test('a class schema is constructed, with or without methods', () => {
  expect(parse(Money, '5')).toEqual(new Money('5'));
  expect(parse(Bare, '5')).toBeInstanceOf(Bare);
  expect(parse(URL, 'https://a.example/')).toEqual(new URL('https://a.example/'));
});

test('a value that is already an instance is kept', () => {
  const date = new Date(7);
  const money = new Money('5');

  expect(parse(Date, date)).toBe(date);
  expect(parse(Money, money)).toBe(money);
});

test('conversions, arrows, methods and plain functions are called', () => {
  expect(parse(Number, '5')).toBe(5);
  expect(parse(String, 5)).toBe('5');
  expect(parse(Boolean, 1)).toBe(true);
  expect(parse(BigInt, '12345678901234567890')).toBe(12345678901234567890n);
  expect(parse((text: string) => text.length, 'four')).toBe(4);
  expect(parse(helper, 'a')).toBe('<a>');
  expect(parse(JSON.parse, '{"a":1}')).toEqual({ a: 1 });
});

test('Temporal.Instant.from and Temporal.PlainDate.from are called', () => {
  const instant = parse(Temporal.Instant.from, '2024-01-01T00:00:00Z');

  expect(instant).toBeInstanceOf(Temporal.Instant);
  expect((instant as Temporal.Instant).epochMilliseconds).toBe(Date.UTC(2024, 0, 1));
  expect(String(parse(Temporal.PlainDate.from, '2024-02-29'))).toBe('2024-02-29');
});

test('null and undefined are kept', () => {
  expect(parse(Date, null)).toBeNull();
  expect(parse(Number, null)).toBeNull();
  expect(parse(Date, undefined)).toBeUndefined();
});

test('a field is parsed once per change, not per read, and an unchanged field keeps its value', () => {
  let calls = 0;
  class Price extends Entity {
    static override key = 'Price';
    id = '';
    note = '';
    amount: object = {};
    history: object[] = [];
    static override schema = {
      amount: (wire: unknown): object => {
        calls += 1;
        return { wire };
      },
    };
  }
  const cache = new Cache();
  cache.write(Price, { id: '1', amount: { value: '1.0' } });
  const first = cache.read(Price, ['1']);
  cache.read(Price, ['1']);
  expect(calls).toBe(1);

  cache.write(Price, { id: '1', amount: { value: '1.0' }, note: 'other field' });
  const second = cache.read(Price, ['1']);
  expect(calls).toBe(1);
  expect(second?.amount).toBe(first?.amount);

  cache.write(Price, { id: '1', amount: { value: '2.0' } });
  expect(cache.read(Price, ['1'])?.amount).toEqual({ wire: { value: '2.0' } });
  expect(calls).toBe(2);
});

test('a default is not parsed', () => {
  class Stamp extends Entity {
    static override key = 'Stamp';
    id = '';
    at: Date | string = 'never';
    static override schema = { at: Date };
  }
  const cache = new Cache();
  cache.write(Stamp, { id: '1' });

  expect(cache.read(Stamp, ['1'])?.at).toBe('never');
});

test('a row that is deleted and written again unchanged in one batch keeps its reference, dates included', () => {
  class Visit extends Entity {
    static override key = 'Visit';
    id = '';
    at = new Date(0);
    static override schema = { at: Date };
  }
  const cache = new Cache();
  cache.write(Visit, { id: '1', at: '2020-01-01' });
  const before = cache.read(Visit, ['1']);

  cache.batch(() => {
    cache.write(new schema.Invalidate(Visit), '1');
    cache.write(Visit, { id: '1', at: '2020-01-01' });
  });

  expect(cache.read(Visit, ['1'])).toBe(before);
});
