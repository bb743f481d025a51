// Laws of autosave, over a network whose requests are sent, handled and delivered at three separate moments: nothing typed is lost,
// the screen shows what was typed last, and at most one save is in flight.
import { Controller, createResource, Entity } from 'holdfast';
import { edit } from 'holdfast/edit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { VirtualTime } from '../simulation/virtual-time.ts';
import { calm, Moments } from '../support/moments.ts';
import type { Reply } from '../support/moments.ts';

const RUNS = Number(process.env['RUNS'] ?? 60);
// the same runs every time; the nightly gives other seeds
const SEED = Number(process.env['PROPERTY_SEED'] ?? 1);

const FIELDS = ['title', 'status'] as const;
type Field = (typeof FIELDS)[number];

class Item extends Entity {
  static override key = 'Item';
  id = '';
  title = '';
  status = '';
}
const ItemResource = createResource({
  urlPrefix: 'http://api.test',
  path: '/items/:id',
  schema: Item,
  optimistic: true,
});

/** How the server ends a save. Done: whether it changes the row. */
const ENDS = {
  whole: { isDone: true, reply: (row: object): Reply => ({ body: row }) },
  empty: { isDone: true, reply: (): Reply => ({ status: 204 }) },
  refused: { isDone: false, reply: (): Reply => ({ status: 422, body: { errors: { title: 'no' } } }) },
  broken: { isDone: true, reply: (): Reply => ({ status: 503 }) },
  unreached: { isDone: false, reply: (): Reply => ({ status: 503 }) },
  lost: { isDone: true, reply: (): Reply => 'lost' },
} as const;
type End = keyof typeof ENDS;

const anyStep = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('type' as const),
      field: fc.constantFrom(...FIELDS),
      editor: fc.nat(1),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(100, 400, 800, 3_000) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('handle' as const), at: fc.nat(5) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('deliver' as const), at: fc.nat(5) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('end' as const),
      end: fc.constantFrom(...(Object.keys(ENDS) as End[])),
    }),
  }, // cast: its keys
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('call' as const), field: fc.constantFrom(...FIELDS) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('flush' as const), editor: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('read' as const) }) },
  // a form in which fields are set, and which is never saved
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('fill' as const), field: fc.constantFrom(...FIELDS) }),
  },
  // another client, whose writes the server has at once
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('other' as const), field: fc.constantFrom(...FIELDS) }),
  },
);
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;

/** A save is refused while a later one of the same field waits, because another mutation of the row was called. */
const overtaken: readonly Step[] = [
  { do: 'type', field: 'title', editor: 0 },
  { do: 'wait', ms: 3_000 },
  { do: 'end', end: 'refused' },
  { do: 'type', field: 'title', editor: 0 },
  { do: 'call', field: 'status' },
];

const steps = fc
  .array(
    fc.oneof({ weight: 30, arbitrary: fc.tuple(anyStep) }, { weight: 1, arbitrary: fc.constant(overtaken) }),
    {
      maxLength: 60,
    },
  )
  .map((phrases) => phrases.flat());

test('whatever fails and however late responses are, what was typed last is on screen, and on the server in the end', async () => {
  const played: Record<string, number> = {};
  await fc.assert(
    fc.asyncProperty(steps, async (schedule) => {
      const row = { id: '1', title: 'first', status: 'first' };
      /** Every value that a field has had on the server. */
      const written: Record<Field, string[]> = { title: ['first'], status: ['first'] };
      const write = (fields: Partial<Record<Field, string>>): void => {
        Object.assign(row, fields);
        for (const field of FIELDS) if (fields[field] !== undefined) written[field].push(fields[field]);
      };
      let nextEnd: End = 'whole';
      /** False once the server has stored a save without saying so: from then on, this client may take the save for the work of others. */
      let isCertain = true;
      const network = new Moments(({ method, body }) => {
        if (method === 'GET') return { body: row };
        // other calls always succeed, so that the last action of a field is known
        const isSave = Object.values(body as object).some((value) => String(value).startsWith('typed')); // cast: what the client sends
        const { isDone, reply } = ENDS[isSave ? nextEnd : 'whole'];
        if (isSave) {
          if (isDone && nextEnd !== 'whole' && nextEnd !== 'empty') isCertain = false;
          nextEnd = 'whole';
        }
        if (isDone) write(body as Partial<Record<Field, string>>); // cast: as above
        return reply(row);
      });
      const time = new VirtualTime();
      const controller = new Controller({
        fetch: network.fetch,
        clock: time.clock,
        timers: time.timers,
        random: () => 0.5,
        managers: [],
      });
      network.isQuick = true;
      await controller.fetch(ItemResource.get, { id: '1' });
      network.isQuick = false;
      const editors = [0, 1].map(() => edit(controller, ItemResource.partialUpdate, { id: '1' }));
      const form = edit(controller, ItemResource.partialUpdate, { id: '1' }, { save: 'submit' });
      const all = [...editors, form];
      /** For each edit, what its listener has read last. */
      const heard = all.map((each) => each.read());
      const stops = all.map((each, at) => each.listen(() => (heard[at] = each.read())));
      const last = new Map<Field, string>();
      let count = 0;

      const check = (): void => {
        const shown = controller.get(Item, { id: '1' });
        const saves = network.inFlight.filter(({ method }) => method === 'PATCH');
        for (const [field, value] of last) {
          const at = written[field].indexOf(value);
          const isSaved =
            at >= 0 && saves.length === 0 && editors.every((each) => each.read().state === 'clean');
          // what another client has written since may be on screen when the field is saved, and not earlier
          expect(isSaved ? written[field].slice(at) : [value], field).toContain(shown?.[field]);
        }
        expect(saves.length, 'mutations of the row in flight').toBeLessThanOrEqual(1);
        for (const [at, each] of all.entries())
          expect(each.read(), 'what a listener has read last').toBe(heard[at]);
        for (const field of isCertain ? form.read().changed : [])
          expect(written[field as Field].join(' '), `${field} is named as changed by others`).toContain(
            'other',
          );
      };

      for (const step of schedule) {
        played[step.do] = (played[step.do] ?? 0) + 1;
        count += 1;
        if (step.do === 'type') {
          last.set(step.field, `typed ${count}`);
          editors[step.editor]?.set({ [step.field]: `typed ${count}` });
        } else if (step.do === 'wait') {
          time.advance(step.ms);
        } else if (step.do === 'handle' || step.do === 'deliver') {
          const request = network.inFlight[step.at % (network.inFlight.length || 1)];
          if (step.do === 'handle') request?.handle();
          else await request?.deliver();
        } else if (step.do === 'end') nextEnd = step.end;
        else if (step.do === 'call') {
          last.set(step.field, `called ${count}`);
          controller
            .fetch(ItemResource.partialUpdate, { id: '1' }, { [step.field]: `called ${count}` })
            .catch(() => undefined);
        } else if (step.do === 'flush') editors[step.editor]?.flush().catch(() => undefined);
        else if (step.do === 'fill') form.set({ [step.field]: `filled ${count}` });
        else if (step.do === 'other') write({ [step.field]: `other ${count}` });
        else controller.fetch(ItemResource.get, { id: '1' }).catch(() => undefined);
        await calm();
        check();
      }

      nextEnd = 'whole';
      for (let round = 0; round < 4; round += 1) {
        await network.rest();
        for (const editor of editors) editor.flush().catch(() => undefined);
        await calm();
      }
      await network.rest();
      check();
      for (const editor of editors) expect(editor.read().state).toBe('clean');
      form.discard();
      for (const stop of stops) stop();
      for (const [field, value] of last) {
        const own = written[field].filter((text) => !text.startsWith('other'));
        expect(own.at(-1), `what this client wrote last to ${field} of the server`).toBe(value);
      }
      network.isQuick = true;
      await controller.fetch(ItemResource.get, { id: '1' });
      expect(controller.get(Item, { id: '1' })).toMatchObject(row);
      expect(time.pendingTimers, 'timers at rest').toBeLessThanOrEqual(1);
    }),
    { seed: SEED, numRuns: RUNS },
  );
  for (const step of ['type', 'wait', 'handle', 'deliver', 'end', 'call', 'flush', 'read', 'fill', 'other'])
    expect(played[step], step).toBeGreaterThan(0);
}, 600_000);
