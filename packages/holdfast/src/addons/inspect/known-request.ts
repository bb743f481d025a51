// The recorder's record of a request or a direct write: one small object, shared by all fields that the request supplied. It does
// not refer to the flight or the response, so that both can be freed.
import type { RequestId, StaleReason } from './explanation.types.ts';
import type { InspectedRequest } from './inspected.types.ts';

export class KnownRequest {
  /** The time on the store's timeline at which the request was sent. */
  readonly id: RequestId;
  readonly key: string;
  readonly endpoint: string;
  readonly args: readonly unknown[];
  readonly kind: InspectedRequest['kind'];
  readonly startedAt: number;
  cause: InspectedRequest['cause'] = 'call';
  reasons: readonly StaleReason[] = [];
  status: InspectedRequest['status'] = 'under-way';
  error: string | undefined = undefined;
  endedAt: number | undefined = undefined;
  /** The time on the store's timeline at which a write was acknowledged; 0 before, and for reads. */
  respondedAt = 0;

  constructor(
    id: RequestId,
    kind: InspectedRequest['kind'],
    startedAt: number,
    key = '',
    endpoint = '',
    args: readonly unknown[] = [],
  ) {
    this.id = id;
    this.kind = kind;
    this.startedAt = startedAt;
    this.key = key;
    this.endpoint = endpoint;
    this.args = args;
  }

  toInspected(): InspectedRequest {
    const { id, endpoint, args, kind, cause, reasons, status, error, startedAt, endedAt } = this;
    return { id, found: 'request', endpoint, args, kind, cause, reasons, status, error, startedAt, endedAt };
  }
}
