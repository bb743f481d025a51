// How long an answer is fresh and a failure stands: by the endpoint, else by the controller's options. With the time of
// sending, that is the origin of what arrives now.
import type { EndpointInterface } from '../../endpoint/endpoint-interface.ts';
import { readOrigin, writeOrigin } from '../../store/stamp.ts';
import type { Origin } from '../../store/stamp.ts';
import type { Core, Lifetimes } from './core.ts';

/** Milliseconds for which an answer is fresh when neither endpoint nor controller says. */
export const DEFAULT_DATA_EXPIRY_MS = 60_000;
/** Milliseconds for which a failure stands before it is tried again. */
export const DEFAULT_ERROR_EXPIRY_MS = 1_000;

/** After how many failures in a row further tries are spaced out, and by how much at least. */
const FREE_FAILURES = 2;
const BACKOFF_MS = 1_000;
const LONGEST_BACKOFF_MS = 60_000;

export function dataLifetime(endpoint: EndpointInterface, defaults: Lifetimes): number {
  return endpoint.dataExpiryLength ?? defaults.dataExpiryLength;
}

/** Failures in a row wait longer each time, whatever the endpoint says; `failures` is the position in the current run. */
export function errorLifetime(endpoint: EndpointInterface, defaults: Lifetimes, failures: number): number {
  const wanted = endpoint.errorExpiryLength ?? defaults.errorExpiryLength;
  if (failures <= FREE_FAILURES) return wanted;
  return Math.max(wanted, Math.min(LONGEST_BACKOFF_MS, BACKOFF_MS * 2 ** (failures - FREE_FAILURES - 1)));
}

/** When a failure stored now may be tried again. */
export function errorExpiry(core: Core, endpoint: EndpointInterface, failures: number): number {
  return core.environment.clock.now() + errorLifetime(endpoint, core.lifetimes, failures);
}

interface Arrival {
  readonly isRead: boolean;
  /** Infinity for an answer that was sent and acknowledged at this moment. */
  readonly sent: number;
  /** For a failure: its position in the current run of failures. */
  readonly failures?: number;
}

/** Where an answer that arrives now comes from: when it was sent, and until when it is fresh or, for a failure, stands. */
export function originOf(
  core: Core,
  endpoint: EndpointInterface,
  { isRead, sent, failures }: Arrival,
): Origin {
  const expiresAt =
    failures === undefined
      ? core.environment.clock.now() + dataLifetime(endpoint, core.lifetimes)
      : errorExpiry(core, endpoint, failures);
  const settled = core.engine.store.timeline.tick();
  return (isRead ? readOrigin : writeOrigin)(Math.min(sent, settled), settled, expiresAt);
}
