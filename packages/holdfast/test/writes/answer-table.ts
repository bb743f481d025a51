// How a mutation ends, by its method and by what the server answers: one rule for entities, unions and envelopes, with and
// without optimism. empty-answers.test.ts runs every cell against a real server; docs/optimistic-updates.md prints it.

export const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

/** What comes back. Where the server did what it was asked, and the client cannot know, the answer says so. */
export const ANSWERS = {
  whole: 'the whole row',
  part: 'its key and other fields than were sent',
  keyless: '`{ success: true }`',
  empty: 'nothing (204)',
  refused: 'a refusal (409)',
  missing: '"not found" (404)',
  failed: 'a failure (500), after it was done',
  lost: 'a lost connection, after it was done',
  late: 'no answer in time, after it was done',
} as const;
export type Answer = keyof typeof ANSWERS;

/** What a reader sees at the end: what the call asked for, or what was there before it. */
export type Sight = 'as asked' | 'as before';

export interface Ending {
  readonly method: Method;
  readonly answer: Answer;
  readonly call: 'resolves' | 'rejects';
  /** While the call is under way, by `optimistic`. */
  readonly meanwhile: { readonly true: Sight; readonly false: Sight };
  /** Once the call has settled, before anything is read again. */
  readonly shown: Sight;
  /** Whether the row's lists still count as fresh; stale ones are read again by whoever shows them. */
  readonly lists: 'fresh' | 'stale';
}

type Row = readonly [call: Ending['call'], shown: Sight, lists: Ending['lists']];

const CHANGED: Readonly<Record<Answer, Row>> = {
  whole: ['resolves', 'as asked', 'fresh'],
  part: ['resolves', 'as asked', 'stale'],
  keyless: ['resolves', 'as asked', 'stale'],
  empty: ['resolves', 'as asked', 'stale'],
  refused: ['rejects', 'as before', 'fresh'],
  missing: ['rejects', 'as before', 'stale'],
  failed: ['rejects', 'as before', 'stale'],
  lost: ['rejects', 'as before', 'stale'],
  late: ['rejects', 'as before', 'stale'],
};

const ROWS: Readonly<Record<Method, Readonly<Record<Answer, Row>>>> = {
  PUT: CHANGED,
  PATCH: CHANGED,
  POST: {
    ...CHANGED,
    // nobody knows the new row's name: it stays on screen as a draft until its lists have been read again
    keyless: ['resolves', 'as before', 'stale'],
    empty: ['resolves', 'as before', 'stale'],
  },
  DELETE: {
    ...CHANGED,
    // a row that is gone has no field that the answer could leave out
    part: ['resolves', 'as asked', 'fresh'],
    keyless: ['resolves', 'as asked', 'fresh'],
    empty: ['resolves', 'as asked', 'fresh'],
    missing: ['rejects', 'as asked', 'stale'],
  },
};

/** Every cell, in the order of the table. */
export const ENDINGS: readonly Ending[] = METHODS.flatMap((method) =>
  (Object.keys(ANSWERS) as Answer[]).map((answer) => {
    const [call, shown, lists] = ROWS[method][answer];
    return { method, answer, call, meanwhile: { true: 'as asked', false: 'as before' }, shown, lists };
  }),
);

/** The table as the documentation prints it. */
export function printEndings(): string {
  const lines = ENDINGS.map(({ method, answer, call, shown, lists }) =>
    ['', ` ${method} `, ` ${ANSWERS[answer]} `, ` ${call} `, ` ${shown} `, ` ${lists} `, ''].join('|'),
  );
  return [
    '| method | answered with | the call | shown then | its lists |',
    '|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}
