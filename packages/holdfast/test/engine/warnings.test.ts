import { Cache, Controller, createResource, Entity, RestEndpoint, schema } from 'holdfast';
import { afterEach, expect, test, vi } from 'vitest';

class Link extends Entity {
  id = '';
  type = 'link';
  static override key = 'Link';
}

afterEach(() => {
  vi.restoreAllMocks();
});

test('an object with no entry in the mapping warns once with UNMAPPED_SCHEMA and is no entity', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const cache = new Cache();
  const feed = new schema.Array({ link: Link }, 'type');

  const items = [
    { id: '1', type: 'link' },
    { id: '2', type: 'poll' },
    { id: '3', type: 'poll' },
  ];
  cache.write(feed, items);

  expect(warn).toHaveBeenCalledTimes(1);
  expect(warn.mock.calls[0]?.[0]).toContain('[UNMAPPED_SCHEMA]');
  expect(cache.read(Link, [{ id: '1' }])).toBeInstanceOf(Link);
  expect(cache.read(Link, [{ id: '2' }])).toBeUndefined();
});

test('a DELETE through a union may be called with a key alone, of a stored row or an unknown one', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  class Poll extends Entity {
    id = '';
    type = 'poll';
    static override key = 'Poll';
  }
  const controller = new Controller({ fetch: async () => new Response(null, { status: 204 }) });
  const union = new schema.Union({ link: Link, poll: Poll }, 'type');
  const things = createResource({ urlPrefix: 'http://any.test', path: '/things/:id', schema: union });
  void controller.set(Link, { id: '1' }, { id: '1', type: 'link' });

  await controller.fetch(things.delete, { id: '1' });
  await controller.fetch(things.delete, { id: '2' });
  expect(controller.get(Link, { id: '1' })).toBeUndefined();
  expect(warn).not.toHaveBeenCalled();

  // a type that is named and not mapped is one still
  new Cache().write(new schema.Invalidate({ link: Link }, 'type'), { id: '3', type: 'form' });
  expect(warn).toHaveBeenCalledTimes(1);
});

test('a response that lacks a property of its schema warns once with MEMBER_MISSING, unless the property is optional', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const fetch = async () => Response.json({ total: 0 });
  const controller = new Controller({ fetch });
  const read = (members: Record<string, unknown>) =>
    controller.fetch(
      new RestEndpoint({ urlPrefix: 'http://any.test', path: '/links', schema: members as never }),
    );

  await read({ results: new schema.Collection([Link]), total: 0, limit: 10 });
  await read({ results: new schema.Collection([Link]), total: 0, limit: 10 });
  expect(warn).toHaveBeenCalledTimes(1);
  expect(warn.mock.calls[0]?.[0]).toMatch(/\[MEMBER_MISSING\].*results.*links/);

  const optional = new schema.Object({ author: Link, total: 0 }, { optional: ['author'] });
  await controller.fetch(new RestEndpoint({ urlPrefix: 'http://any.test', path: '/page', schema: optional }));
  expect(warn).toHaveBeenCalledTimes(1);
});
