// The types of pages by headers.
import { Collection, Controller, Entity, RestEndpoint } from 'holdfast';
import { linked } from 'holdfast/http';
import { expectTypeOf, test } from 'vitest';

class Post extends Entity {
  static override key = 'Post';
  id = '';
}

const getList = new RestEndpoint({
  path: '/users/:user/posts',
  searchParams: {} as { page?: number },
  schema: new Collection([Post]),
});

test('rows have the type of the list, and page arguments that of its parameters', async () => {
  const controller = new Controller();
  const getPages = linked(getList);
  const page = await controller.fetch(getPages, { user: '5' });

  expectTypeOf(page.results).toEqualTypeOf<Post[]>();
  expectTypeOf(page.total).toEqualTypeOf<number | null>();
  expectTypeOf(page.next!.page).toEqualTypeOf<number | undefined>();
  expectTypeOf(page.next!.user).toEqualTypeOf<string | number>();

  if (page.next) await controller.fetch(getPages, page.next);
  // @ts-expect-error the path needs a user
  await controller.fetch(getPages, {});
  // @ts-expect-error there may be no such page
  await controller.fetch(getPages, page.next);
});
