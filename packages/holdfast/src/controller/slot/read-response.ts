// What `getResponse`, `getError`, `fetchIfStale` and snapshots tell of an endpoint: one look, judged by decide.ts.
import { Ask } from '../../dispatch/ask.ts';
import type { AnyEndpoint } from '../../endpoint/endpoint-interface.ts';
import type { SnapshotResponse } from '../../endpoint/snapshot.ts';
import type { Reads } from '../../normalize/read.ts';
import type { Core } from '../state/core.ts';
import { ExpiryStatus } from '../state/expiry-status.ts';
import { decide } from './decide.ts';
import { readSlot } from './read-slot.ts';

interface StoredResponse {
  readonly response: SnapshotResponse<unknown> & { readonly expiryStatus: ExpiryStatus };
  /** The failure that readers see. */
  readonly error: Error | undefined;
  readonly isStale: boolean;
}

const NOTHING: StoredResponse = {
  response: { data: undefined, expiryStatus: ExpiryStatus.Valid, expiresAt: Infinity },
  error: undefined,
  isStale: false,
};

/** Whether there is nothing to ask for: null in place of arguments. */
export function isNothing(args: readonly unknown[]): boolean {
  return args.length === 1 && args[0] === null;
}

/** With `reads` it leaves the memo alone, for snapshots. */
export function readResponse(
  core: Core,
  endpoint: AnyEndpoint,
  args: readonly unknown[],
  reads?: Reads,
): StoredResponse {
  if (isNothing(args)) return NOTHING;
  const ask = new Ask(endpoint, args);
  const seen = readSlot(core, ask, reads);
  const policy = { core, endpoint: ask.endpoint };
  const { expiryStatus, error, isStale } = decide(seen, policy, core.environment.clock.now());
  const { data, expiresAt } = seen;
  return { response: { data, expiryStatus, expiresAt }, error, isStale };
}
