// How long an answer is fresh and a failure stands: by the endpoint, else by the controller's options. Time comes from
// the environment's clock.
import type { EndpointInterface } from '../../endpoint/endpoint-interface.ts';
import type { Environment } from '../../support/environment.ts';

/** Milliseconds for which an answer is fresh when neither endpoint nor controller says. */
export const DEFAULT_DATA_EXPIRY_MS = 60_000;
/** Milliseconds for which a failure stands before it is tried again. */
export const DEFAULT_ERROR_EXPIRY_MS = 1_000;

/** After how many failures in a row further tries are spaced out, and by how much at least. */
const FREE_FAILURES = 2;
const BACKOFF_MS = 1_000;
const LONGEST_BACKOFF_MS = 60_000;

export interface Lifetimes {
  readonly dataExpiryLength: number;
  readonly errorExpiryLength: number;
}

/** What a moment of expiry is reckoned from. */
interface Terms {
  readonly environment: Pick<Environment, 'clock'>;
  readonly lifetimes: Lifetimes;
}

/** Until when an answer that comes now is fresh. */
export function dataExpiry({ environment, lifetimes }: Terms, endpoint: EndpointInterface): number {
  return environment.clock.now() + dataLifetime(endpoint, lifetimes);
}

/** When a failure stored now may be tried again; `failures` is its position in the current run of failures. */
export function errorExpiry(
  { environment, lifetimes }: Terms,
  endpoint: EndpointInterface,
  failures: number,
): number {
  return environment.clock.now() + errorLifetime(endpoint, lifetimes, failures);
}

export function dataLifetime(endpoint: EndpointInterface, defaults: Lifetimes): number {
  return endpoint.dataExpiryLength ?? defaults.dataExpiryLength;
}

/** Failures in a row wait longer each time, whatever the endpoint says: no resource is hammered. */
export function errorLifetime(endpoint: EndpointInterface, defaults: Lifetimes, failures: number): number {
  const wanted = endpoint.errorExpiryLength ?? defaults.errorExpiryLength;
  if (failures <= FREE_FAILURES) return wanted;
  return Math.max(wanted, Math.min(LONGEST_BACKOFF_MS, BACKOFF_MS * 2 ** (failures - FREE_FAILURES - 1)));
}
