// Types of plain copies.
import type { BigNumber } from 'bignumber.js';
import { Entity, toPlain } from 'holdfast';
import type { PlainOf } from 'holdfast';
import { expectTypeOf, test } from 'vitest';

class User extends Entity {
  static override key = 'User';
  id = '';
  name = '';
  greet(): string {
    return `hello ${this.name}`;
  }
}
class Todo extends Entity {
  static override key = 'Todo';
  id = '';
  dueAt = new Date(0);
  price!: BigNumber;
  readonly tags: readonly string[] = [];
  size: readonly [number, string] = [0, ''];
  author: User | undefined = undefined;
  place: { readonly city: string; at?: { x: number } } = { city: '' };
  next?: Todo;
  get isLong(): boolean {
    return true;
  }
}

test('a copy of an entity has its fields, which are writable, and none of its methods', () => {
  expectTypeOf(toPlain(User.fromJS())).toEqualTypeOf<{ id: string; name: string }>();
  expectTypeOf(toPlain([User.fromJS()])).toEqualTypeOf<{ id: string; name: string }[]>();
  expectTypeOf<PlainOf<User | undefined>>().toEqualTypeOf<{ id: string; name: string } | undefined>();
});

test('nested entities, arrays and objects are copied, and values of other classes are not', () => {
  type Copy = PlainOf<Todo>;
  expectTypeOf<Copy['dueAt']>().toEqualTypeOf<Date>();
  expectTypeOf<Copy['price']>().toEqualTypeOf<BigNumber>();
  expectTypeOf<Copy['size']>().toEqualTypeOf<[number, string]>();
  expectTypeOf<Copy['author']>().toEqualTypeOf<{ id: string; name: string } | undefined>();
  expectTypeOf<Copy['place']>().toEqualTypeOf<{ city: string; at?: { x: number } }>();
  expectTypeOf<NonNullable<NonNullable<Copy['next']>['next']>['id']>().toEqualTypeOf<string>();
});

test('a getter may be absent, and so may a readonly field', () => {
  type Copy = PlainOf<Todo>;
  expectTypeOf<Copy['isLong']>().toEqualTypeOf<boolean | undefined>();
  expectTypeOf<Copy['tags']>().toEqualTypeOf<string[] | undefined>();
  expectTypeOf<Copy['id']>().toEqualTypeOf<string>();
});

test('a value that is no entity keeps its type', () => {
  expectTypeOf<PlainOf<string | null>>().toEqualTypeOf<string | null>();
  expectTypeOf<PlainOf<unknown>>().toEqualTypeOf<unknown>();
  expectTypeOf<PlainOf<Record<string, User>>>().toEqualTypeOf<Record<string, { id: string; name: string }>>();
});
