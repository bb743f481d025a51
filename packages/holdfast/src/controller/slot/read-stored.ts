// What the controller tells of its store at one moment: `get` by a schema, `getResponse`, `getError` and `fetchIfStale` by an
// endpoint, judged by decide.ts; and all of it through the snapshots that optimistic responses get.
import { EndpointCall, isNothing } from '../../dispatch/call.ts';
import type { AnyEndpoint } from '../../endpoint/endpoint-interface.ts';
import type { Snapshot, SnapshotResponse } from '../../endpoint/snapshot.ts';
import type { Reads } from '../../normalize/read.ts';
import { kindOf } from '../../schema/kinds/kind-of.ts';
import type { Kind } from '../../schema/protocol/protocol.ts';
import type { View } from '../../store/graph.ts';
import type { Core } from '../state/core.ts';
import { decide, VALID } from './decide.ts';
import type { ExpiryStatus } from './decide.ts';
import { readSlot } from './read-slot.ts';

interface StoredResponse {
  readonly response: SnapshotResponse<unknown> & { readonly expiryStatus: ExpiryStatus };
  /** The failure that readers see. */
  readonly error: Error | undefined;
  readonly isStale: boolean;
}

const NO_RESPONSE: StoredResponse = {
  response: { data: undefined, expiryStatus: VALID, expiresAt: Infinity },
  error: undefined,
  isStale: false,
};

/** With `reads` it leaves the memo alone, for snapshots. */
export function readStored(
  core: Core,
  endpoint: AnyEndpoint,
  args: readonly unknown[],
  reads?: Reads,
): StoredResponse {
  if (isNothing(args)) return NO_RESPONSE;
  const call = new EndpointCall(endpoint, args);
  const seen = readSlot(core, call, reads);
  const policy = { core, endpoint: call.endpoint };
  const { expiryStatus, error, isStale } = decide(seen, policy, core.environment.clock.now());
  const { data, expiresAt } = seen;
  return { response: { data, expiryStatus, expiresAt }, error, isStale };
}

type LookUpArgs = readonly unknown[];

/** The view of what a schema and arguments name; made, absent, where it is not there, so that readers may wait on it. */
export function lookUpView(core: Core, kind: Kind, args: LookUpArgs): View {
  core.touch();
  return core.engine.cellView(kind, args);
}

/** What the store holds for a schema and arguments; undefined when it does not. */
export function lookUp(core: Core, kind: Kind, args: LookUpArgs): unknown {
  core.touch();
  return core.engine.lookUp(kind, args);
}

/**
 * The window on the store that `getOptimisticResponse` and `controller.snapshot()` get. Reads without memo and records what
 * it saw, so that a guess is made again only when one of those things has changed.
 */
export function createSnapshot(core: Core, fetchedAt: number, reads: Reads): Snapshot {
  const window = {
    fetchedAt,
    abort: new Error(),
    get: (schema: unknown, ...args: LookUpArgs) =>
      core.engine.readWithoutMemo(lookUpView(core, kindOf(schema), args), reads),
    getResponse: (endpoint: AnyEndpoint, ...args: LookUpArgs) =>
      readStored(core, endpoint, args, reads).response,
    getError: (endpoint: AnyEndpoint, ...args: LookUpArgs) => readStored(core, endpoint, args, reads).error,
  };
  return window as unknown as Snapshot; // cast: the public signatures look the types up
}
