// Laws of checked data: see test/simulation/checked-model.ts. Also: readers get the parsed values of the schemas.
import fc from 'fast-check';
import { Cache, Controller, dehydrate, savedState } from 'holdfast';
import { EntityOf } from 'holdfast/validate';
import { expect, test, vi } from 'vitest';
import { checkRows } from '../simulation/checked-model.ts';
import { libraries } from '../validate/libraries.ts';

const SEED = Number(process.env['PROPERTY_SEED'] ?? 1);
const TIME_LIMIT_MS = 600_000;

test(
  'bad rows are left out and reported once, and the rest is kept, under every policy at any depth',
  async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 2 ** 31 }), async (seed) => {
        expect(await checkRows(seed)).toBeUndefined();
      }),
      { numRuns: 300, seed: SEED },
    );
    warn.mockRestore();
  },
  TIME_LIMIT_MS,
);

const wires = fc.record({
  title: fc.string(),
  at: fc
    .date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
    .map((date) => date.toISOString()),
  maybe: fc.option(
    fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((date) => date.toISOString()),
  ),
  address: fc.record({ street: fc.string() }),
});

test.each(libraries)(
  'readers get the output of $name for a value, whatever the source of the value',
  ({ text, date, maybeDate, address }) => {
    const fields = { id: text, title: text, at: date, maybe: maybeDate, address };
    class Item extends EntityOf('Item', fields) {}
    fc.assert(
      fc.property(wires, (wire) => {
        const row = { id: '1', ...wire };
        const made = Object.fromEntries(
          Object.entries(fields).map(([name, schema]) => {
            const result = schema['~standard'].validate(row[name as keyof typeof row]);
            return [name, 'value' in result ? result.value : undefined];
          }),
        );
        const owned = new Cache();
        owned.write(Item, structuredClone(row), [], { isOwned: true });
        const kept = new Cache();
        kept.write(Item, row);
        const controller = new Controller();
        void controller.set(Item, row);
        const restored = new Controller({ initialState: savedState(JSON.stringify(dehydrate(controller))) });

        for (const found of [
          owned.read(Item, ['1']),
          kept.read(Item, ['1']),
          controller.get(Item, '1'),
          restored.get(Item, '1'),
        ])
          expect({ ...found }).toEqual(made);
      }),
      { numRuns: 200, seed: SEED },
    );
  },
);
