import { createResource, Entity } from 'holdfast';

export class Book extends Entity {
  static override key = 'Book';
  id = '';
  title = '';
  author = '';
  finished = false;
}

export const BookResource = createResource({
  path: '/api/books/:id',
  schema: Book,
  optimistic: true,
});
