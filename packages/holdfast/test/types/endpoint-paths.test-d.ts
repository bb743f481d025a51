import type { PathParams, ShortenPath } from 'holdfast';
import { describe, expectTypeOf, test } from 'vitest';

type Value = string | number;
type Maybe = string | number | undefined;

describe('parameters of a path', () => {
  test('are required by default', () => {
    expectTypeOf<PathParams<'/users/:id'>>().toEqualTypeOf<{ id: Value }>();
    expectTypeOf<PathParams<'/users/:user/posts/:post'>>().toEqualTypeOf<{ user: Value; post: Value }>();
    expectTypeOf<PathParams<'/:a-:b.:c'>>().toEqualTypeOf<{ a: Value; b: Value; c: Value }>();
    expectTypeOf<PathParams<'/a%:x&:y,:z'>>().toEqualTypeOf<{ x: Value; y: Value; z: Value }>();
  });

  test('are optional by mark and by group', () => {
    expectTypeOf<PathParams<'/a/:b?'>>().toEqualTypeOf<{ b?: Maybe }>();
    expectTypeOf<PathParams<'/:a/:b?'>>().toEqualTypeOf<{ a: Value; b?: Maybe }>();
    expectTypeOf<PathParams<'/:a?/x/:b'>>().toEqualTypeOf<{ a?: Maybe; b: Value }>();
    expectTypeOf<PathParams<'/u{/:id}'>>().toEqualTypeOf<{ id?: Maybe }>();
    expectTypeOf<PathParams<'{/:a}{-:b}{-:c}'>>().toEqualTypeOf<{ a?: Maybe; b?: Maybe; c?: Maybe }>();
    expectTypeOf<PathParams<'/:a{/:b{/:c}}/:d'>>().toEqualTypeOf<{
      a: Value;
      b?: Maybe;
      c?: Maybe;
      d: Value;
    }>();
  });

  test('may be wildcards', () => {
    expectTypeOf<PathParams<'/f/*path'>>().toEqualTypeOf<{ path: readonly Value[] }>();
    expectTypeOf<PathParams<'/:a*b:c'>>().toEqualTypeOf<{ a: Value; b: readonly Value[]; c: Value }>();
    expectTypeOf<PathParams<'/f{/*path}/:id'>>().toEqualTypeOf<{
      path?: readonly Value[] | undefined;
      id: Value;
    }>();
  });

  test('may have quoted names', () => {
    expectTypeOf<PathParams<'/:"my-name"/:id'>>().toEqualTypeOf<{ 'my-name': Value; id: Value }>();
  });

  test('may have names in any script', () => {
    expectTypeOf<PathParams<'/:größe/:名前-:$x_1'>>().toEqualTypeOf<{
      größe: Value;
      名前: Value;
      $x_1: Value;
    }>();
  });

  test('are not made by escaped signs, ports and lone colons', () => {
    expectTypeOf<PathParams<'/x\\:y/:id'>>().toEqualTypeOf<{ id: Value }>();
    expectTypeOf<PathParams<'/x\\*y\\}/:id'>>().toEqualTypeOf<{ id: Value }>();
    expectTypeOf<PathParams<'http://host:8080/:id'>>().toEqualTypeOf<{ id: Value }>();
    expectTypeOf<keyof PathParams<'/static'>>().toEqualTypeOf<never>();
    expectTypeOf<keyof PathParams<''>>().toEqualTypeOf<never>();
  });

  test('may be in a query part', () => {
    expectTypeOf<PathParams<'/s\\?q=:q'>>().toEqualTypeOf<{ q: Value }>();
    expectTypeOf<PathParams<'/s?q=:q&page=:page?'>>().toEqualTypeOf<{ q: Value; page?: Maybe }>();
  });

  test('are of any name for a path that is only known as a string', () => {
    expectTypeOf<PathParams<string>>().toEqualTypeOf<{ readonly [name: string]: unknown }>();
  });

  test('are inferred for a long path', () => {
    type Long = `/a/:a/b/:b/c/:c/d/:d/e/:e/f/:f/g/:g/h/:h/i/:i/${'segment-with-a-rather-long-name'}/j/:j`;
    expectTypeOf<keyof PathParams<Long>>().toEqualTypeOf<
      'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h' | 'i' | 'j'
    >();
  });
});

describe('the list path', () => {
  test('equals the one at run time', () => {
    expectTypeOf<ShortenPath<'/:id'>>().toEqualTypeOf<'/'>();
    expectTypeOf<ShortenPath<':id'>>().toEqualTypeOf<'/'>();
    expectTypeOf<ShortenPath<'/users/:id'>>().toEqualTypeOf<'/users'>();
    expectTypeOf<ShortenPath<'/a/:b?'>>().toEqualTypeOf<'/a'>();
    expectTypeOf<ShortenPath<'/a/:b/c/:d'>>().toEqualTypeOf<'/a/:b/c'>();
    expectTypeOf<ShortenPath<'/a/:b?/c/:d?'>>().toEqualTypeOf<'/a/:b?/c'>();
    expectTypeOf<ShortenPath<'/a{/:b}'>>().toEqualTypeOf<'/a'>();
    expectTypeOf<ShortenPath<'/a{/:b}{-:c}'>>().toEqualTypeOf<'/a{/:b}'>();
    expectTypeOf<ShortenPath<'/a{/x/:b/y/:c}'>>().toEqualTypeOf<'/a'>();
    expectTypeOf<ShortenPath<'/f/*path'>>().toEqualTypeOf<'/f'>();
    expectTypeOf<ShortenPath<'/files/:name.:ext'>>().toEqualTypeOf<'/files/:name'>();
    expectTypeOf<ShortenPath<'/users/:id/settings'>>().toEqualTypeOf<'/users'>();
    expectTypeOf<ShortenPath<'/x\\:y/:id'>>().toEqualTypeOf<'/x\\:y'>();
    expectTypeOf<ShortenPath<'/u/:id\\?full=:full'>>().toEqualTypeOf<'/u/:id'>();
    expectTypeOf<ShortenPath<'/s?a=:a&b=:b'>>().toEqualTypeOf<'/s?a=:a'>();
    expectTypeOf<ShortenPath<'https://host:8080/:id'>>().toEqualTypeOf<'https://host:8080'>();
    expectTypeOf<ShortenPath<'/:"my-name"'>>().toEqualTypeOf<'/'>();
    expectTypeOf<ShortenPath<'/settings'>>().toEqualTypeOf<'/settings'>();
    expectTypeOf<ShortenPath<'/products/:id/'>>().toEqualTypeOf<'/products/'>();
    expectTypeOf<ShortenPath<'/shops/:shop/products/:id/'>>().toEqualTypeOf<'/shops/:shop/products/'>();
    expectTypeOf<ShortenPath<'/a{/:b}/'>>().toEqualTypeOf<'/a/'>();
    expectTypeOf<ShortenPath<'/:id/'>>().toEqualTypeOf<'/'>();
    expectTypeOf<ShortenPath<'/settings/'>>().toEqualTypeOf<'/settings/'>();
    expectTypeOf<ShortenPath<string>>().toEqualTypeOf<string>();
  });
});
