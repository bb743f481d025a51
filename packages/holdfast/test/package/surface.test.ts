import { expect, test } from 'vitest';
import {
  findMissingExports,
  readEntries,
  readNamespace,
  readSurface,
  resolve,
} from '../../../../scripts/declarations.ts';

// Types that no application writes. The compiler infers them, and an application has another name for each: `typeof UserResource.get`,
// `Lazy<…>['query']`, AnyEndpoint, Queryable in place of SchemaObject and QueryableMembers, `any` in place of Given, the plugin's `typeof`,
// the members of the unions ComparableValue and FieldPrimitive.
const inferred = new Set([
  'AssignCall',
  'CallTypes',
  'ComparableValue',
  'DeleteCall',
  'EndpointClass',
  'ErrorBoundaryState',
  'Extendable',
  'ExtendableEndpoint',
  'FieldPrimitive',
  'GetCall',
  'GetListCall',
  'Given',
  'JsonPrimitive',
  'LazyQuery',
  'LintConfig',
  'LintPlugin',
  'LintRule',
  'ListMore',
  'LooseCall',
  'LooseParams',
  'MoveCall',
  'NoFurtherOptions',
  'PageCall',
  'PartialUpdateCall',
  'PushCall',
  'QueryableMembers',
  'RareOption',
  'RemoveCall',
  'ResourceExtend',
  'RestEndpointClass',
  'SchemaObject',
  'SearchObject',
  'SelectingEndpoint',
  'SnapshotEndpoint',
  'UpdateCall',
]);

test('each type that a public signature mentions is an export or a member of an exported namespace', () => {
  const missing = findMissingExports();

  expect(missing.filter((text) => !inferred.has(text.split(' ')[0] ?? ''))).toEqual([]);
});

test('each inferred type is mentioned by a public signature and is exported nowhere', () => {
  const { reached, exported } = readSurface();
  const unexported = new Set(
    [...reached.keys()].filter((id) => !exported.has(id)).map((id) => id.split('#')[1]),
  );

  expect([...inferred].filter((name) => !unexported.has(name))).toEqual([]);
});

test('a type that two exports share has one public name', () => {
  const names = new Map<string, string[]>();
  for (const { exports } of readEntries().values()) {
    for (const [name, binding] of exports) {
      if (resolve(binding).name === '*') continue;
      for (const [member, { file, name: type }] of readNamespace(binding)) {
        const owner = `${resolve(binding).name}.${member}`;
        names.set(`${file}#${type}`, [...new Set([...(names.get(`${file}#${type}`) ?? []), owner])]);
        expect(exports.has(type), `${type} is exported beside ${name}.${member}`).toBe(false);
      }
    }
  }

  expect([...names.values()].filter((owners) => owners.length > 1)).toEqual([]);
});

test('members that only the library calls are in no declaration', () => {
  const { members, reached } = readSurface();

  expect(['claimScope', 'withScope'].filter((name) => members.has(name))).toEqual([]);
  expect([...reached.keys()].filter((id) => id.startsWith('store/'))).toEqual([]);
});
