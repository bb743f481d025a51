// Reads the store at one moment: by schema for `get`; by endpoint, with a decision of decide.ts, for `getResponse`, `getError`
// and `fetchIfStale`; and in both ways for snapshots.
import { EndpointCall, isNullCall } from '../../dispatch/call.ts';
import type { AnyEndpoint } from '../../endpoint/endpoint-interface.ts';
import type { Snapshot, SnapshotResponse } from '../../endpoint/snapshot.ts';
import type { ReadNodes } from '../../normalize/read.ts';
import { kindOf } from '../../schema/kinds/kind-of.ts';
import type { Kind } from '../../schema/protocol/protocol.ts';
import type { View } from '../../store/graph.ts';
import type { Core } from '../state/core.ts';
import { decide, VALID } from './decide.ts';
import type { ExpiryStatus } from './decide.ts';
import { readSlot } from './read-slot.ts';

interface StoredResponse {
  readonly response: SnapshotResponse<unknown> & { readonly expiryStatus: ExpiryStatus };
  /** The stored error, unless it is soft and there is data that was not invalidated. */
  readonly error: Error | undefined;
  readonly isStale: boolean;
}

const NO_RESPONSE: StoredResponse = {
  response: { data: undefined, expiryStatus: VALID, expiresAt: Infinity },
  error: undefined,
  isStale: false,
};

/** Reads the stored data. A snapshot passes `reads`: then no memoized view is used, and `reads` records the nodes that are read. */
export function readStored(
  core: Core,
  endpoint: AnyEndpoint,
  args: readonly unknown[],
  reads?: ReadNodes,
): StoredResponse {
  if (isNullCall(args)) return NO_RESPONSE;
  const call = new EndpointCall(endpoint, args);
  const facts = readSlot(core, call, reads);
  const situation = { core, endpoint: call.endpoint };
  const { expiryStatus, error, isStale } = decide(facts, situation, core.environment.clock.now());
  const { data, expiresAt } = facts;
  return { response: { data, expiryStatus, expiresAt }, error, isStale };
}

type LookUpArgs = readonly unknown[];

/** Returns the view of a schema and arguments, and creates it if necessary, so that readers can subscribe. */
export function lookUpView(core: Core, kind: Kind, args: LookUpArgs): View {
  core.scheduleCollection();
  return core.engine.cellView(kind, args);
}

/** Returns the stored value of a schema and arguments; undefined when it is not stored or cannot be shown. */
export function lookUp(core: Core, kind: Kind, args: LookUpArgs): unknown {
  core.scheduleCollection();
  return core.engine.lookUp(kind, args);
}

/**
 * Creates the object with which `getOptimisticResponse`, or a caller of `controller.snapshot()`, reads the store. It records in
 * `reads` which nodes it has read, so that an optimistic update is computed again when one of these nodes has changed.
 */
export function createSnapshot(core: Core, fetchedAt: number, reads: ReadNodes): Snapshot {
  const snapshot = {
    fetchedAt,
    abort: new Error(),
    get: (schema: unknown, ...args: LookUpArgs) =>
      core.engine.readWithoutMemo(lookUpView(core, kindOf(schema), args), reads).value,
    getResponse: (endpoint: AnyEndpoint, ...args: LookUpArgs) =>
      readStored(core, endpoint, args, reads).response,
    getError: (endpoint: AnyEndpoint, ...args: LookUpArgs) => readStored(core, endpoint, args, reads).error,
  };
  return snapshot as Snapshot; // cast: the types of Snapshot follow from schemas and endpoints
}
