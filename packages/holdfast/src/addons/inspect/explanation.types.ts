// What an inspector says: plain data, made when it is asked for. Rules are words, so that a test or a bug report can name them.

/**
 * A request, or a direct write, by its place on the line of stamps: later ones have greater numbers.
 *
 * @example
 * const inspector = inspect();
 * const last: Inspector.RequestId | undefined = inspector.requests().at(-1)?.id;
 */
export type RequestId = number;

/**
 * Why one answer's word did not count: it came too late in the order of requests, or something stands above that order.
 *
 * @example
 * const inWords = ({ rule }: Inspector.LostRule): string => rule.replaceAll('-', ' ');
 */
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

/**
 * A value that an answer or a direct write stated, and that does not count.
 *
 * @example
 * const lineOf = ({ value, from, rule }: Inspector.LostValue) => `${String(value)} of request ${from}: ${rule}`;
 */
export interface LostValue extends LostRule {
  readonly value: unknown;
  /** Who said it. */
  readonly from: RequestId;
  /** Whom it lost to; undefined where that is not known any more. */
  readonly to: RequestId | undefined;
}

/**
 * What a pending mutation shows in place of a field.
 *
 * @example
 * const lineOf = ({ endpoint, status, value }: Inspector.Guess) => `${String(value)} by ${endpoint} (${status})`;
 */
export interface Guess {
  readonly endpoint: string;
  /** Undefined while it waits to be sent. */
  readonly by: RequestId | undefined;
  readonly status: 'waiting' | 'sent' | 'answered-without-a-name';
  /** What the field would be with this guess and those below it. */
  readonly value: unknown;
}

/**
 * One field of a row.
 *
 * @example
 * const isContested = ({ lost, guesses }: Inspector.ExplainedField) => lost.length + guesses.length > 0;
 */
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

/**
 * Why data counts as stale, or why nothing is there.
 *
 * @example
 * const isOwnDoing = ({ rule }: Inspector.StaleReason) => rule === 'invalidated' || rule === 'expired-by-hand';
 */
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

/**
 * What is known of one row.
 *
 * @example
 * const contested = ({ fields }: Inspector.ExplainedRow) =>
 *   Object.entries(fields).flatMap(([name, { lost }]) => (lost.length > 0 ? name : []));
 */
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

/**
 * How one row came to stand in a list.
 *
 * @example
 * const isSure = ({ how }: Inspector.ExplainedMember) => how !== 'guessed';
 */
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

/**
 * A row that left a list while the inspector was there.
 *
 * @example
 * const lineOf = ({ entity, pk, how }: Inspector.ExplainedLeave) => `${entity} ${pk}: ${how}`;
 */
export interface ExplainedLeave {
  readonly entity: string;
  readonly pk: string;
  readonly how: 'not-in-the-answer' | 'deleted' | 'taken-out-by-the-call' | 'field-changed' | 'unknown';
  readonly by: RequestId | undefined;
}

/**
 * One list of an answer.
 *
 * @example
 * const lineOf = ({ entity, items, rest = 0 }: Inspector.ExplainedList) => `${items.length} of ${items.length + rest} ${entity}`;
 */
export interface ExplainedList {
  readonly entity: string;
  /** Its arguments, as texts. */
  readonly arguments: Readonly<Record<string, string>>;
  /** The requests whose answers the pages are, in the order of the pages: those in front of the first one stand first. */
  readonly pages: readonly (RequestId | undefined)[];
  /** Who orders it: a declared order, the server by an order of its own, or the answer as it came. */
  readonly order: 'declared-order' | 'servers-order' | 'as-answered';
  /** Whether the fields of rows decide what belongs in it, or the server alone does. */
  readonly membership: 'by-fields' | 'by-the-server';
  /** Rows on pages that are not loaded, as the server has counted them and writes since have moved the count; undefined without `totalOf`. */
  readonly rest: number | undefined;
  /** At which ends there are pages that are not loaded, as far as the rule of its pages has told. */
  readonly more: 'none' | 'at-the-end' | 'at-the-start' | 'at-both-ends' | 'unknown';
  readonly items: readonly ExplainedMember[];
  /** The last that left, the latest first. */
  readonly gone: readonly ExplainedLeave[];
}

/**
 * What is known of an endpoint's answer.
 *
 * @example
 * const inspector = inspect();
 * const told = inspector.explain(TodoResource.getList);
 * const listsOf = ({ collections }: Inspector.ExplainedAnswer) => collections.length;
 * if (told.found === 'answer') console.log(listsOf(told));
 */
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

/**
 * There is nothing to explain; `why` says so in words.
 *
 * @example
 * const inspector = inspect();
 * const told = inspector.whyFetched(17);
 * const say = ({ why }: Inspector.NothingKnown) => console.log(why);
 * if (told.found === 'nothing') say(told);
 */
export interface NothingKnown {
  readonly found: 'nothing';
  readonly why: string;
}
