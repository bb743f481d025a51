// Compares a board with the server's rows, and says what a response has changed on a board.
import { PRIORITY_NAMES, STATUS_NAMES } from '../resources/vocabulary.ts';
import type { CardFields, PlainCard } from './card.ts';

export interface Verdict {
  readonly isRight: boolean;
  /** One line for each difference, or one that there is none. */
  readonly lines: readonly string[];
}

const WORDS = {
  status: (card: PlainCard): string => `in “${STATUS_NAMES[card.status]}”`,
  title: (card: PlainCard): string => `named “${card.title}”`,
  priority: (card: PlainCard): string => `priority ${PRIORITY_NAMES[card.priority].toLowerCase()}`,
} as const;
const FIELDS = ['status', 'title', 'priority'] as const;

const differing = (a: PlainCard, b: PlainCard): (typeof FIELDS)[number][] =>
  FIELDS.filter((name) => a[name] !== b[name]);

interface Wanted {
  readonly saved: PlainCard | undefined;
  /** The fields that the visitor has asked for; null for a card that must be gone. */
  readonly wants: CardFields | null;
  /** What is said where the server does not have them. */
  readonly loss?: string | undefined;
  /** What is said where the server has them. */
  readonly gain?: string | undefined;
}

export function judge(
  shown: readonly PlainCard[],
  server: readonly PlainCard[],
  {
    saved,
    wants,
    loss = 'The server does not have what you asked for.',
    gain = 'Every card is as on the server.',
  }: Wanted,
): Verdict {
  const lines = [...new Set([...shown, ...server].map(({ id }) => id))].flatMap((id) => {
    const [here, ...more] = shown.filter((card) => card.id === id);
    const there = server.find((card) => card.id === id);
    if (!here) return [`“${there?.title}” is not shown. The server has it, ${there && WORDS.status(there)}.`];
    if (!there) return [`Shows “${here.title}”, ${WORDS.status(here)}. The server has no such card.`];
    const twice = more.length > 0 ? [`Shows “${here.title}” twice.`] : [];
    const fields = differing(here, there);
    if (fields.length === 0) return twice;
    const say = (card: PlainCard): string => fields.map((name) => WORDS[name](card)).join(', ');
    return [...twice, `“${there.title}” is shown ${say(here)}. On the server it is ${say(there)}.`];
  });
  if (
    wants === null
      ? saved
      : Object.entries(wants).some(([name, value]) => saved?.[name as keyof PlainCard] !== value)
  )
    lines.push(loss);
  return {
    isRight: lines.length === 0,
    lines: lines.length === 0 ? [gain] : lines,
  };
}

/** What a response has done to a board; `rows` are those of a list. Empty for an answer to a write that has changed nothing. */
export function describeEffect(
  before: readonly PlainCard[],
  after: readonly PlainCard[],
  rows: readonly PlainCard[] | null,
): string {
  const changes = [...new Set([...before, ...after].map(({ id }) => id))].flatMap((id) => {
    const [old, now] = [before, after].map((cards) => cards.find((card) => card.id === id));
    if (!old) return now ? [`“${now.title}” appears`] : [];
    if (!now) return [`“${old.title}” disappears`];
    return differing(old, now).map((name) => `${name === 'status' ? 'back' : 'now'} ${WORDS[name](now)}`);
  });
  if (changes.length > 0 || !rows) return changes.slice(0, 2).join(', ');
  const isShown = (row: PlainCard): boolean =>
    after.some((card) => card.id === row.id && differing(card, row).length === 0);
  return rows.every(isShown) ? 'changes nothing' : 'does not count';
}
