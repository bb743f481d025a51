// Responses that arrive in one tick: a request counts as in flight until the step in which its response is applied, so a response
// that is applied a few microtasks earlier still takes it into account.
import { Controller, createResource, Entity } from 'holdfast';
import type { Manager } from 'holdfast';
import { expect, test } from 'vitest';

class Todo extends Entity {
  static override key = 'Todo';
  id = '';
  title = '';
  status = '';
}
const TodoResource = createResource({ path: '/todos/:id', schema: Todo });

type Answer = (value: unknown) => void;

/** A controller whose requests wait until the test responds to them. */
function setup(): { controller: Controller; reads: Answer[]; writes: Answer[] } {
  const reads: Answer[] = [];
  const writes: Answer[] = [];
  const holding: Manager = {
    request: ({ isRead }) =>
      new Promise((resolve) => {
        (isRead ? reads : writes).push((value) => resolve({ value }));
      }),
  };
  return { controller: new Controller({ managers: [holding] }), reads, writes };
}

const SENT_FIRST = ['the list', 'the creation'] as const;
const MICROTASKS = [0, 1, 2, 3, 4, 5];

for (const sentFirst of SENT_FIRST) {
  for (const answeredFirst of SENT_FIRST) {
    test.each(MICROTASKS)(
      `a creation is kept when ${sentFirst} is sent first and ${answeredFirst} has the first response, %i microtasks apart`,
      async (microtasks) => {
        const { controller, reads, writes } = setup();
        const ready = controller.fetch(TodoResource.getList);
        reads[0]!([]);
        await ready;
        const list = () => controller.fetch(TodoResource.getList);
        const create = () => controller.fetch(TodoResource.getList.push, { title: 'a' });
        const calls = sentFirst === 'the list' ? [list(), create()] : [create(), list()];
        const answers = [() => reads[1]!([]), () => writes[0]!({ id: '1', title: 'a' })];
        if (answeredFirst === 'the creation') answers.reverse();

        answers[0]!();
        for (let passed = 0; passed < microtasks; passed += 1) await Promise.resolve();
        answers[1]!();
        await Promise.all(calls);

        expect(controller.getResponse(TodoResource.getList).data?.map(({ id }) => id)).toEqual(['1']);
      },
    );
  }
}

test.each(MICROTASKS)(
  'an older read adds the fields that a newer partial response omits, %i microtasks later',
  async (microtasks) => {
    const { controller, reads, writes } = setup();
    const ready = controller.fetch(TodoResource.get, { id: '1' });
    reads[0]!({ id: '1', title: 'a', status: 'open' });
    await ready;
    const reading = controller.fetch(TodoResource.get, { id: '1' });
    const writing = controller.fetch(TodoResource.partialUpdate, { id: '1' }, { title: 'b' });

    writes[0]!({ id: '1', title: 'b' });
    for (let passed = 0; passed < microtasks; passed += 1) await Promise.resolve();
    reads[1]!({ id: '1', title: 'a', status: 'done' });
    await Promise.all([reading, writing]);

    const { title, status } = controller.get(Todo, { id: '1' })!;
    expect({ title, status }).toEqual({ title: 'b', status: 'done' });
  },
);
