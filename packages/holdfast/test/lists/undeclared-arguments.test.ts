// What development says of a list that each change makes stale, because nobody has said what an argument means.
import { byRole, Controller, createResource, Entity } from 'holdfast';
import { afterEach, expect, test, vi } from 'vitest';

const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
afterEach(() => void warn.mockClear());

async function change(args: Record<string, string | number>, options: object = {}, key = 'HintTask') {
  class Task extends Entity {
    static override key = key;
    id = '';
    state = '';
    title = '';
  }
  const controller = new Controller();
  const tasks = createResource({
    path: '/tasks/:id',
    schema: Task,
    searchParams: {} as typeof args,
    ...options,
  });
  const rows = ['1', '2'].map((id) => ({ id, state: id === '1' ? 'open' : 'closed', title: `t${id}` }));
  const given = args['state'] === 'open' ? rows.slice(0, 1) : rows;
  const said: string[][] = [];
  for (let time = 1; time <= 4; time += 1) {
    await controller.setResponse(tasks.getList, args, given as never); // cast: rows in their wire form
    await controller.setResponse(tasks.get, { id: '1' }, {
      ...rows[0],
      title: `${time}`,
      state: time % 2 ? 'new' : 'open',
    } as never); // cast: the same
    said.push(warn.mock.calls.map(([text]) => String(text)));
    warn.mockClear();
  }
  return said;
}

test.each([
  ['q', 'tea', `q: 'search'`],
  ['_sort', 'id', `_sort: 'order'`],
  ['per_page', 10, `per_page: 'limit'`],
  ['skip', 5, `skip: 'page'`],
  ['_expand', 'author', `_expand: 'shape'`],
  ['title:like', 'x', `'title:like': 'search'`],
])(
  'the argument %s is named once, when it makes a list stale for the second time',
  async (name, value, cure) => {
    const said = await change({ [name]: value });

    expect(said.map((texts) => texts.length)).toEqual([0, 1, 0, 0]);
    expect(said[1]?.[0]).toContain(
      `[ARGUMENT_WITHOUT_ROLE] A list of HintTask with ${name}=${value} became stale again`,
    );
    expect(said[1]?.[0]).toContain(`no HintTask has a field ${name}`);
    expect(said[1]?.[0]).toContain(`argumentRoles: byRole({ ${cure} })`);
  },
);

test('the line that cures an argument keeps the roles that are there', async () => {
  const said = await change({ tag: 'tea' }, { argumentRoles: byRole({ q: 'search' }) }, 'HintPreset');

  expect(said.flat()[0]).toContain(
    `argumentRoles: byRole({ tag: 'search' }, roles), where \`roles\` are those that it has now`,
  );
});

test('an argument that does not mean its field is named with a test of that field', async () => {
  const said = await change({ state: 'all' });

  expect(said.flat()).toHaveLength(1);
  expect(said.flat()[0]).toContain('it has a row whose state is ');
  expect(said.flat()[0]).toContain(
    `state: { field: 'state', test: (value, text) => text === 'all' || value === text }`,
  );
});

test.each([
  ['a declared search', { q: 'tea' }, { argumentRoles: byRole({ q: 'search' }) }],
  ['a field', { state: 'open' }, {}],
  ['a name that does not filter', { expand: 'author' }, { nonFilterArgumentKeys: ['expand'] }],
  ['no argument', {}, {}],
])('nothing is said of %s', async (_, args, options) => {
  expect((await change(args as Record<string, string>, options)).flat()).toEqual([]);
});
