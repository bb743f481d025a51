// What the recorder remembers of a request or a direct write: one small object, shared by all fields that it supplied. Holds
// neither the request nor its answer, so that both go when they are over.
import type { RequestId, StaleReason } from './explanation.types.ts';
import type { InspectedRequest } from './inspected.types.ts';

export class KnownRequest {
  /** When it was sent: the stamp that is its id everywhere. */
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
  /** The stamp of a write's answer; 0 while there is none. */
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
