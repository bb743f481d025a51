import {
  createResource,
  Entity,
  inPages,
  schema,
  totalOf,
} from 'holdfast';

export class Book extends Entity {
  static override key = 'Book';
  id = '';
  title = '';
  author = '';
  finished = false;
}

const books = new schema.Collection([Book]);

export const BookResource = createResource({
  path: '/api/books/:id',
  schema: Book,
  optimistic: true,
}).extend({
  getList: {
    schema: { results: books, total: totalOf(books) },
    paginationField: 'page',
    pages: inPages({ by: 'number', total: 'total', sendFirst: true }),
  },
});
