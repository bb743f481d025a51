// The data of the magazine, declared once for server and browser. Addresses are relative: the browser resolves them
// against the page, the server against the `baseUrl` of its render.
import { createResource, Entity, schema } from 'holdfast';

export class Article extends Entity {
  id = '';
  title = '';
  text = '';
  likes = 0;
  published = new Date(0);
  static override key = 'Article';
  static override schema = { published: Date };
}

export const ArticleResource = createResource({
  path: '/api/articles/:id',
  schema: Article,
  body: {} as Partial<Article>,
  optimistic: true,
});

export class Comment extends Entity {
  id = '';
  author = '';
  text = '';
  static override key = 'Comment';
}

export const CommentResource = createResource({
  path: '/api/articles/:articleId/comments/:id',
  schema: Comment,
});

// what is related to an article no field of the others says: the server alone decides
export const RelatedResource = createResource({
  path: '/api/articles/:articleId/related/:id',
  schema: Article,
}).extend({ getList: { schema: new schema.Collection([Article], { membership: 'server' }) } });
