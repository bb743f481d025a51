// Two clients run the same steps: one on a server that writes snake_case, with a class that says so, the other on the same server
// with the names of the class. Both must show, keep fresh and request the same.
import { byRole, Controller, createResource, dehydrate, Entity, hydrate, snakeCase } from 'holdfast';
import { EntityOf } from 'holdfast/validate';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { FakeWorld } from '../support/fake-world.ts';

const runs = Number(process.env['RUNS'] ?? 100);
const seed = Number(process.env['PROPERTY_SEED'] ?? 1);

type Row = Record<string, unknown>;
const toSnake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The names of rows and of their owners; `metaData` is a plain object, whose members keep their names. */
function onWire(value: unknown, depth = 0): unknown {
  if (Array.isArray(value)) return value.map((item) => onWire(item, depth));
  if (typeof value !== 'object' || value === null || depth > 1) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      toSnake(name),
      name === 'metaData' ? inner : onWire(inner, depth + 1),
    ]),
  );
}

function classes(isSnake: boolean, isChecked: boolean) {
  class Owner extends Entity {
    static override key = 'PairOwner';
    id = '';
    firstName = '';
  }
  class Task extends Entity {
    static override key = 'PairTask';
    id = '';
    taskTitle = '';
    doneBy = '';
    metaData: unknown = null;
    taskOwner: Owner | null = null;
    static override schema = { taskOwner: Owner };
  }
  class CheckedTask extends EntityOf(
    'PairTask',
    { id: z.string(), taskTitle: z.string(), doneBy: z.string().optional() },
    { onInvalid: 'keep' },
  ) {
    taskOwner: Owner | null = null;
  }
  CheckedTask.schema = { ...CheckedTask.schema, taskOwner: Owner };
  const Row = isChecked ? (CheckedTask as unknown as typeof Task) : Task; // cast: of the same fields
  if (isSnake) for (const Class of [Owner, Row]) Class.wireNames = snakeCase;
  return Row;
}

const step = fc.record({
  kind: fc.constantFrom('list', 'detail', 'create', 'change', 'remove', 'tell', 'save', 'deliver', 'deliver'),
  at: fc.nat(5),
  by: fc.constantFrom('ada', 'bob'),
  owner: fc.option(fc.constantFrom('o1', 'o2'), { nil: undefined }),
  text: fc.constantFrom('x', 'y', 5),
  /** How the server responds to a write: with the row, with what was not sent, with nothing. */
  answer: fc.constantFrom('row', 'row', 'part', 'none'),
  isOwn: fc.boolean(),
});
const setting = fc.record({
  isOptimistic: fc.boolean(),
  isChecked: fc.boolean(),
  steps: fc.array(step, { minLength: 2, maxLength: 16, size: 'max' }),
});

async function play(
  { isOptimistic, isChecked, steps }: typeof setting extends fc.Arbitrary<infer T> ? T : never,
  isSnake: boolean,
): Promise<unknown[]> {
  const Task = classes(isSnake, isChecked);
  const world = new FakeWorld();
  const seen: unknown[] = [];
  const rows = new Map<string, Row>();
  const owner = (id: string, name: unknown): Row => ({ id, firstName: `${id}${String(name)}` });
  for (const id of ['1', '2', '3'])
    rows.set(id, { id, taskTitle: `t${id}`, doneBy: id === '2' ? 'bob' : 'ada', taskOwner: owner('o1', '') });
  let answer = 'row';
  const waiting: (() => void)[] = [];
  const respond = (url: URL, method: string, body: Row): unknown => {
    const [, , id] = url.pathname.split('/');
    const by = url.searchParams.get(isSnake ? 'done_by' : 'doneBy');
    if (method === 'GET' && id === undefined)
      return [...rows.values()].filter((row) => by === null || row['doneBy'] === by);
    const key = id ?? `c${rows.size + 1}`;
    const row: Row = { ...rows.get(key), id: key, ...body };
    if (method === 'DELETE') rows.delete(key);
    else if (method !== 'GET') rows.set(key, row);
    if (method === 'GET') return rows.get(key);
    if (answer === 'none' || method === 'DELETE') return undefined;
    return answer === 'part' ? { id: key, taskTitle: `${String(row['taskTitle'])}!` } : row;
  };
  const known = ['id', 'taskTitle', 'doneBy', 'metaData', 'taskOwner', 'firstName'];
  const fromWire = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value), (_, inner: unknown) =>
      typeof inner !== 'object' || inner === null || Array.isArray(inner)
        ? inner
        : Object.fromEntries(
            Object.entries(inner).map(([name, each]) => [
              known.find((own) => toSnake(own) === name) ?? name,
              each,
            ]),
          ),
    );
  const send = async (input: unknown, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(String(input));
    const { method = 'GET' } = init;
    const sent = typeof init.body === 'string' ? (JSON.parse(init.body) as Row) : {};
    seen.push([method, url.pathname, toSnake(url.search), isSnake ? sent : onWire(sent)]);
    const body = respond(url, method, (isSnake ? fromWire(sent) : sent) as Row);
    await new Promise<void>((resolve) => void waiting.push(resolve));
    const status = body === undefined ? (method === 'GET' ? 404 : 204) : 200;
    return new Response(body === undefined ? null : JSON.stringify(isSnake ? onWire(body) : body), {
      status,
      headers: { 'content-type': 'application/json' },
    });
  };
  const create = (): Controller => new Controller({ ...world.options, fetch: send });
  let controller = create();
  const tasks = createResource({
    urlPrefix: 'http://pairs.test',
    path: '/tasks/:id',
    schema: Task,
    searchParams: {} as { doneBy?: string; perPage?: number },
    body: {} as Row,
    optimistic: isOptimistic,
    argumentRoles: byRole({ perPage: 'limit' }),
  });
  const LISTS = [{}, { doneBy: 'ada' }, { doneBy: 'bob', perPage: 3 }];
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 30; turn += 1) await Promise.resolve();
    await new Promise((resolve) => setImmediate(resolve));
  };
  const deliver = async (at: number): Promise<void> => {
    waiting.splice(at % (waiting.length || 1), 1)[0]?.();
    await settle();
  };
  const look = (): void => {
    for (const args of LISTS) {
      const { data, expiresAt } = controller.getResponse(tasks.getList, args);
      seen.push([JSON.stringify(data), expiresAt > world.time.clock.now()]);
    }
    for (const id of rows.keys()) {
      const { data, expiresAt } = controller.getResponse(tasks.get, { id });
      seen.push([id, JSON.stringify(data), expiresAt > world.time.clock.now()]);
    }
  };
  for (const args of LISTS.slice(0, 2)) {
    controller.fetch(tasks.getList, args).catch(() => undefined);
    await settle();
    await deliver(0);
  }
  for (const { kind, at, by, owner: ownerId, text, answer: next, isOwn } of steps) {
    const id = [...rows.keys()][at % rows.size] ?? '1';
    const body = {
      taskTitle: String(text),
      doneBy: by,
      metaData: { inner_name: at, innerName: by },
      ...(ownerId && { taskOwner: owner(ownerId, text) }),
    };
    const quiet = (call: Promise<unknown>): void => void call.catch(() => undefined);
    answer = next;
    if (kind === 'list') quiet(controller.fetch(tasks.getList, LISTS[at % LISTS.length]!));
    else if (kind === 'detail') quiet(controller.fetch(tasks.get, { id }));
    else if (kind === 'create') quiet(controller.fetch(tasks.getList.push, body));
    else if (kind === 'change')
      quiet(controller.fetch(tasks.partialUpdate, { id }, at % 2 ? body : { doneBy: by }));
    else if (kind === 'remove') quiet(controller.fetch(tasks.delete, { id }));
    else if (kind === 'tell') {
      const row = { id, ...body, taskTitle: text };
      quiet(controller.set(Task, { id }, (isSnake && !isOwn ? onWire(row) : row) as never)); // cast: a row as a socket brings it
    } else if (kind === 'save') {
      const state = JSON.parse(JSON.stringify(dehydrate(controller))) as Parameters<typeof hydrate>[1];
      controller = create();
      hydrate(controller, state);
    } else await deliver(at);
    await settle();
    look();
  }
  while (waiting.length > 0) await deliver(0);
  look();
  controller.stop();
  return seen;
}

test('with names on the wire, a client shows, keeps fresh and requests the same as without', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);

  await fc.assert(
    fc.asyncProperty(setting, async (given) => {
      expect(await play(given, true)).toEqual(await play(given, false));
    }),
    { numRuns: runs, seed },
  );

  warn.mockRestore();
}, 3_600_000);
