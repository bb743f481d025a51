// The window on the store that `getOptimisticResponse` and `controller.snapshot()` get. Reads without memo and records
// what it saw, so that a guess is made again only when one of those things has changed.
import type { EndpointInterface } from '../../endpoint/endpoint-interface.ts';
import type { Snapshot, SnapshotResponse } from '../../endpoint/snapshot.ts';
import { kindOf } from '../../schema/kinds/kind-of.ts';
import { INVALID } from '../../schema/protocol/protocol.ts';
import type { Reads } from '../../normalize/read.ts';
import { ExpiryStatus } from '../state/expiry-status.ts';
import { isNothing } from '../state/core.ts';
import type { Core } from '../state/core.ts';
import { lookUpView } from '../slot/look-up.ts';
import { readSlotFresh } from '../slot/read-slot.ts';
import type { Observation } from '../slot/read-slot.ts';

export function createSnapshot(core: Core, fetchedAt: number, reads: Reads): Snapshot {
  const observe = (endpoint: EndpointInterface, args: readonly unknown[]): Observation =>
    readSlotFresh(core, endpoint, args, reads);
  const window = {
    fetchedAt,
    abort: new Error('No optimistic response.'),
    get(schema: unknown, ...args: readonly unknown[]): unknown {
      const value = core.engine.readFresh(lookUpView(core, kindOf(schema), args), reads);
      return value === INVALID ? undefined : value;
    },
    getResponse(endpoint: EndpointInterface, ...args: readonly unknown[]): SnapshotResponse<unknown> {
      if (isNothing(args)) return { data: undefined, expiryStatus: ExpiryStatus.Valid, expiresAt: Infinity };
      const { data, expiryStatus, expiresAt } = observe(endpoint, args);
      return { data, expiryStatus, expiresAt };
    },
    getError(endpoint: EndpointInterface, ...args: readonly unknown[]): Error | undefined {
      return isNothing(args) ? undefined : observe(endpoint, args).error;
    },
  };
  return window as unknown as Snapshot; // cast: the public signatures look the types up
}
