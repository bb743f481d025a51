// Where an answer that arrives now comes from: when it was sent, and until when it is fresh or, for a failure, stands.
import type { EndpointInterface } from '../../endpoint/endpoint-interface.ts';
import { readOrigin, writeOrigin } from '../../store/stamp.ts';
import type { Origin } from '../../store/stamp.ts';
import type { Core } from '../state/core.ts';
import { dataExpiry, errorExpiry } from '../state/lifetimes.ts';

interface Arrival {
  readonly isRead: boolean;
  /** Infinity for an answer that was sent and acknowledged at this moment. */
  readonly sent: number;
  /** For a failure: its position in the current run of failures. */
  readonly failures?: number;
}

export function originOf(
  core: Core,
  endpoint: EndpointInterface,
  { isRead, sent, failures }: Arrival,
): Origin {
  const expiresAt =
    failures === undefined ? dataExpiry(core, endpoint) : errorExpiry(core, endpoint, failures);
  const settled = core.engine.store.timeline.tick();
  return (isRead ? readOrigin : writeOrigin)(Math.min(sent, settled), settled, expiresAt);
}
