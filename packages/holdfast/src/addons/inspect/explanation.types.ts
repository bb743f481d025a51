// The results of an inspector's explanations: plain data, created for each call. Rules have readable names, so that tests and bug
// reports can mention them.

/**
 * Identifies a request or a direct write: the time on the store's timeline at which it was sent. A later request has a greater id.
 *
 * @example
 * const inspector = inspect();
 * const last: Inspector.RequestId | undefined = inspector.requests().at(-1)?.id;
 */
export type RequestId = number;

/**
 * The rule by which an incoming value was not stored. `cannot-tell`: the rule is not known.
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
 * A value that a response or a direct write contained, and that was not stored. A value that equals the stored value, or the value
 * on screen, does not count as lost.
 *
 * @example
 * const lineOf = ({ value, from, rule }: Inspector.LostValue) => `${String(value)} of request ${from}: ${rule}`;
 */
export interface LostValue extends LostRule {
  readonly value: unknown;
  /** The request or direct write that contained the value. */
  readonly from: RequestId;
  /** The request or direct write whose value counts instead; undefined if it is not known, for example in a saved state. */
  readonly to: RequestId | undefined;
}

/**
 * A value that a field had before a later value replaced it.
 *
 * @example
 * const lineOf = ({ value, from }: Inspector.EarlierValue) => `${String(value)} of request ${from}`;
 */
export interface EarlierValue {
  readonly value: unknown;
  /** The request or direct write that had supplied the value. */
  readonly from: RequestId | undefined;
  readonly how: ExplainedField['how'];
}

/**
 * The value that a pending mutation's optimistic update shows for a field.
 *
 * @example
 * const lineOf = ({ endpoint, status, value }: Inspector.Guess) => `${String(value)} by ${endpoint} (${status})`;
 */
export interface Guess {
  readonly endpoint: string;
  /** The mutation's request; undefined unless the mutation is in flight. */
  readonly by: RequestId | undefined;
  /**
   * `waiting`: the mutation is sent after an earlier mutation has ended. `held`: it is sent later, for example an edit after a pause
   * in typing, a deletion of a history after `holdMs`, or a mutation whose row `HttpSemantics` reads first. `conflict`: it waits for
   * a decision about its conflicts. `answered-without-a-name`: the response did not contain the primary key of the created row.
   */
  readonly status: 'waiting' | 'held' | 'sent' | 'conflict' | 'answered-without-a-name';
  /** The value of the field after this optimistic update and all earlier updates. */
  readonly value: unknown;
}

/**
 * Where the value of one field came from, and which other values the field had, lost or shows optimistically.
 *
 * @example
 * const isContested = ({ lost, guesses }: Inspector.ExplainedField) => lost.length + guesses.length > 0;
 */
export interface ExplainedField {
  /** The value on screen. */
  readonly value: unknown;
  /** The value that the server has reported, without optimistic updates. */
  readonly server: unknown;
  /** The first request or direct write with the value `server`; undefined if the request is not known, or if `how` is `guessed`. */
  readonly from: RequestId | undefined;
  /**
   * How `server` arrived. `answered`: in a response. `sent-and-accepted`: with a mutation whose response omits the field.
   * `written-directly`: in a message or by `set`. `made-by-the-class`: the merge hook of the entity returned it. `guessed`: only an
   * optimistic update has the field. `unknown`: for example in a saved state.
   */
  readonly how:
    | 'answered'
    | 'sent-and-accepted'
    | 'written-directly'
    | 'made-by-the-class'
    | 'guessed'
    | 'unknown';
  /**
   * Other requests and direct writes with the same value: the last request that was stored, and the requests that came too late to
   * be stored. The request that was sent last comes first.
   */
  readonly confirmed: readonly RequestId[];
  /** The last values that the field had before, the latest first. */
  readonly history: readonly EarlierValue[];
  /** The last values that arrived and were not stored, the latest first; none of them equals the value on screen. */
  readonly lost: readonly LostValue[];
  /** The optimistic updates that change the field, the earliest first. */
  readonly guesses: readonly Guess[];
}

/**
 * The reason why data is stale or absent.
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
  /** `being-deleted`: the server still has the row, and only the optimistic update of a pending mutation removes it. */
  | { readonly rule: 'gone' | 'being-deleted' | 'clock-was-set-back' }
  | {
      /**
       * `write-ended-unknown`: a mutation failed, so the server may have applied it or may have other data.
       * `left-open-by-an-answer`: another request or a direct write made the data stale. `expired-by-hand`: the application expired
       * the data. `in-doubt`: the cause is not known.
       */
      readonly rule: 'write-ended-unknown' | 'left-open-by-an-answer' | 'expired-by-hand' | 'in-doubt';
      /** The name of the stale data: a row, a list or the whole response. */
      readonly what: string;
      readonly by: RequestId | undefined;
    };

/**
 * One row, field by field.
 *
 * @example
 * const contested = ({ fields }: Inspector.ExplainedRow) =>
 *   Object.entries(fields).flatMap(([name, { lost }]) => (lost.length > 0 ? name : []));
 */
export interface ExplainedRow {
  readonly found: 'entity';
  readonly entity: string;
  readonly pk: string;
  /** Whether the server has deleted the row, as far as is known. */
  readonly isDeleted: boolean;
  readonly fields: Readonly<Record<string, ExplainedField>>;
  /** Requests that were sent before the row was deleted, and whose responses contained the row later. */
  readonly late: readonly (LostRule & { readonly from: RequestId })[];
  readonly stale: readonly StaleReason[];
}

/**
 * How one row entered a list.
 *
 * @example
 * const isSure = ({ how }: Inspector.ExplainedMember) => how !== 'guessed';
 */
export interface ExplainedMember {
  readonly entity: string;
  readonly pk: string;
  /**
   * `answered`: a response with the list contained the row. `put-by-the-call`: a mutation added the row to this list.
   * `creation-by-row`: the fields of a new row match the list. `field-changed`: a field of the row changed, so that the row matches
   * the list. `created-while-under-way`: the row was created or moved while a request for the list was in flight. `guessed`: only
   * an optimistic update has added the row. `unknown`: for example in a saved state.
   */
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
 * A row that left a list after the inspector was installed.
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
 * One stored list.
 *
 * @example
 * const lineOf = ({ entity, items, rest = 0 }: Inspector.ExplainedList) => `${items.length} of ${items.length + rest} ${entity}`;
 */
export interface ExplainedList {
  /** Identifies the list as long as the store is not reset. */
  readonly id: string;
  readonly entity: string;
  /** The arguments that identify the list, as strings. */
  readonly arguments: Readonly<Record<string, string>>;
  /** How many rows the list shows. */
  readonly count: number;
  /** The request of each loaded page, in the order of the list; undefined if the request is not known. */
  readonly pages: readonly (RequestId | undefined)[];
  /** The order of the list: a declared order, an order that only the server knows, or the order of the response. */
  readonly order: 'declared-order' | 'servers-order' | 'as-answered';
  /** Whether the fields of a row decide whether the row belongs to the list, or only the server. */
  readonly membership: 'by-fields' | 'by-the-server';
  /** How many rows are on pages that are not loaded, adjusted by later writes; undefined if no total is known. */
  readonly rest: number | undefined;
  /** At which ends the list has pages that are not loaded, as far as the endpoint's page option reports it. */
  readonly more: 'none' | 'at-the-end' | 'at-the-start' | 'at-both-ends' | 'unknown';
  readonly items: readonly ExplainedMember[];
  /** The last rows that left the list, the latest first. */
  readonly gone: readonly ExplainedLeave[];
  /** One sentence from each function of the option `notes`. */
  readonly notes: readonly { readonly text: string; readonly parts: readonly { readonly text: string }[] }[];
}

/**
 * The stored response of one call.
 *
 * @example
 * const inspector = inspect();
 * const explained = inspector.explain(TodoResource.getList);
 * const listsOf = ({ collections }: Inspector.ExplainedAnswer) => collections.length;
 * if (explained.found === 'answer') console.log(listsOf(explained));
 */
export interface ExplainedAnswer {
  readonly found: 'answer';
  readonly endpoint: string;
  readonly key: string;
  /** The request whose response is stored; undefined if no response is stored, or if its request is not known. */
  readonly from: RequestId | undefined;
  /**
   * Why recent responses to this call came too late to be stored, newest first. `page-asked-for-before-another`: the request for a
   * further page was sent before the request for the page whose tokens are stored now.
   */
  readonly lost: readonly (LostRule | { readonly rule: 'page-asked-for-before-another' })[];
  readonly collections: readonly ExplainedList[];
  /** The reasons why the response is stale or absent; empty while it is fresh. */
  readonly stale: readonly StaleReason[];
  /** The requests of this call that are in flight. */
  readonly requests: readonly RequestId[];
}

/**
 * The result when there is nothing to explain; `why` is the reason in words.
 *
 * @example
 * const inspector = inspect();
 * const fetched = inspector.whyFetched(17);
 * const print = ({ why }: Inspector.NothingKnown) => console.log(why);
 * if (fetched.found === 'nothing') print(fetched);
 */
export interface NothingKnown {
  readonly found: 'nothing';
  readonly why: string;
}
