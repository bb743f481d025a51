// The requests of readers after a reset: readers that leave with the user send none, and those that stay send few.
import { Controller, Entity, RestEndpoint } from 'holdfast';
import type { Manager } from 'holdfast';
import { beforeEach, expect, test } from 'vitest';
import { FakeWorld } from '../support/fake-world.ts';

class User extends Entity {
  static override key = 'User';
  id = 0;
}
const getMe = new RestEndpoint({ urlPrefix: 'http://model.test', path: '/me', schema: User });

let world: FakeWorld;
beforeEach(() => {
  world = new FakeWorld();
});

/** Passes time in steps, so that timers that a step sets are not late. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 100) await world.pass(passed === 0 ? 0 : 100);
  await world.pass(100);
}

/** Resets the store at every refusal, as applications write it by hand. */
function resetAtRefusal(onReset: () => void = () => undefined): Manager {
  let host: Manager.Host | undefined;
  return {
    start: (given) => void (host = given),
    async request(request, next) {
      try {
        return await next(request);
      } catch (error) {
        if ((error as { status?: number }).status === 401) {
          host?.resetEntireStore();
          onReset();
        }
        throw error;
      }
    },
  };
}

/** A controller whose server refuses every request, and the times of its requests. */
function refused(onReset?: () => void) {
  const requestedAt: number[] = [];
  const begunAt = world.time.elapsedMs;
  const controller = new Controller({
    ...world.options,
    managers: [resetAtRefusal(onReset)],
    fetch: async () => {
      requestedAt.push(world.time.elapsedMs - begunAt);
      // a storm ends here, so that the test does
      if (requestedAt.length > 50) await new Promise(() => undefined);
      return new Response('{}', { status: 401 });
    },
  });
  controller.start();
  return { controller, requestedAt };
}

test('a reader that leaves at a reset has sent no other request', async () => {
  let stop: () => void = () => undefined;
  const { controller, requestedAt } = refused(() => stop());
  const reader = controller.watch(getMe);
  const states: boolean[] = [];
  stop = reader.subscribe(() => states.push(reader.read().isBlocked));

  await pass(5_000);
  expect(requestedAt).toHaveLength(1);
  controller.stop();
});

test('a reader that stays shows nothing of the former user at once, and fetches in the next turn', async () => {
  let id = 1;
  const asked: number[] = [];
  const controller = new Controller({
    ...world.options,
    fetch: async () => {
      asked.push(id);
      return Response.json({ id });
    },
  });
  const reader = controller.watch(getMe);
  const stop = reader.subscribe(() => undefined);
  await world.pass(0);
  id = 2;

  controller.resetEntireStore();
  expect(reader.read()).toMatchObject({ data: undefined, isBlocked: true });
  expect(asked).toEqual([1]);
  await world.pass(0);
  expect(reader.read().data?.id).toBe(2);
  expect(asked).toEqual([1, 2]);
  stop();
});

test('a reset at every refusal sends three requests in the first second, and one in each later second', async () => {
  const { controller, requestedAt } = refused();
  const stop = controller.watch(getMe).subscribe(() => undefined);

  await pass(5_500);
  expect(requestedAt.filter((at) => at < 1_000)).toHaveLength(3);
  for (const second of [1, 2, 3, 4])
    expect(requestedAt.filter((at) => at >= second * 1_000 && at < second * 1_000 + 1_000)).toHaveLength(1);
  stop();
  controller.stop();
});

test('the limit applies to a reader without data too, such as a component that waits to be mounted', async () => {
  const { controller, requestedAt } = refused();
  const reader = controller.watch(getMe);
  let isWaiting = true;
  // like Suspense: reads again when the promise has settled
  const wait = async (): Promise<void> => {
    while (isWaiting && requestedAt.length < 50) await reader.ensurePromise().catch(() => undefined);
  };
  const waiting = wait();

  await pass(3_500);
  expect(requestedAt.filter((at) => at < 1_000)).toHaveLength(3);
  expect(requestedAt.length).toBeLessThanOrEqual(6);
  isWaiting = false;
  await world.pass(1_000);
  await waiting;
  controller.stop();
});

test('a log-in long after the log-out waits only for the next turn, whatever the clock did meanwhile', async () => {
  const { controller, requestedAt } = refused();
  const stop = controller.watch(getMe).subscribe(() => undefined);
  await pass(3_000);
  stop();
  await world.pass(60_000);
  world.time.stepBack(3_600_000);
  requestedAt.length = 0;

  const stopAgain = controller.watch(getMe).subscribe(() => undefined);
  await pass(1_100);
  expect(requestedAt.length).toBeGreaterThan(0);
  stopAgain();
  controller.stop();
});
