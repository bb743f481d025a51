import { Cache, Entity, schema } from 'holdfast';
import { afterEach, expect, test, vi } from 'vitest';

class Link extends Entity {
  id = '';
  type = 'link';
  static override key = 'Link';
}

afterEach(() => {
  vi.restoreAllMocks();
});

test('an object that no schema is mapped for warns once with UNMAPPED_SCHEMA and is no entity', () => {
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
