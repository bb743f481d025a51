// The extensions of the library's own features: each wraps the extension before it, and the controller calls the outermost one.
import { Controller, createResource, dehydrate, Entity, savedState } from 'holdfast';
import type { Manager } from 'holdfast';
import { expect, test } from 'vitest';
import { EXTENSION, extend } from '../../src/dispatch/extension.ts';
import type { ExtensionParts } from '../../src/dispatch/extension.ts';
import { FakeWorld } from '../support/fake-world.ts';

class Todo extends Entity {
  static override key = 'Todo';
  id = '';
  title = '';
}
const { get, update } = createResource({ urlPrefix: 'http://api.test', path: '/todos/:id', schema: Todo });

const extendedBy = (parts: ExtensionParts): Manager => ({
  [EXTENSION]: (_host, inner) => extend(inner, parts),
});

/** Options of a controller whose network responds to each request, and the requests. */
function createNetwork(): {
  readonly options: object;
  readonly requests: string[];
  readonly world: FakeWorld;
} {
  const requests: string[] = [];
  const world = new FakeWorld();
  const fetch = async (url: string): Promise<Response> => {
    requests.push(url);
    return Response.json({ id: new URL(url).pathname.slice(-1), title: 'network' });
  };
  return { options: { ...world.options, fetch }, requests, world };
}

/** The state of a store with one todo. */
async function stateOf(id: string, title: string): Promise<string> {
  const controller = new Controller({ managers: [] });
  await controller.setResponse(get, { id }, { id, title });
  return JSON.stringify(dehydrate(controller));
}

test('the last manager is outermost around a request, and sees a response before it is stored and after', async () => {
  const steps: string[] = [];
  const named = (name: string): Manager =>
    extendedBy({
      async sendFlight(request, flight, next) {
        steps.push(`${name} sends ${flight.call.key === request.key}`);
        const outcome = await next(request, flight);
        steps.push(`${name} has the outcome`);
        return outcome;
      },
      beforeStore(effects, _origin, flight) {
        const [row] = effects.rows;
        steps.push(`${name} before ${String(row?.base?.['title'])} ${flight?.isRead}`);
        return () => steps.push(`${name} after ${String(row?.base?.['title'])}`);
      },
    });
  const controller = new Controller({
    ...createNetwork().options,
    managers: [named('first'), named('last')],
  });

  await controller.fetch(get, { id: '5' });

  expect(steps).toEqual([
    'last sends true',
    'first sends true',
    'first has the outcome',
    'last has the outcome',
    'last before undefined true',
    'first before undefined true',
    'last after network',
    'first after network',
  ]);
});

test('a value for set is stored without a flight, and a reset keeps the extensions', async () => {
  const flights: unknown[] = [];
  const manager = extendedBy({
    beforeStore(_effects, _origin, flight) {
      flights.push(flight?.isRead);
      return undefined;
    },
  });
  const controller = new Controller({ ...createNetwork().options, managers: [manager] });

  await controller.set(Todo, { id: '5' }, { title: 'set' });
  await controller.fetch(update, { id: '5' }, { title: 'put' });
  controller.resetEntireStore();
  await controller.fetch(get, { id: '5' });

  expect(flights).toEqual([undefined, false, true]);
});

test('saved states of several extensions are asked one after another', async () => {
  const { options, requests } = createNetwork();
  const source = [await stateOf('1', 'first'), await stateOf('2', 'second')];
  const further = [await stateOf('3', 'third'), await stateOf('4', 'fourth')];
  const controller = new Controller({
    ...options,
    managers: [{ [EXTENSION]: savedState(further)[EXTENSION] }],
    initialState: savedState(source),
  });
  const titleOf = async (id: string): Promise<unknown> =>
    (await controller.watch(get, { id }).ensurePromise()).title;

  await expect(titleOf('4')).resolves.toBe('fourth');
  await expect(titleOf('2')).resolves.toBe('second');
  await expect(titleOf('1')).resolves.toBe('first');
  await expect(titleOf('3')).resolves.toBe('third');
  expect(requests).toEqual([]);
});

test('after a reset an extension is still asked for saved states, and the states of before are not', async () => {
  const { options, requests, world } = createNetwork();
  const asked: unknown[] = [];
  const controller = new Controller({
    ...options,
    managers: [
      extendedBy({
        waitForState(reader) {
          asked.push(reader.awaitsData);
          return undefined;
        },
      }),
    ],
    initialState: savedState([await stateOf('1', 'first'), await stateOf('2', 'second')]),
  });

  controller.resetEntireStore();
  controller.watch(get, { id: '2' }).subscribe(() => undefined);
  await world.pass(5_000);

  expect(asked).toContain(true);
  expect(controller.get(Todo, { id: '2' })?.title).toBe('network');
  expect(requests).toHaveLength(1);
});

test('a mutation reaches an extension when it is called: before its update is shown, its turn and its place in time', async () => {
  const { options, requests, world } = createNetwork();
  const ends: string[] = [];
  const steps: unknown[] = [];
  const resource = createResource({
    urlPrefix: 'http://api.test',
    path: '/todos/:id',
    schema: Todo,
    optimistic: true,
  });
  const controller: Controller = new Controller({
    ...options,
    managers: [
      extendedBy({
        onWrite: ({ sent, status, rowQueues, isRead }, event) => {
          if (event === 'open')
            steps.push([sent, status, rowQueues, isRead, controller.get(Todo, { id: '5' })?.title]);
          else ends.push(event);
        },
      }),
    ],
  });
  await controller.setResponse(resource.get, { id: '5' }, { id: '5', title: 'old' });

  const first = controller.fetch(resource.update, { id: '5' }, { title: 'first' });
  const second = controller.fetch(resource.update, { id: '5' }, { title: 'second' });

  expect(steps).toEqual([
    [0, undefined, ['Todo 5'], false, 'old'],
    [0, undefined, ['Todo 5'], false, 'first'],
  ]);
  await world.pass(100);
  await Promise.all([first, second]);
  expect(requests).toHaveLength(2);
  expect(ends).toEqual(['acknowledge', 'acknowledge']);
});

test('two extensions may each add a function that runs after a response is written', async () => {
  const { options } = createNetwork();
  const steps: string[] = [];
  const named = (name: string): Manager =>
    extendedBy({
      sendFlight(request, flight, next) {
        flight.afterWrites.push(({ rows: [row] }) => steps.push(`${name} ${String(row?.base?.['title'])}`));
        return next(request, flight);
      },
    });
  const controller = new Controller({ ...options, managers: [named('first'), named('last')] });

  await controller.fetch(get, { id: '5' });

  expect(steps).toEqual(['last network', 'first network']);
});

test('the remaining saved states are applied when their source ends with an error', async () => {
  const world = new FakeWorld();
  const states = [await stateOf('1', 'first'), await stateOf('2', 'second')];
  const source = {
    at: (index: number) => states[index],
    ended: Promise.reject(new Error('the page broke off')),
  };
  const controller = new Controller({ ...world.options, initialState: savedState(source) });
  expect(controller.get(Todo, { id: '2' })).toBeUndefined();

  controller.start();
  await world.pass(0); // the rejection is seen
  await world.pass(10);

  expect(controller.get(Todo, { id: '2' })).toMatchObject({ title: 'second' });
  controller.stop();
});
