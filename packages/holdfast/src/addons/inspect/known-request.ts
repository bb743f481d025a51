// The recorder's record of a request or a direct write: one small object. All fields that the request has supplied refer to the
// record. The record does not refer to the flight or the response, so that both can be freed.
import { NetworkError } from '../../support/network-errors.ts';
import type { LostRule, RequestId, StaleReason } from './explanation.types.ts';
import type { InspectedRequest } from './inspected.types.ts';

/** The rule by which a value of a payload was not stored, and the request whose value counts instead. */
export interface LossTo extends LostRule {
  readonly to: KnownRequest | undefined;
}

export class KnownRequest {
  /** The time on the store's timeline at which the request was sent. */
  readonly id: RequestId;
  readonly endpoint: string;
  readonly args: readonly unknown[];
  readonly method: string;
  readonly kind: InspectedRequest['kind'];
  readonly startedAt: number;
  cause: InspectedRequest['cause'] = 'call';
  reasons: readonly StaleReason[] = [];
  status: InspectedRequest['status'] = 'under-way';
  error: string | undefined = undefined;
  httpStatus: number | undefined = undefined;
  /** How the payload of the request changed the store; undefined until the payload is applied, and if there was no payload. */
  effect: 'counted' | 'did-not-count' | 'unchanged' | undefined = undefined;
  /** Why a value of the request's payload was not stored. If several values were not stored, the reason for one of them. */
  loss: LossTo | undefined = undefined;
  /** When the request first changed data: see `InspectedRequest`. */
  effectAt: number | undefined = undefined;
  endedAt: number | undefined = undefined;
  /** The time on the store's timeline at which a write whose payload is stored was acknowledged; 0 for any other request. */
  respondedAt = 0;

  constructor(
    id: RequestId,
    kind: InspectedRequest['kind'],
    startedAt: number,
    endpoint = '',
    args: readonly unknown[] = [],
    method = '',
  ) {
    this.id = id;
    this.kind = kind;
    this.startedAt = startedAt;
    this.endpoint = endpoint;
    this.args = args;
    this.method = method;
  }

  noteError(error: Error): void {
    this.status = 'failed';
    this.error = error.name;
    this.httpStatus = error instanceof NetworkError ? error.status : undefined;
  }

  get #outcome(): InspectedRequest['outcome'] {
    if (this.endedAt === undefined) return 'in-flight';
    if (this.error === 'AbortError' || this.error === 'ResetError') return 'given-up';
    if (this.status === 'failed') return 'failed';
    if (this.status === 'not-modified') return 'unchanged';
    // If the store was reset while the request was in flight, no event has set the status.
    return this.status === 'answered' ? (this.effect ?? 'counted') : 'given-up';
  }

  toInspected(): InspectedRequest {
    const { effect: _effect, loss, respondedAt: _respondedAt, ...shown } = this;
    const outcome = this.#outcome;
    return {
      found: 'request',
      ...shown,
      outcome,
      lost: outcome === 'did-not-count' && loss ? { rule: loss.rule, to: loss.to?.id } : undefined,
    };
  }
}
