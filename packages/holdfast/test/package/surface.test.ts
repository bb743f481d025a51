import { expect, test } from 'vitest';
import { findMissingExports, readSurface } from '../../../../scripts/declarations.ts';

// Types that the compiler alone reads: an application gets them by inference and has another way to name them, such as
// `typeof UserResource.get`, `Lazy<…>['query']` or AnyEndpoint.
const inferred = new Set([
  'AssignCall',
  'CallTypes',
  'DeleteCall',
  'EndpointClass',
  'ErrorBoundaryState',
  'Extendable',
  'GetCall',
  'GetListCall',
  'LazyQuery',
  'ListMore',
  'LooseCall',
  'LooseParams',
  'MoreOption',
  'MoveCall',
  'Nothing',
  'PageCall',
  'PartialUpdateCall',
  'Plain',
  'PushCall',
  'RemoveCall',
  'ResourceExtend',
  'RestEndpointClass',
  'SearchObject',
  'StoredEndpoint',
  'UpdateCall',
]);

test('each type that a public signature mentions can be imported', () => {
  const missing = findMissingExports();

  expect(missing.filter((text) => !inferred.has(text.split(' ')[0] ?? ''))).toEqual([]);
});

test('what is inferred is mentioned still, and is exported nowhere', () => {
  const { reached, exported } = readSurface();
  const unexported = new Set(
    [...reached.keys()].filter((id) => !exported.has(id)).map((id) => id.split('#')[1]),
  );

  expect([...inferred].filter((name) => !unexported.has(name))).toEqual([]);
});

test('members that only the library calls are in no declaration', () => {
  const { members, reached } = readSurface();

  expect(['claimScope', 'withScope'].filter((name) => members.has(name))).toEqual([]);
  expect([...reached.keys()].filter((id) => id.startsWith('store/'))).toEqual([]);
});
