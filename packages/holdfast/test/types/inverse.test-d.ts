// The types of inverse relations: the field is a field of the other entity, and the value an array of it.
import type { Denormalize } from 'holdfast';
import { createResource, Entity } from 'holdfast';
import { inverse } from 'holdfast/local';
import type { Inverse } from 'holdfast/local';
import { expectTypeOf, test } from 'vitest';

class Author extends Entity {
  static override key = 'Author';
  id = '';
  posts: Post[] = [];
  static override schema = {
    posts: inverse(() => Post, 'author', { list: () => PostResource.getList, by: 'authorId' }),
  };
}
class Post extends Entity {
  static override key = 'Post';
  id = '';
  title = '';
  author: Author = Author.fromJS();
  static override schema = { author: Author };
}
const PostResource = createResource({
  path: '/posts/:id',
  schema: Post,
  searchParams: {} as { authorId: string },
});

test('two classes that name each other have types, and the value is an array of the entity', () => {
  const posts = inverse(() => Post, 'author');

  expectTypeOf(posts).toEqualTypeOf<Inverse<typeof Post>>();
  expectTypeOf<Denormalize<typeof posts>>().toEqualTypeOf<Post[]>();
  expectTypeOf(Author.schema.posts).toEqualTypeOf<Inverse<typeof Post>>();
  inverse(() => Post, 'author', { list: PostResource.getList, by: 'authorId' });
});

test('an undeclared field, an entity without a function and a mutation in place of the list are refused', () => {
  // @ts-expect-error no such field
  inverse(() => Post, 'autor');
  // @ts-expect-error a method is no field
  inverse(() => Post, 'pk');
  // @ts-expect-error a function returns the entity, which may be declared later
  inverse(Post, 'author');
  // @ts-expect-error an array is no entity
  inverse(() => [Post], 'author');
  // @ts-expect-error a mutation has no list to read
  inverse(() => Post, 'author', { list: PostResource.delete });
  // @ts-expect-error an inverse field is computed: no arguments find it
  PostResource.get.extend({ schema: inverse(() => Post, 'author') }).schema.query();
});
