// What an inspector says: plain data, made when it is asked for. Rules are words, so that a test or a bug report can name them.

/** A request, or a direct write, by its place on the line of stamps: later ones have greater numbers. */
export type RequestId = number;

/** Why one answer's word did not count: it came too late in the order of requests, or something stands above that order. */
export interface LostRule {
  readonly rule:
    | 'read-sent-before-write-was-answered'
    | 'read-sent-before-later-read'
    | 'write-sent-before-later-write'
    | 'older-than-what-is-stored'
    | 'row-was-deleted'
    | 'lower-version'
    | 'hook-of-the-class'
    | 'own-write-under-way'
    | 'own-write-answered-lately'
    | 'echo-of-own-write'
    | 'cannot-tell';
}

/** A value that an answer or a direct write stated, and that does not count. */
export interface LostValue extends LostRule {
  readonly value: unknown;
  /** Who said it. */
  readonly from: RequestId;
  /** Whom it lost to; undefined where that is not known any more. */
  readonly to: RequestId | undefined;
}

/** What a pending mutation shows in place of a field. */
export interface Guess {
  readonly endpoint: string;
  /** Undefined while it waits to be sent. */
  readonly by: RequestId | undefined;
  readonly status: 'waiting' | 'sent' | 'answered-without-a-name';
  /** What the field would be with this guess and those below it. */
  readonly value: unknown;
}

/** One field of a row. */
export interface ExplainedField {
  /** What is on screen. */
  readonly value: unknown;
  /** What the server said: the value without guesses. */
  readonly server: unknown;
  /** Who said it; undefined where the inspector was not there, or the field is only guessed. */
  readonly from: RequestId | undefined;
  /** How: in an answer; or it was sent by a mutation whose answer is silent about it; or `unknown`, as in a restored state. */
  readonly how:
    | 'answered'
    | 'sent-and-accepted'
    | 'written-directly'
    | 'made-by-the-class'
    | 'guessed'
    | 'unknown';
  /** The last values that did not count, the latest first. */
  readonly lost: readonly LostValue[];
  /** Pending mutations over it, the earliest first. */
  readonly guesses: readonly Guess[];
}

/** Why data counts as stale, or why nothing is there. */
export type StaleReason =
  | { readonly rule: 'never-fetched' }
  | { readonly rule: 'lifetime-over'; readonly since: number }
  | { readonly rule: 'invalidated' }
  | { readonly rule: 'failed'; readonly error: string; readonly times: number }
  | { readonly rule: 'summary-only'; readonly absent: readonly string[] }
  | { readonly rule: 'gone' | 'clock-was-set-back' }
  | {
      /** A write ended without a clear answer; an answer left open what belongs here; or it was expired by hand. */
      readonly rule: 'write-ended-unknown' | 'left-open-by-an-answer' | 'expired-by-hand' | 'in-doubt';
      /** What came into doubt: a row, a list or the whole answer. */
      readonly what: string;
      readonly by: RequestId | undefined;
    };

/** What is known of one row. */
export interface ExplainedRow {
  readonly found: 'entity';
  readonly entity: string;
  readonly pk: string;
  /** Whether the server, as far as is known, has deleted it. */
  readonly isDeleted: boolean;
  readonly fields: Readonly<Record<string, ExplainedField>>;
  /** Answers about the row that came after it was deleted. */
  readonly late: readonly (LostRule & { readonly from: RequestId })[];
  readonly stale: readonly StaleReason[];
}

/** How one row came to stand in a list. */
export interface ExplainedMember {
  readonly entity: string;
  readonly pk: string;
  /** `answered` by the list's own answer; else what put it there later, or laid it over as a guess. */
  readonly how:
    | 'answered'
    | 'put-by-the-call'
    | 'creation-by-row'
    | 'field-changed'
    | 'created-while-under-way'
    | 'guessed'
    | 'unknown';
  readonly by: RequestId | undefined;
}

/** A row that left a list while the inspector was there. */
export interface ExplainedLeave {
  readonly entity: string;
  readonly pk: string;
  readonly how: 'not-in-the-answer' | 'deleted' | 'taken-out-by-the-call' | 'field-changed' | 'unknown';
  readonly by: RequestId | undefined;
}

/** One list of an answer. */
export interface ExplainedList {
  readonly entity: string;
  /** Its arguments, as texts. */
  readonly arguments: Readonly<Record<string, string>>;
  /** The requests whose answers the pages are, in the order of the pages. */
  readonly pages: readonly (RequestId | undefined)[];
  /** Who orders it: a declared order, the server by an order of its own, or the answer as it came. */
  readonly order: 'declared-order' | 'servers-order' | 'as-answered';
  /** Whether the fields of rows decide what belongs in it, or the server alone does. */
  readonly membership: 'by-fields' | 'by-the-server';
  readonly items: readonly ExplainedMember[];
  /** The last that left, the latest first. */
  readonly gone: readonly ExplainedLeave[];
}

/** What is known of an endpoint's answer. */
export interface ExplainedAnswer {
  readonly found: 'answer';
  readonly endpoint: string;
  readonly key: string;
  /** Whose answer it is; undefined where it was not fetched, or came another way. */
  readonly from: RequestId | undefined;
  /** Answers to the same call that came too late; of further pages, tokens of one that was asked for before another. */
  readonly lost: readonly (LostRule | { readonly rule: 'page-asked-for-before-another' })[];
  readonly collections: readonly ExplainedList[];
  /** Empty while it is good. */
  readonly stale: readonly StaleReason[];
  /** Requests for it that are under way. */
  readonly requests: readonly RequestId[];
}

/** There is nothing to explain; `why` says so in words. */
export interface NothingKnown {
  readonly found: 'nothing';
  readonly why: string;
}

/** One request, or a direct write. */
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

/** What made a reader look again. */
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

/** One time that a reader was told. */
export interface InspectedWake {
  /** The endpoint's key; empty for a reader of a schema. */
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly reasons: readonly WakeReason[];
}

/** A mutation that has not been answered. */
export interface InspectedWrite {
  readonly endpoint: string;
  readonly args: readonly unknown[];
  readonly by: RequestId | undefined;
  readonly status: 'waiting' | 'sent';
  /** The lanes it stands in: of each, calls go one at a time. */
  readonly standsIn: readonly string[];
  /** The endpoint of the call before it in one of them; undefined where there is none. */
  readonly waitsFor: string | undefined;
  /** The rows it shows changed. */
  readonly over: readonly string[];
}

/** One endpoint, or one schema, that something on the page reads. */
export interface InspectedReader {
  readonly endpoint: string;
  readonly key: string;
  readonly args: readonly unknown[];
  readonly listenerCount: number;
  readonly from: RequestId | undefined;
  readonly stale: readonly StaleReason[];
  /** How often it was told since it was mounted. */
  readonly wakeCount: number;
}

/** One line of the history. */
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

/** Everything that an inspector knows, as plain data without what was to be redacted. */
export interface InspectorTrace {
  readonly format: 1;
  readonly at: number;
  readonly history: readonly InspectedEvent[];
  readonly requests: readonly InspectedRequest[];
  readonly writes: readonly InspectedWrite[];
  readonly mounted: readonly InspectedReader[];
  readonly entities: readonly ExplainedRow[];
}

/** What an inspector takes. */
export interface InspectOptions {
  /** How many events, requests and wake-ups are remembered. Default: {@link DEFAULT_HISTORY}. */
  readonly keep?: number;
  /** Fields and parameters whose values appear nowhere in a trace: by name, or by a pattern of names. */
  readonly redact?: readonly (string | RegExp)[];
}
