// The same entities declared by three libraries, for the suite that all of them pass.
import { type } from 'arktype';
import type { StandardSchema } from 'holdfast';
import * as v from 'valibot';
import { z } from 'zod';

/** The schemas that the suite needs of each library. */
export interface Library {
  readonly name: string;
  readonly text: StandardSchema<unknown, string>;
  readonly short: StandardSchema<unknown, string>;
  readonly count: StandardSchema<unknown, number>;
  readonly date: StandardSchema<unknown, Date>;
  readonly maybeDate: StandardSchema<unknown, Date | null>;
  readonly maybeText: StandardSchema<unknown, string | undefined>;
  readonly word: StandardSchema<unknown, string>;
  readonly address: StandardSchema<unknown, { street: string }>;
  /** A start that is not after its end. */
  readonly inOrder: StandardSchema;
}

const isText = (text: string): boolean => !Number.isNaN(Date.parse(text));

export const libraries: readonly Library[] = [
  {
    name: 'zod',
    text: z.string(),
    short: z.string().max(5),
    count: z.number(),
    date: z.coerce.date(),
    maybeDate: z.coerce.date().nullable(),
    maybeText: z.string().optional(),
    word: z.string().default('none'),
    address: z.object({ street: z.string() }),
    inOrder: z
      .object({ start: z.number(), end: z.number() })
      .refine(({ start, end }) => start <= end, 'out of order'),
  },
  {
    name: 'valibot',
    text: v.string(),
    short: v.pipe(v.string(), v.maxLength(5)),
    count: v.number(),
    date: v.pipe(
      v.string(),
      v.check(isText),
      v.transform((text) => new Date(text)),
    ),
    maybeDate: v.nullable(
      v.pipe(
        v.string(),
        v.check(isText),
        v.transform((text) => new Date(text)),
      ),
    ),
    maybeText: v.optional(v.string()),
    word: v.optional(v.string(), 'none'),
    address: v.object({ street: v.string() }),
    inOrder: v.pipe(
      v.object({ start: v.number(), end: v.number() }),
      v.check(({ start, end }) => start <= end, 'out of order'),
    ),
  },
  {
    name: 'arktype',
    text: type('string'),
    short: type('string <= 5'),
    count: type('number'),
    date: type('string.date.parse'),
    maybeDate: type('string.date.parse | null'),
    maybeText: type('string | undefined'),
    word: type('string | undefined').pipe((text) => text ?? 'none'),
    address: type({ street: 'string' }),
    inOrder: type({ start: 'number', end: 'number' }).narrow(
      ({ start, end }, context) => start <= end || context.mustBe('in order'),
    ),
  },
];
