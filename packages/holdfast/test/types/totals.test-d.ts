// Types of totals: the argument of `totalOf`, and the type of its property.
import { Entity, RestEndpoint, schema, totalOf } from 'holdfast';
import { expectTypeOf, test } from 'vitest';

class Post extends Entity {
  id = '';
  static override key = 'Post';
}

const posts = new schema.Collection([Post]);

test('the property that totalOf declares is a number', () => {
  const getPosts = new RestEndpoint({ path: '/posts', schema: { posts, meta: { total: totalOf(posts) } } });
  type Answer = Awaited<ReturnType<typeof getPosts>>;
  expectTypeOf<Answer['meta']['total']>().toEqualTypeOf<number>();
  expectTypeOf<Answer['posts'][number]['id']>().toEqualTypeOf<string>();
});

test('totalOf accepts a Collection', () => {
  // @ts-expect-error -- an entity is no list
  totalOf(Post);
  // @ts-expect-error -- an array is no Collection: nothing can be added to it
  totalOf([Post]);
});
