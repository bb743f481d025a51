// The sentences of the inspector: what a person reads who asks why. A sentence has no empty part and no internal name in any
// schedule of the simulator: see test/simulation/inspected.ts.
import { expect, test } from 'vitest';
import { createResource } from 'holdfast';
import {
  describeField,
  describeList,
  describeMember,
  describeRequest,
  describeRow,
  describeStale,
  describeWake,
} from 'holdfast/inspect';
import type { Inspector, Sentence } from 'holdfast/inspect';
import { createInspected, settle } from './held-network.ts';
import type { Inspected } from './held-network.ts';
import { parts, Todo, TodoResource } from './parts.ts';

/** The sentences as one text; a time of day is `T`, and a time span is `D`. */
const textOf = (sentences: readonly Sentence[]): string =>
  sentences
    .map(({ text }) => text)
    .join(' ')
    .replaceAll(/\d\d:\d\d:\d\d/g, 'T')
    .replaceAll(/\d+ (?:ms|s|min|h)\b/g, 'D');

function rowOf(inspector: Inspector, id: string): Inspector.ExplainedRow {
  const row = inspector.explain(Todo, { id });
  if (row.found !== 'entity') throw new Error(JSON.stringify(row));
  return row;
}

const say = ({ inspector }: Inspected, id: string, name: string): string =>
  textOf(describeField(inspector, rowOf(inspector, id), name));

async function read({ controller, network }: Inspected, title: string): Promise<void> {
  const reading = controller.fetch(TodoResource.get, { id: '5' });
  await network.answer('GET /todos/5', { id: '5', title });
  await reading;
}

test('a late response is told with what it said, and why it does not count', async () => {
  const inspected = createInspected();
  const { controller, network, inspector } = inspected;
  await read(inspected, 'old');
  const late = controller.fetch(TodoResource.get, { id: '5' });
  const write = controller.fetch(TodoResource.partialUpdate, { id: '5' }, { title: 'mine' });
  await settle();
  await network.answer('PATCH /todos/5', { id: '5', title: 'mine' });
  await network.answer('GET /todos/5', { id: '5', title: 'theirs' });
  await Promise.all([late, write]);

  expect(say(inspected, '5', 'title')).toBe(
    '“mine”: you changed it at T, and the server saved it. ' +
      'A response that was requested D before your change was saved said “theirs”. ' +
      'It does not count: it could not know of the change of title of Todo 5. Before, it was “old”.',
  );
  expect(say(inspected, '5', 'id')).toContain(
    '“5”: the server said so at T, in the response with Todo 5. The response at T said the same.',
  );
  const [parts] = describeField(inspector, rowOf(inspector, '5'), 'title').map((one) => one.parts);
  expect(parts?.filter(({ request }) => request !== undefined)).toHaveLength(1);
  const [, , change] = inspector.requests();
  expect(inspector.requests().map(({ lost }) => lost)).toEqual([
    undefined,
    { rule: 'read-sent-before-write-was-answered', to: change!.id },
    undefined,
  ]);
  const ended = inspector.requests().map((request) => textOf(describeRequest(inspector, request)));
  expect(ended).toEqual([
    'Todo 5 was requested at T. This page asked for it. It was never loaded before. Its response came after D and counts.',
    'Todo 5 was requested at T. This page asked for it. Its response came after D. ' +
      'It does not count: it could not know of the change of title of Todo 5.',
    'You asked for the change of title of Todo 5 at T. Its response came after D and counts.',
  ]);
});

test('a change that the server has not answered, and one that it refused, are told as such', async () => {
  const inspected = createInspected();
  const { controller, network, inspector } = inspected;
  await read(inspected, 'old');
  const first = controller.fetch(TodoResource.partialUpdate, { id: '5' }, { title: 'one' });
  first.catch(() => undefined);
  const second = controller.fetch(TodoResource.partialUpdate, { id: '5' }, { title: 'two' });
  second.catch(() => undefined);
  await settle();
  expect(say(inspected, '5', 'title')).toBe(
    '“two”: you changed it. It is shown already. The change is sent after an earlier change has its response. ' +
      'The server last said “old”.',
  );
  await network.answer('PATCH /todos/5', {}, { status: 422 });
  await settle();
  expect(say(inspected, '5', 'title')).toContain(
    '“two”: you changed it at T. It is shown already. The change was sent, and has no response yet.',
  );
  await network.answer('PATCH /todos/5', {}, { status: 503 });

  const [, refused, broken] = inspector.requests().map((request) => describeRequest(inspector, request));
  expect(textOf(refused!.slice(-1))).toBe('The server refused it after D, with status 422.');
  expect(textOf(broken!.slice(-1))).toBe('The server failed after D, with status 503.');
  expect(textOf(describeRow(inspector, rowOf(inspector, '5')))).toBe(
    'Todo 5: the change of title of Todo 5 failed at T, and nobody knows whether the server saved it.',
  );
});

test('a change that the server refused because the row is gone leaves the row in doubt, and the sentence blames no network', async () => {
  const inspected = createInspected();
  const { controller, network, inspector } = inspected;
  await read(inspected, 'old');
  const change = controller.fetch(TodoResource.partialUpdate, { id: '5' }, { title: 'new' });
  change.catch(() => undefined);
  await settle();
  await network.answer('PATCH /todos/5', {}, { status: 404 });
  await settle();

  expect(textOf(describeRow(inspector, rowOf(inspector, '5')))).toBe(
    'Todo 5: the server refused the change of title of Todo 5 at T, so it may have other data.',
  );
});

test('a row whose deletion the server has not answered is not told to be deleted by the server', async () => {
  const inspected = createInspected();
  const { controller, network, inspector } = inspected;
  await read(inspected, 'old');
  const whyAbsent = (): string[] => {
    const reasons = inspector.whyStale(TodoResource.get, { id: '5' });
    return Array.isArray(reasons) ? reasons.map((reason) => describeStale(inspector, reason).text) : [];
  };
  const remove = async (status: number): Promise<void> => {
    const deletion = controller.fetch(TodoResource.delete, { id: '5' }).catch(() => undefined);
    await settle();
    expect(whyAbsent()).toEqual(['An optimistic update removes it; the server has not answered yet.']);
    await network.answer('DELETE /todos/5', undefined, { status });
    await deletion;
  };

  await remove(409);
  expect(whyAbsent()).toEqual([]);
  await remove(204);
  expect(whyAbsent()).toEqual(['The server has deleted it.']);
});

test('the reason why nothing was found is a sentence, and any other value is told to be no explanation', () => {
  const { inspector } = createInspected();
  const none = ['This explains no row or request.'];
  const texts = (sentences: readonly Sentence[]): string[] => sentences.map(({ text }) => text);

  const row = inspector.explain(Todo, { id: '7' });
  if (row.found === 'answer') throw new Error('this is the key of a row');
  expect(texts(describeRow(inspector, row))).toEqual([row.found === 'nothing' && row.why]);
  expect(texts(describeField(inspector, row, 'title'))).toEqual(texts(describeRow(inspector, row)));
  expect(texts(describeRequest(inspector, inspector.whyFetched(7)))[0]).toContain(
    'No request 7 is remembered',
  );
  for (const given of ['5', undefined, null, {}] as never[]) {
    // cast: JavaScript callers pass anything
    expect(texts(describeRow(inspector, given))).toEqual(none);
    expect(texts(describeField(inspector, given, 'title'))).toEqual(none);
    expect(texts(describeRequest(inspector, given))).toEqual(none);
  }
});

test('a render says that a change is shown before the server has confirmed it, and when it no longer is', async () => {
  const inspected = createInspected();
  const { controller, network, inspector } = inspected;
  await read(inspected, 'old');
  const stop = controller.watch(TodoResource.get, { id: '5' }).subscribe(() => undefined);
  const lastWake = (): string => textOf(describeWake(inspector, inspector.wakes().at(-1)!));
  const change = controller.fetch(TodoResource.partialUpdate, { id: '5' }, { title: 'new' });
  change.catch(() => undefined);
  await settle();
  expect(lastWake()).toContain(
    'Todo 5 changed (title): it shows a change that the server has not confirmed.',
  );

  await network.answer('PATCH /todos/5', {}, { status: 409 });
  expect(lastWake()).toContain(
    'Todo 5 changed (title): it no longer shows a change that the server has not confirmed.',
  );
  stop();
});

test('an own change whose echo follows in a message is told as yours, confirmed by a message', async () => {
  const inspected = createInspected();
  const { controller, network } = inspected;
  await read(inspected, 'old');
  const change = controller.fetch(TodoResource.partialUpdate, { id: '5' }, { title: 'new' });
  await settle();
  await network.answer('PATCH /todos/5', { id: '5', title: 'new' });
  await change;
  await controller.set(Todo, { id: '5' }, { title: 'new' });

  expect(say(inspected, '5', 'title')).toContain(
    '“new”: you changed it at T, and the server saved it. A message at T said the same.',
  );
});

test('only the server decides about a list with an argument that is no field of its rows', async () => {
  const { controller, network, inspector } = createInspected();
  const reading = controller.fetch(TodoResource.getList, { token: 'x' });
  await network.answer('GET /todos?token=x', [{ id: '1', title: 'a', userId: '1' }]);
  await reading;

  const [list] = inspector.lists();
  expect(textOf(describeList(list!))).toContain('Only the server decides which rows belong here.');
});

test('a call and its list have one name, whatever the order of the arguments, and what sorts the list stands last', async () => {
  const { inspector, controller, network } = createInspected();
  const searchParams = {} as { orderBy: string; userId: string; done: string };
  const sorted = createResource({ ...parts, searchParams });
  const stop = controller
    .watch(sorted.getList, { orderBy: 'title', userId: '1', done: 'no' })
    .subscribe(() => undefined);
  await network.answer('GET /todos?done=no&orderBy=title&userId=1', [{ id: '5', title: 'old' }]);
  const deletion = controller.fetch(sorted.delete, { id: '5' });
  await network.answer('DELETE /todos/5', undefined, { status: 204 });
  await deletion;

  const name = 'Todos · done no · user 1 · order by title';
  expect(textOf(describeRequest(inspector, inspector.requests()[0]!))).toContain(`${name} was requested`);
  const renders = inspector.wakes().map((wake) => textOf(describeWake(inspector, wake)));
  expect(renders.at(-1)).toContain(`A reader of ${name} rendered`);
  expect(renders.join(' ')).toContain(`${name} changed`);
  stop();
});

test('why a row is in a list, has left it, or is not in it, is one sentence each', async () => {
  const inspected = createInspected();
  const { controller, network, inspector } = inspected;
  const { getList } = TodoResource;
  const stop = controller.watch(getList, { userId: '1' }).subscribe(() => undefined);
  await network.answer('GET /todos?userId=1', [
    { id: '1', title: 'a', userId: '1' },
    { id: '2', title: 'b', userId: '1' },
  ]);
  await read(inspected, 'elsewhere');
  const move = controller.fetch(TodoResource.partialUpdate, { id: '2' }, { userId: '2' });
  await settle();
  await network.answer('PATCH /todos/2', { id: '2', title: 'b', userId: '2' });
  await move;
  await controller.set(Todo, { id: '5' }, { userId: '3' });

  const [list] = inspector.lists();
  const placeOf = (id: string): string => textOf([describeMember(inspector, list!, rowOf(inspector, id))]);
  expect(placeOf('1')).toBe('The response of T has it in this list.');
  expect(placeOf('2')).toBe('It was changed at T, and since then its fields do not match this list.');
  expect(placeOf('5')).toBe('Its userId is “3”, and this list has only those with “1”.');
  const wakes = inspector.wakes().map((wake) => textOf(describeWake(inspector, wake)));
  expect(wakes[0]).toMatch(/^A reader of Todos · user 1 rendered at T\. /);
  expect(wakes.join('\n')).toContain(': it shows a change that the server has not confirmed.');
  controller.invalidate(getList, { userId: '1' });
  const reasons = inspector.whyStale(getList, { userId: '1' });
  expect(Array.isArray(reasons) && reasons.map((reason) => describeStale(inspector, reason).text)).toEqual([
    'This page declared it invalid.',
  ]);
  stop();
});
