// The lists of option names that checks in development and lint rules use, against the types.
import type { CollectionOptions, ResourceOptions, RestOptions } from 'holdfast';
import { expectTypeOf, test } from 'vitest';
import type {
  COLLECTION_OPTIONS,
  ENDPOINT_OPTIONS,
  RESOURCE_OPTIONS,
} from '../../src/support/option-names.ts';

test('every option is listed, and nothing else', () => {
  expectTypeOf<(typeof ENDPOINT_OPTIONS)[number]>().toEqualTypeOf<keyof RestOptions>();
  expectTypeOf<(typeof RESOURCE_OPTIONS)[number]>().toEqualTypeOf<
    Exclude<keyof ResourceOptions, keyof RestOptions>
  >();
  expectTypeOf<(typeof COLLECTION_OPTIONS)[number]>().toEqualTypeOf<keyof CollectionOptions>();
});
