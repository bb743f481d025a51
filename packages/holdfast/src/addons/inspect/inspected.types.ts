// What an inspector has seen: requests, wake-ups, mutations under way, readers and events, and all of it as a trace. Plain data, made
// when it is asked for.
import type { RefusedRow } from '../validate/refused-rows.ts';
import type { ExplainedRow, RequestId, StaleReason } from './explanation.types.ts';

/**
 * One request, or a direct write.
 *
 * @example
 * const lineOf = ({ endpoint, cause, status }: Inspector.InspectedRequest) => `${endpoint} (${cause}): ${status}`;
 * inspect().requests().map(lineOf);
 */
export interface InspectedRequest {
  readonly id: RequestId;
  readonly found: 'request';
  /** Empty for a direct write. */
  readonly endpoint: string;
  readonly args: readonly unknown[];
  readonly kind: 'read' | 'mutation' | 'direct-write';
  /** Why it was sent. `again`: the first answer was incomplete. */
  readonly cause:
    | 'mount'
    | 'expiry'
    | 'focus'
    | 'reconnect'
    | 'poll'
    | 'page'
    | 'call'
    | 'retry'
    | 'doubt'
    | 'invalid'
    | 'absence'
    | 'again'
    | 'unknown';
  /** What was wrong with what was there, where a reader asked. */
  readonly reasons: readonly StaleReason[];
  readonly status: 'under-way' | 'answered' | 'not-modified' | 'failed';
  readonly error: string | undefined;
  /** Milliseconds since 1970; undefined while it is under way. */
  readonly startedAt: number;
  readonly endedAt: number | undefined;
}

/**
 * What made a reader look again.
 *
 * @example
 * const isGuess = ({ rule }: Inspector.WakeReason) => rule === 'guess-changed';
 */
export type WakeReason =
  | {
      readonly rule:
        | 'answer'
        | 'failure'
        | 'invalidated'
        | 'aged'
        | 'request'
        | 'time-passed'
        | 'store-was-reset';
      readonly by: RequestId | undefined;
    }
  | {
      /** A row or a list below changed: by an answer or a write, by a guess that was laid or lifted, or it was forgotten. */
      readonly rule: 'changed' | 'guess-changed' | 'forgotten' | 'restored';
      readonly what: string;
      readonly by: RequestId | undefined;
    };

/**
 * One time that a reader was told.
 *
 * @example
 * const lineOf = ({ key, reasons }: Inspector.InspectedWake) => `${key}: ${reasons.map(({ rule }) => rule).join()}`;
 * inspect().wakes().map(lineOf);
 */
export interface InspectedWake {
  /** The endpoint's key; empty for a reader of a schema. */
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly reasons: readonly WakeReason[];
  /** The components that read it, in development. */
  readonly components: readonly string[];
}

/**
 * A mutation that has not been answered.
 *
 * @example
 * const lineOf = ({ endpoint, waitsFor }: Inspector.InspectedWrite) => (waitsFor ? `${endpoint} after ${waitsFor}` : endpoint);
 * inspect().writes().map(lineOf);
 */
export interface InspectedWrite {
  readonly endpoint: string;
  readonly args: readonly unknown[];
  readonly by: RequestId | undefined;
  readonly status: 'waiting' | 'sent';
  /** The queues it stands in: of each, calls go one at a time. */
  readonly standsIn: readonly string[];
  /** The endpoint of the call before it in one of them; undefined where there is none. */
  readonly waitsFor: string | undefined;
  /** The rows it shows changed. */
  readonly over: readonly string[];
}

/**
 * One endpoint, or one schema, that something on the page reads.
 *
 * @example
 * const isGood = ({ stale }: Inspector.InspectedReader) => stale.length === 0;
 * inspect().mounted().every(isGood);
 */
export interface InspectedReader {
  readonly endpoint: string;
  readonly key: string;
  readonly args: readonly unknown[];
  readonly listenerCount: number;
  /** The components that read it, in development. */
  readonly components: readonly string[];
  readonly from: RequestId | undefined;
  readonly stale: readonly StaleReason[];
  /** How often it was told since it was mounted. */
  readonly wakeCount: number;
}

/**
 * One line of the history.
 *
 * @example
 * const lineOf = ({ at, what, about }: Inspector.InspectedEvent) => `${new Date(at).toISOString()} ${what} ${about}`;
 * inspect().history().map(lineOf);
 */
export interface InspectedEvent {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly what:
    | 'request'
    | 'answer'
    | 'failure'
    | 'direct-write'
    | 'wake-up'
    | 'mount'
    | 'unmount'
    | 'invalidate'
    | 'expire'
    | 'collect'
    | 'reset';
  readonly by: RequestId | undefined;
  /** An endpoint's name, or none. */
  readonly about: string;
}

/**
 * Everything that an inspector knows, as plain data without what was to be redacted.
 *
 * @example
 * const trace: Inspector.Trace = inspect().trace();
 * console.log(JSON.stringify(trace));
 */
export interface InspectorTrace {
  readonly format: 1;
  readonly at: number;
  readonly history: readonly InspectedEvent[];
  readonly requests: readonly InspectedRequest[];
  readonly writes: readonly InspectedWrite[];
  readonly mounted: readonly InspectedReader[];
  /** Rows that checks have refused. */
  readonly refused: readonly RefusedRow[];
  readonly entities: readonly ExplainedRow[];
}

/**
 * What an inspector takes.
 *
 * @example
 * const options: Inspector.Options = { keep: 500, redact: [/token/i, 'ssn'] };
 * const inspector = inspect(options);
 */
export interface InspectOptions {
  /** How many events, requests and wake-ups are remembered. Default: `defaults.inspect.keep`. */
  readonly keep?: number;
  /** Fields and parameters whose values appear nowhere in a trace: by name, or by a pattern of names. */
  readonly redact?: readonly (string | RegExp)[];
}
