// How the header `Link` is read.
import { expect, test } from 'vitest';
import { readLinks } from '../../src/addons/http/link-header.ts';

test.each([
  ['<a>; rel=next', { next: 'a' }],
  ['<a>; rel="next last"', { next: 'a', last: 'a' }],
  ['<a>; REL=NEXT', { next: 'a' }],
  ['<a>;rel="next";title="one, two; three", <b>; rel=prev', { next: 'a', prev: 'b' }],
  [String.raw`<a>; title="a \" b"; rel=next`, { next: 'a' }],
  ['<a?x=1,2>; rel=next', { next: 'a?x=1,2' }],
  ['<a>; rel=next, <b>; rel=next', { next: 'a' }],
  ['<a>; rel=next; rel=last', { next: 'a' }],
  ['<a>; anchor="#x"; rel=next', {}],
  ['<a>', {}],
  ['a; rel=next', {}],
  ['<a; rel=next', {}],
  ['; rel=next, <b>; rel=last', { last: 'b' }],
  ['<a>; rel="next', { next: undefined }],
  ['', {}],
  [',,,', {}],
  ['<>; rel=next', { next: '' }],
])('the header `Link: %s` is parsed', (text, links) => {
  expect(Object.fromEntries(readLinks(text))).toEqual(JSON.parse(JSON.stringify(links)));
});
