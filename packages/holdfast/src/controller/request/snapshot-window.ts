// The window on the store that `getOptimisticResponse` and `controller.snapshot()` get. Reads without memo and records
// what it saw, so that a guess is made again only when one of those things has changed.
import type { AnyEndpoint } from '../../endpoint/endpoint-interface.ts';
import type { Snapshot } from '../../endpoint/snapshot.ts';
import type { Reads } from '../../normalize/read.ts';
import { kindOf } from '../../schema/kinds/kind-of.ts';
import { lookUpView } from '../slot/look-up.ts';
import { readResponse } from '../slot/read-response.ts';
import type { Core } from '../state/core.ts';

type Args = readonly unknown[];

export function createSnapshot(core: Core, fetchedAt: number, reads: Reads): Snapshot {
  const window = {
    fetchedAt,
    abort: new Error('No optimistic response.'),
    get: (schema: unknown, ...args: Args) =>
      core.engine.readFresh(lookUpView(core, kindOf(schema), args), reads),
    getResponse: (endpoint: AnyEndpoint, ...args: Args) => readResponse(core, endpoint, args, reads).response,
    getError: (endpoint: AnyEndpoint, ...args: Args) => readResponse(core, endpoint, args, reads).error,
  };
  return window as unknown as Snapshot; // cast: the public signatures look the types up
}
