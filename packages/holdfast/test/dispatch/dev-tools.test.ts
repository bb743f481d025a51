import { Controller, dehydrate, DevToolsManager, Entity } from 'holdfast';
import { expect, test } from 'vitest';

class Todo extends Entity {
  static override key = 'Todo';
  id = 0;
  title = '';
}

test('each event is sent with the state after it, the tools can reset the store, and nothing is sent after stop', async () => {
  const sent: [string, number][] = [];
  let say: (message: DevToolsManager.Message) => void = () => undefined;
  let isListening = true;
  const rowsIn = (state: unknown) =>
    (state as { tables: readonly { rows: readonly unknown[] }[] }).tables[0]?.rows.length ?? 0;
  const controller: Controller = new Controller({
    managers: [
      new DevToolsManager({
        connect: () => ({
          init: (state) => sent.push(['init', rowsIn(state)]),
          send: (action, state) => sent.push([action.type, rowsIn(state)]),
          subscribe(listener) {
            say = listener;
            return () => (isListening = false);
          },
        }),
        state: () => dehydrate(controller),
      }),
    ],
  });
  controller.start();

  await controller.set(Todo, { id: 1 }, { id: 1, title: 'milk' });
  say({ type: 'DISPATCH', payload: { type: 'RESET' } });
  expect(controller.get(Todo, { id: 1 })).toBeUndefined();
  controller.stop();
  await controller.set(Todo, { id: 1 }, { id: 1, title: 'milk' });

  expect(sent).toEqual([
    ['init', 0],
    ['set', 1],
    ['reset', 0],
  ]);
  expect(isListening).toBe(false);
});

test('without the extension the manager does nothing', async () => {
  const controller = new Controller({ managers: [new DevToolsManager({ connect: () => undefined })] });

  controller.start();
  await controller.set(Todo, { id: 1 }, { id: 1, title: 'milk' });
  controller.stop();

  expect(controller.get(Todo, { id: 1 })?.title).toBe('milk');
});
