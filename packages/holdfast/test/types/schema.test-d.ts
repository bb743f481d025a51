// What schemas mean to the type checker: values, stored forms, arguments, and the calls that must not compile.
import type { BigNumber } from 'bignumber.js';
import { Cache, Entity, EntityMixin, orderBy, schema } from 'holdfast';
import type {
  Collection,
  Denormalize,
  DenormalizeNullable,
  EntityFields,
  Normalize,
  SchemaArgs,
} from 'holdfast';
import { expectTypeOf, test } from 'vitest';

class User extends Entity {
  static override key = 'User';
  id = '';
  name = '';
  age = 0;
  greet(): string {
    return `hello ${this.name}`;
  }
}
class Team extends Entity {
  static override key = 'Team';
  id = '';
  type = 'team' as const;
  members: User[] = [];
  static override schema = { members: [User] };
}
class Link extends Entity {
  static override key = 'Link';
  id = '';
  type = 'link' as const;
}

test('Denormalize is the type that a schema reads as', () => {
  expectTypeOf<Denormalize<typeof User>>().toEqualTypeOf<User>();
  expectTypeOf<Denormalize<[typeof User]>>().toEqualTypeOf<User[]>();
  expectTypeOf<Denormalize<{ user: typeof User; next: '' }>>().toEqualTypeOf<{ user: User; next: string }>();
  expectTypeOf<Denormalize<typeof Date>>().toEqualTypeOf<Date>();
  expectTypeOf<Denormalize<typeof BigNumber>>().toEqualTypeOf<BigNumber>();
  expectTypeOf<Denormalize<typeof Number>>().toEqualTypeOf<number>();
  expectTypeOf<Denormalize<(text: string) => RegExp>>().toEqualTypeOf<RegExp>();
  expectTypeOf<Denormalize<schema.Values<typeof User>>>().toEqualTypeOf<Record<string, User>>();
  expectTypeOf<Denormalize<schema.Union<{ team: typeof Team; link: typeof Link }>>>().toEqualTypeOf<
    Team | Link
  >();
  expectTypeOf<Denormalize<Collection<[typeof User]>>>().toEqualTypeOf<User[]>();
  expectTypeOf<Denormalize<Collection<[typeof User]>['push']>>().toEqualTypeOf<User>();
  expectTypeOf<Denormalize<Collection<schema.Values<typeof User>>['assign']>>().toEqualTypeOf<
    Record<string, User>
  >();
  expectTypeOf<Denormalize<schema.Lazy<[typeof User]>>>().toEqualTypeOf<string[]>();
  expectTypeOf<Denormalize<schema.Invalidate<typeof User>>>().toEqualTypeOf<User>();
});

test('DenormalizeNullable adds undefined where the cache may lack the value', () => {
  expectTypeOf<DenormalizeNullable<typeof User>>().toEqualTypeOf<User | undefined>();
  expectTypeOf<DenormalizeNullable<Collection<[typeof User]>>>().toEqualTypeOf<User[] | undefined>();
  expectTypeOf<DenormalizeNullable<{ user: typeof User; next: '' }>>().toEqualTypeOf<{
    user: User | undefined;
    next: string;
  }>();
});

test('Normalize is the stored form', () => {
  expectTypeOf<Normalize<typeof User>>().toEqualTypeOf<string>();
  expectTypeOf<Normalize<[typeof User]>>().toEqualTypeOf<string[]>();
  expectTypeOf<Normalize<schema.Union<{ team: typeof Team; link: typeof Link }>>>().toEqualTypeOf<{
    id: string;
    schema: 'team' | 'link';
  }>();
});

test('SchemaArgs are fields or the primary key', () => {
  expectTypeOf<SchemaArgs<typeof User>>().toEqualTypeOf<[key: EntityFields<User> | string | number]>();
  expectTypeOf<EntityFields<User>>().toEqualTypeOf<{
    readonly id?: string | number;
    readonly name?: string | number;
    readonly age?: string | number;
  }>();
  expectTypeOf<keyof EntityFields<User>>().not.toEqualTypeOf<'greet'>();
});

test('a read has the type of the schema and accepts its arguments', () => {
  const cache = new Cache();
  expectTypeOf(cache.read(User, [{ id: 5 }])).toEqualTypeOf<User | undefined>();
  expectTypeOf(cache.read(User, ['5'])).toEqualTypeOf<User | undefined>();
  expectTypeOf(cache.read(new schema.All(User))).toEqualTypeOf<User[] | undefined>();
  expectTypeOf(cache.read(new schema.Query(new schema.All(User), (users) => users.length))).toEqualTypeOf<
    number | undefined
  >();
  cache.write(User, { id: '5' }, [], { isOwned: true });
  // @ts-expect-error an option that there is not
  cache.write(User, { id: '5' }, [], { owned: true });
  // @ts-expect-error a field that the entity does not have
  cache.read(User, [{ nickname: 'x' }]);
  // @ts-expect-error a method is no field
  cache.read(User, [{ greet: 'x' }]);
  // @ts-expect-error an array shorthand cannot be asked for by arguments
  cache.read([User], []);
  // @ts-expect-error neither can text
  cache.read('text', []);
});

test('the function of a query gets the value and the arguments', () => {
  const cache = new Cache();
  const older = new schema.Query(new schema.All(User), (users, limit: number) => {
    expectTypeOf(users).toEqualTypeOf<User[]>();
    return users.filter((user) => user.age > limit);
  });
  expectTypeOf(cache.read(older, [18])).toEqualTypeOf<User[] | undefined>();
  // @ts-expect-error the argument is a number
  cache.read(older, ['18']);
  new schema.Query(new schema.All(User), { filter: (user) => user.age > 1, orderBy: 'age' });
  // @ts-expect-error a field that the items do not have
  new schema.Query(new schema.All(User), { orderBy: 'nickname' });
});

test('mappings need an attribute, single schemas accept none', () => {
  new schema.Array({ team: Team, link: Link }, 'type');
  new schema.Array({ team: Team, link: Link }, (value: { id: string }) => (value.id ? 'team' : 'link'));
  // @ts-expect-error a mapping needs an attribute
  new schema.Array({ team: Team, link: Link });
  // @ts-expect-error a single schema takes none
  new schema.All(User, 'type');
  // @ts-expect-error an attribute that the choices do not share
  new schema.Union({ team: Team, link: Link }, 'members');
  // @ts-expect-error a function must name an entry
  new schema.Values({ team: Team }, () => 'other');
});

test('the options of a collection are typed by its arguments and its parent', () => {
  const list = new schema.Collection([User], {
    argsKey: ({ team }: { team: string }) => ({ team }),
    nestKey: (parent: Team) => ({ team: parent.id }),
  });
  const cache = new Cache();
  expectTypeOf(cache.read(list, [{ team: 'a' }])).toEqualTypeOf<User[] | undefined>();
  // @ts-expect-error the argument is required
  cache.read(list, [{}]);
  // @ts-expect-error nothing asks for a creation
  cache.read(list.push, [{ team: 'a' }]);
  // @ts-expect-error membership is one of two words
  new schema.Collection([User], { membership: 'client' });
});

test('a collection is made of a list', () => {
  expectTypeOf(new schema.Collection(new schema.Values(User)).schema).toEqualTypeOf<
    schema.Values<typeof User>
  >();
  expectTypeOf(new schema.Collection(new schema.Array(User)).schema).toEqualTypeOf<
    schema.Array<typeof User>
  >();
  // @ts-expect-error an entity is no list
  void (() => new schema.Collection(User));
  // @ts-expect-error nor is a text
  void (() => new schema.Collection('x'));
  // @ts-expect-error nor an object of lists
  void (() => new schema.Collection({ users: [User] }));
  // @ts-expect-error nor what follows the whole table
  void (() => new schema.Collection(new schema.All(User)));
});

test('EntityMixin keeps the fields of the base and adds the statics of an entity', () => {
  class Data {
    slug = '';
    title = '';
  }
  class Page extends EntityMixin(Data, { key: 'Page', pk: 'slug' }) {}
  const cache = new Cache();
  expectTypeOf(cache.read(Page, [{ slug: 'a' }])?.title).toEqualTypeOf<string | undefined>();
  expectTypeOf(Page.fromJS({ slug: 'a' })).toEqualTypeOf<Page>();
  expectTypeOf(Page.key).toEqualTypeOf<string>();
  // @ts-expect-error a field that the class does not have
  EntityMixin(Data, { pk: 'id' });
});

test('an optional property of an object may be undefined', () => {
  const profile = new schema.Object({ user: User, team: Team }, { optional: ['team'] });
  expectTypeOf<Denormalize<typeof profile>>().toEqualTypeOf<{ user: User; team: Team | undefined }>();
  // @ts-expect-error no such member
  new schema.Object({ user: User }, { optional: ['team'] });
});

test('a declared order is typed by the items of its list', () => {
  new schema.Collection([User], { order: orderBy((left, right) => left.age - right.age) });
  new schema.Collection([User], { order: orderBy('sort') });
  new schema.Collection([User], { order: orderBy('sort', { age: (user) => -user.age }) });
  new schema.Collection(new schema.Array(User), {
    order: orderBy((left, right, key) => {
      expectTypeOf(key).toEqualTypeOf<Readonly<Record<string, string>>>();
      return left.name < right.name ? -1 : 1;
    }),
  });
  // @ts-expect-error -- a user has no rank
  new schema.Collection([User], { order: orderBy((left, right) => left.rank - right.rank) });
  const ofTeams = orderBy((left: Team, right: Team) => left.members.length - right.members.length);
  // @ts-expect-error -- the order of teams is no order of users
  new schema.Collection([User], { order: ofTeams });
  // @ts-expect-error -- a comparator or the name of an argument
  new schema.Collection([User], { order: 'age' });
});
