// Answers that say less than was sent. What was sent and accepted stands where the answer is silent, and its row is read
// again; an answer without a key is about the row that the call names.
import type { Ask } from '../../dispatch/ask.ts';
import { envelopeOf, sentFields, sentRow, unwrap, withPk, wrap } from '../../endpoint/row-name.ts';
import type { Row } from '../../store/nodes.ts';
import { attempt } from '../../support/call-safely.ts';
import { isObject, isRecord } from '../../support/plain.ts';

type Fields = Readonly<Record<string, unknown>>;

interface Completed {
  /** What is stored: the answer, with what was sent where it is silent. Undefined where it says nothing of a row. */
  readonly value: unknown;
  /** Whether the answer names its rows: else the call resolves with what the server said. Undefined where it says nothing of them. */
  readonly isNamed: boolean | undefined;
  /** Rows of which the server said less than was sent: they are read again. */
  readonly unsaid: readonly unknown[];
}

/** Completes the answer to a mutation, given the arguments as they were sent, the last guess and the rows that the call names. */
export function completeAnswer(
  { endpoint, kind }: Ask,
  args: readonly unknown[],
  answer: unknown,
  guess: unknown,
  named: readonly Row[],
): Completed {
  const isEmpty = answer === null || answer === undefined;
  const around = envelopeOf(kind);
  if (!endpoint.method || !around) {
    // of a map that was not answered, the rows are read again
    const unsaid = isEmpty && endpoint.method ? Object.values(guess ?? {}) : [];
    return { value: isEmpty ? guess : answer, isNamed: true, unsaid };
  }
  const said = unwrap(around, answer);
  const owners = kind.owners?.() ?? [];
  const pkOf = (row: unknown): string | undefined =>
    attempt(() => owners.map((owner) => owner.pkOf?.([row])).find((pk) => pk !== undefined));
  const sent = sentRow(endpoint, args);
  // a text or a number is no row: it may be a key, a count or "ok"
  const isNamed = isObject(said) && pkOf(said) !== undefined;
  if (endpoint.method === 'DELETE') {
    const row = isRecord(said) ? withPk(endpoint, said) : said;
    const isKnown = pkOf(sent) !== undefined;
    const isTold = Array.isArray(said) || ((isNamed || !isKnown) && pkOf(row) !== undefined);
    const value = isTold || isKnown ? wrap(around, isTold ? row : sent, answer) : undefined;
    return { value, isNamed: isTold, unsaid: [] };
  }
  const declared = new Set(owners.flatMap((owner) => owner.fieldNames?.() ?? []));
  const pick = (row: Fields): Fields =>
    Object.fromEntries(Object.entries(row).filter(([name]) => declared.has(name)));
  const sentRows = [sent].flat() as readonly Fields[]; // cast: rows are objects
  const isMany = Array.isArray(sent);
  if (!isNamed && !Array.isArray(said)) {
    // of a row that is not there, such as one deleted meanwhile, a change says too little
    const isKnown = (row: Fields): boolean =>
      endpoint.method !== 'PATCH' || named.some(({ base, pk }) => base && pk === pkOf(row));
    const known = sentRows.filter(isKnown);
    const isUnknown = known.length === 0 || sentRows.some((row) => pkOf(row) === undefined);
    const stated = pick(isRecord(said) ? said : {});
    const row = isMany ? known : { ...sentRows[0], ...stated };
    const value = isEmpty && guess !== undefined && !isMany ? guess : wrap(around, row, answer);
    const isSaid = Object.keys(stated).length;
    return { value: isUnknown ? undefined : value, isNamed: isSaid ? false : undefined, unsaid: sentRows };
  }
  const bodies = [endpoint.splitArgs(args).body].flat().map((item) => pick(sentFields(item)));
  const told: readonly unknown[] = [said].flat();
  const unsaid = new Set<unknown>(isMany ? sentRows : []);
  // of several rows with one key the first counts
  const places = new Map(sentRows.map((row, at) => [pkOf(row), at] as const).reverse());
  const rows = told.map((row, at) => {
    const place = places.get(pkOf(row)) ?? (told.length === sentRows.length ? at : -1);
    if (!isRecord(row)) return row;
    const whole = { ...bodies[place], ...row };
    unsaid.delete(sentRows[place]);
    if (Object.keys(whole).length > Object.keys(row).length) unsaid.add(whole);
    return whole;
  });
  return {
    value: wrap(around, Array.isArray(said) ? rows : rows[0], answer),
    isNamed: true,
    unsaid: [...unsaid],
  };
}
