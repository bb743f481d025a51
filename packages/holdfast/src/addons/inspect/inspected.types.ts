// The results of an inspector, as plain data: requests, notifications of readers, pending mutations, readers, events, and a trace.
import type { RefusedRow } from '../validate/refused-rows.ts';
import type {
  ExplainedList,
  ExplainedRow,
  Guess,
  LostRule,
  RequestId,
  StaleReason,
} from './explanation.types.ts';

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
  /** The endpoint's name; empty for a direct write. */
  readonly endpoint: string;
  readonly args: readonly unknown[];
  /** The HTTP method; empty for a direct write, and for an endpoint without a method. */
  readonly method: string;
  readonly kind: 'read' | 'mutation' | 'direct-write';
  /**
   * Why the request was sent. `doubt`: the data was marked stale. `again`: the read was sent once more, because its response was
   * incomplete. `refusal`: the mutation was sent once more, because the server or `HttpSemantics` had refused it.
   */
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
    | 'refusal'
    | 'unknown';
  /** Why the stored data was stale or absent when the read was first sent; empty for writes, and when a call is sent once more. */
  readonly reasons: readonly StaleReason[];
  readonly status: 'under-way' | 'answered' | 'not-modified' | 'failed';
  /**
   * The result of the request. `counted`: the store took at least a part of the response, or the response contained no row and no
   * list. `did-not-count`: the response changed nothing, and one of its values was not stored: see `lost`. `unchanged`: the
   * response repeated the stored data. `given-up`: the request was aborted, for example because no reader needed it any more, or
   * the store was reset.
   */
  readonly outcome: 'in-flight' | 'counted' | 'did-not-count' | 'unchanged' | 'failed' | 'given-up';
  /** Why the response did not count, and the request whose data counted instead; undefined for every other outcome. */
  readonly lost: (LostRule & { readonly to: RequestId | undefined }) | undefined;
  /** The name of the error. */
  readonly error: string | undefined;
  /** The HTTP status of the response with which the request failed; undefined if it did not fail, or if no response came. */
  readonly httpStatus: number | undefined;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Milliseconds since 1970; undefined while the request is in flight. */
  readonly endedAt: number | undefined;
  /**
   * When the request first changed data, in milliseconds since 1970: its start if its optimistic update was shown then, else the
   * arrival of its response.
   */
  readonly effectAt: number | undefined;
}

/**
 * Why a reader was notified.
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
      /**
       * What happened to a row or a list that the reader shows. `changed`: a response or another write changed it. `guess-changed`:
       * an optimistic update was applied or rolled back: see `how`. `forgotten`: the row or list was removed from memory.
       */
      readonly rule: 'changed' | 'guess-changed' | 'forgotten';
      /**
       * How the optimistic updates have changed. `computed-again`: the number of applied updates is the same, but the shown value
       * has changed.
       */
      readonly how?: 'applied' | 'rolled-back' | 'computed-again' | undefined;
      readonly what: string;
      /** The fields of a row that its last change has changed; empty for a list. */
      readonly fields: readonly string[];
      readonly by: RequestId | undefined;
    };

/**
 * One notification of a reader.
 *
 * @example
 * const lineOf = ({ key, reasons }: Inspector.InspectedWake) => `${key}: ${reasons.map(({ rule }) => rule).join()}`;
 * inspect().wakes().map(lineOf);
 */
export interface InspectedWake {
  /** The number of the notification; a later notification has a greater number. */
  readonly id: number;
  /** The key of the call; empty for a reader without a call, such as that of a schema. */
  readonly key: string;
  /** The endpoint's name and the arguments of the call; empty for a reader without a call. */
  readonly endpoint: string;
  readonly args: readonly unknown[];
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly reasons: readonly WakeReason[];
  /** The names of the components that read the data; only in development. */
  readonly components: readonly string[];
}

/**
 * A mutation that has not ended.
 *
 * @example
 * const lineOf = ({ endpoint, waitsFor }: Inspector.InspectedWrite) => (waitsFor ? `${endpoint} after ${waitsFor}` : endpoint);
 * inspect().writes().map(lineOf);
 */
export interface InspectedWrite {
  readonly endpoint: string;
  /** The HTTP method; empty for an endpoint without a method. */
  readonly method: string;
  readonly args: readonly unknown[];
  readonly by: RequestId | undefined;
  /** As in {@link Guess}. */
  readonly status: Exclude<Guess['status'], 'answered-without-a-name'>;
  /** The write queues of the mutation; each sends one call at a time. */
  readonly standsIn: readonly string[];
  /** The endpoint of the call for which the mutation waits in a queue; undefined if it waits in no queue. */
  readonly waitsFor: string | undefined;
  /** The rows and lists that the mutation's optimistic update changes. */
  readonly over: readonly string[];
}

/**
 * One call that has readers on the page.
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
  /** The names of the components that read the data; only in development. */
  readonly components: readonly string[];
  readonly from: RequestId | undefined;
  readonly stale: readonly StaleReason[];
  /** How often the readers were notified since the first reader was mounted. */
  readonly wakeCount: number;
}

/**
 * One event of the history.
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
  /** An endpoint's name or key; empty if the event has none. */
  readonly about: string;
}

/**
 * The records of an inspector and the rows of its controller, as plain data without the redacted values.
 *
 * @example
 * const trace: Inspector.Trace = inspect().trace();
 * console.log(JSON.stringify(trace));
 */
export interface InspectorTrace {
  /** The version of the format. It is raised when a property of the trace changes its meaning or is removed. */
  readonly format: 2;
  readonly at: number;
  readonly history: readonly InspectedEvent[];
  readonly requests: readonly InspectedRequest[];
  readonly wakes: readonly InspectedWake[];
  readonly lists: readonly ExplainedList[];
  readonly writes: readonly InspectedWrite[];
  readonly mounted: readonly InspectedReader[];
  /** The rows that checks have refused. */
  readonly refused: readonly RefusedRow[];
  readonly entities: readonly ExplainedRow[];
}

/**
 * A function that describes a stored list in one sentence, such as `whyComplete` of `holdfast/local`. The inspector and its panel
 * show the sentence.
 *
 * @example const note: Inspector.Note = whyComplete;
 */
export type ListNote = (
  list: object,
  store: object,
) => { readonly text: string; readonly parts: readonly { readonly text: string }[] };

/**
 * Options of {@link inspect}.
 *
 * @example
 * const options: Inspector.Options = { keep: 500, redact: [/token/i, 'ssn'] };
 * const inspector = inspect(options);
 */
export interface InspectOptions {
  /** The number of events that are remembered, and likewise of requests and of notifications. Default: `defaults.inspect.keep`. */
  readonly keep?: number;
  /** The names of fields and parameters, or patterns of names, whose values must not appear in a trace. */
  readonly redact?: readonly (string | RegExp)[];
  /** Functions of other entries that describe a list, such as `whyComplete` of `holdfast/local`. Default: none. */
  readonly notes?: readonly ListNote[];
}
