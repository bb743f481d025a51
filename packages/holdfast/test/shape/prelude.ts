// The application that examples in comments and pages talk about: the names they use without declaring them.
// Only compiled, never run.
import type { Context } from 'react';
import { Controller, createResource, Entity, inPages, RestEndpoint, schema } from 'holdfast';
import { inspect } from 'holdfast/inspect';
import type { Inspector } from 'holdfast/inspect';

export class User extends Entity {
  id = '';
  type = 'user';
  name = '';
  email = '';
  static override key = 'User';
}

export class Team extends Entity {
  id = '';
  type = 'team';
  static override key = 'Team';
}

export class Todo extends Entity {
  id = '';
  title = '';
  completed = false;
  done = false;
  userId = '';
  static override key = 'Todo';
}

export class Post extends Entity {
  id = '';
  title = '';
  votes = 0;
  type = 'post';
  static override key = 'Post';
}

export class Message extends Entity {
  id = '';
  text = '';
  static override key = 'Message';
}

export class Link extends Entity {
  id = '';
  url = '';
  type = 'link';
  static override key = 'Link';
}

export class ExchangeRate extends Entity {
  id = '';
  currency = '';
  rate = 0;
  static override key = 'ExchangeRate';
}

export class Price extends Entity {
  id = '';
  symbol = '';
  amount = 0;
  static override key = 'Price';
}

export class Group extends Entity {
  id = '';
  members: string[] = [];
  static override key = 'Group';
}

export { useContext } from 'react';

export const UserResource = createResource({ path: '/users/:id', schema: User });
export const TodoResource = createResource({ path: '/todos/:id', schema: Todo, optimistic: true });
export const PostResource = createResource({ path: '/posts/:id', schema: Post });

export const getFeed = new RestEndpoint({
  path: '/feed',
  schema: { posts: new schema.Collection([Post]), next: '' },
  searchParams: {} as { tag?: string } | undefined,
  paginationField: 'cursor',
  pages: inPages({ next: 'next' }),
});

export const getMessages = new RestEndpoint({
  path: '/rooms/:room/messages',
  schema: { messages: new schema.Collection([Message]), older: '', newer: '' },
  paginationField: 'after',
  pages: inPages({ next: 'newer', previous: 'older', previousField: 'before' }),
});

export const controller: Controller = new Controller();
export const inspector: Inspector = inspect();
export declare const id: string;
export declare const error: unknown;
export declare const group: Group;
export declare const Rate: typeof ExchangeRate;
export declare const rates: { read(currency: string): Promise<unknown> };
export declare const Token: Context<string>;
export declare const NotFound: () => null;
export declare const report: (...what: unknown[]) => void;
