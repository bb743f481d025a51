import fc from 'fast-check';
import { Entity } from 'holdfast';
import { expect, test } from 'vitest';
import { createInspected, settle } from './held-network.ts';
import { TodoResource } from './parts.ts';

test('a trace is plain data that JSON can write and read', async () => {
  const { controller, network, inspector } = createInspected();
  const read = controller.fetch(TodoResource.get, { id: '5' });
  await network.answer('GET /todos/5', { id: '5', title: 'old', tags: [{ at: 1 }] });
  await read;
  void controller.fetch(TodoResource.partialUpdate, { id: '5' }, { title: 'mine' });
  await settle();

  const trace = inspector.trace();
  expect(JSON.parse(JSON.stringify(trace))).toMatchObject({
    format: 2,
    requests: [
      { kind: 'read', status: 'answered' },
      { kind: 'mutation', status: 'under-way' },
    ],
    writes: [{ status: 'sent' }],
    entities: [{ entity: 'Todo', pk: '5', fields: { title: { value: 'mine', server: 'old' } } }],
  });
});

const secret = fc
  .string({ minLength: 1, maxLength: 12, unit: 'binary' })
  .filter((text) => text.trim() !== '');

test('redacted values appear nowhere in a trace: not in fields, losers, optimistic updates, arguments, addresses and keys', async () => {
  await fc.assert(
    fc.asyncProperty(secret, fc.uuid(), async (odd, unique) => {
      const hidden = `${unique}${odd}`;
      const { controller, network, inspector } = createInspected({ redact: [/token/i, 'ssn'] });
      const stop = controller.watch(TodoResource.getList, { token: hidden }).subscribe(() => undefined);
      await settle();
      const read = controller.fetch(TodoResource.get, { id: '5' });
      const write = controller.fetch(TodoResource.partialUpdate, { id: '5' }, { ssn: `${hidden} sent` });
      await settle();
      await network.answer('PATCH /todos/5', { id: '5', ssn: `${hidden} sent` });
      await network.answer('GET /todos/5', {
        id: '5',
        title: 'old',
        ssn: hidden,
        nested: { authToken: hidden, fine: 1 },
      });
      await Promise.all([read, write]);
      void controller.fetch(TodoResource.partialUpdate, { id: '5' }, { ssn: hidden });
      await settle();

      const text = JSON.stringify(inspector.trace());
      for (const form of [hidden, encodeURIComponent(hidden), JSON.stringify(hidden).slice(1, -1), unique])
        expect(text).not.toContain(form);
      expect(text).toContain('"title"');
      stop();
    }),
    { numRuns: Number(process.env['FUZZ_RUNS'] ?? 30) },
  );
});

class Member extends Entity {
  static override key = 'Member';
  id = '';
  born: unknown = undefined;
  note = '';
}

test('an invalid date is null in a trace', () => {
  const { controller, inspector } = createInspected();
  void controller.set(Member, { id: '1' }, { id: '1', born: new Date(Number.NaN) });

  expect(inspector.trace().entities[0]?.fields).toMatchObject({ born: { value: null } });
});

test('a redacted date is hidden as JSON writes it, too', () => {
  const { controller, inspector } = createInspected({ redact: ['born'] });
  void controller.set(
    Member,
    { id: '1' },
    { id: '1', born: new Date(86_400_000), note: 'since 1970-01-02T00:00:00.000Z' },
  );

  expect(JSON.stringify(inspector.trace())).not.toContain('1970-01-02');
});

test('half a surrogate pair is redacted', () => {
  const { controller, inspector } = createInspected({ redact: ['born'] });
  void controller.set(Member, { id: '1' }, { id: '1', born: 'half \uD83D', note: 'half \uD83D' });

  expect(inspector.trace().entities[0]?.fields).toMatchObject({ note: { value: '[redacted]' } });
});
