// The end of a mutation, by its method and by the response of the server: one rule for entities, unions and envelopes, with and
// without optimistic updates. empty-responses.test.ts runs every cell against a real server; docs/optimistic-updates.md prints the
// table.

export const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

/** The response. It contains whether the server did the change where the client cannot know it. */
export const ANSWERS = {
  whole: 'the whole row',
  part: 'its key and other fields than were sent',
  keyless: '`{ success: true }`',
  empty: 'nothing (204)',
  refused: 'a refusal (409)',
  missing: '"not found" (404)',
  failed: 'a failure (500), after it was done',
  lost: 'a lost connection, after it was done',
  late: 'no response in time, after it was done',
} as const;
export type Answer = keyof typeof ANSWERS;

/** The data that a reader sees at the end: as requested by the call, or as before it. */
export type Sight = 'as asked' | 'as before';

export interface Ending {
  readonly method: Method;
  readonly answer: Answer;
  readonly call: 'resolves' | 'rejects';
  /** While the call is in flight, by `optimistic`. */
  readonly meanwhile: { readonly true: Sight; readonly false: Sight };
  /** Once the call has settled, before anything is read again. */
  readonly shown: Sight;
  /** Whether the lists of the row still count as fresh; readers of stale lists read them again. */
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
    // the id of the new row is unknown: it stays on screen as a draft until its lists have been read again
    keyless: ['resolves', 'as before', 'stale'],
    empty: ['resolves', 'as before', 'stale'],
  },
  DELETE: {
    ...CHANGED,
    // a deleted row has no field that the response could omit
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
    '| method | response | the call | shown then | its lists |',
    '|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}
