// Puts the explanations of an inspector into the sentences of sentences.ts: a field, a row, a request, a reason to be stale, a
// notification, and the place of a row in a list. The panel calls these functions, and so may an application.
import type {
  ExplainedField,
  ExplainedLeave,
  ExplainedList,
  ExplainedMember,
  ExplainedRow,
  LostValue,
  NothingKnown,
  RequestId,
  StaleReason,
} from './explanation.types.ts';
import type { InspectedRequest, InspectedWake, InspectedWrite, WakeReason } from './inspected.types.ts';
import { isRecord } from '../../support/plain.ts';
import { nameCall, nameDeed, nameNode, nameSpan, nameTime, nameValue } from './names.ts';
import { LOST_BECAUSE, SENTENCES } from './sentences.ts';

/**
 * A part of a sentence. `request` is set where the part speaks of a request; `isValue` where it is a value.
 *
 * @example
 * const idsOf = (parts: readonly Sentence.Part[]) => parts.flatMap(({ request }) => request ?? []);
 */
export interface SentencePart {
  readonly text: string;
  readonly request?: RequestId | undefined;
  readonly isValue?: boolean;
}

/**
 * A sentence of the inspector, as text and in parts.
 *
 * @example
 * const print = ({ text }: Sentence) => console.log(text);
 * inspect().requests().flatMap((request) => describeRequest(inspect(), request)).forEach(print);
 */
export interface Sentence {
  readonly text: string;
  readonly parts: readonly SentencePart[];
}

export declare namespace Sentence {
  export type { SentencePart as Part, SentenceSource as Source };
}

/**
 * Finds the requests that a sentence mentions: an inspector.
 *
 * @example
 * const source: Sentence.Source = inspect();
 */
export interface SentenceSource {
  whyFetched(id: RequestId): InspectedRequest | NothingKnown;
}

/** The names in braces of a template. */
type Slots<T> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | Slots<Rest> : never;

type Filling = string | SentencePart | readonly SentencePart[];

function fill(template: string, given: Readonly<Record<string, Filling>>): SentencePart[] {
  return template
    .split(/\{(\w+)\}/)
    .flatMap((text, at) => (at % 2 === 0 ? { text } : toParts(given[text] ?? '')))
    .filter(({ text }) => text !== '');
}

const toParts = (filling: Filling): readonly SentencePart[] =>
  typeof filling === 'string' ? [{ text: filling }] : [filling].flat();

/** A sentence of the table; the compiler checks that each name in braces is given. */
function say<N extends keyof typeof SENTENCES>(
  name: N,
  given: Readonly<Record<Slots<(typeof SENTENCES)[N]>, Filling>>,
): Sentence {
  const [first, ...rest] = fill(SENTENCES[name], given);
  // a sentence begins with a capital letter, a value as it is
  const start =
    first && !first.isValue ? { ...first, text: first.text[0]!.toUpperCase() + first.text.slice(1) } : first; // no part is empty
  const parts = start ? [start, ...rest] : rest;
  return { text: parts.map(({ text }) => text).join(''), parts };
}

const asValue = (value: unknown): SentencePart => ({ text: nameValue(value), isValue: true });

function find(source: SentenceSource, id: RequestId | undefined): InspectedRequest | undefined {
  const request = id === undefined ? undefined : source.whyFetched(id);
  return request?.found === 'request' ? request : undefined;
}

/** The parts of a sentence that speak of a request; of a forgotten one, only that it is forgotten. */
function about(request: InspectedRequest | undefined): { time: SentencePart; call: SentencePart } {
  if (!request) return { time: { text: 'a forgotten time' }, call: { text: 'forgotten request' } };
  const { id, startedAt, endedAt } = request;
  return {
    time: { text: nameTime(endedAt ?? startedAt), request: id },
    call: { text: nameCall(request), request: id },
  };
}

// ── a field and a row ────────────────────────────────────────────────────────────────────────────

/** Whether the body of the call has the field: then the user gave the value. */
const isSentWith = ({ args }: InspectedRequest, name: string): boolean =>
  args.slice(args.length > 1 ? 1 : 0).some((given) => isRecord(given) && Object.hasOwn(given, name));

function describeSource(source: SentenceSource, name: string, field: ExplainedField): Sentence {
  const { from, how, guesses } = field;
  const guess = guesses.at(-1);
  if (guess || how === 'guessed') {
    const request = find(source, guess?.by);
    const value = asValue(field.value);
    if (!request) return say('guessed and waiting', { value });
    return say('guessed', { value, did: nameDeed(request), time: timeOf(request, request.startedAt) });
  }
  const request = find(source, from);
  const given = { value: asValue(field.server), ...about(request) };
  if (!request) return say('made before', given);
  if (how === 'made-by-the-class') return say('made by the class', given);
  if (request.kind === 'direct-write') return say('made by a message', given);
  if (request.kind === 'read') return say('made by a read', given);
  if (!isSentWith(request, name)) return say('made by the response to your change', given);
  const sentAt = timeOf(request, request.startedAt);
  return say('made by your change', { ...given, time: sentAt, did: nameDeed(request) });
}

const timeOf = ({ id }: InspectedRequest, ms: number): SentencePart => ({ text: nameTime(ms), request: id });

function describeLoss(source: SentenceSource, { from, to, rule, value }: LostValue): Sentence {
  const loser = find(source, from);
  const winner = find(source, to);
  const call = { ...about(winner).call };
  const given = { other: asValue(value), why: fill(LOST_BECAUSE[rule], { call }) };
  const startedAt = loser?.startedAt ?? Infinity;
  if (loser?.kind === 'read' && winner?.kind === 'mutation' && startedAt <= (winner.endedAt ?? 0)) {
    const who = { text: 'A response', request: from };
    return say('lost, requested sooner', {
      ...given,
      who,
      ago: nameSpan((winner.endedAt ?? 0) - startedAt),
    });
  }
  const who = loser?.kind === 'mutation' ? 'The response to a change' : 'A message';
  const time = loser ? timeOf(loser, startedAt) : about(loser).time;
  return loser?.kind === 'read'
    ? say('lost, requested', { ...given, time })
    : say('lost', { ...given, who, time });
}

/**
 * Why a field has its value, which values did not count, which response said the same, and what the value was before.
 *
 * @example
 * const inspector = inspect();
 * const row = inspector.explain(Todo, { id: '5' });
 * if (row.found === 'entity') console.log(describeField(inspector, row, 'title').map(({ text }) => text).join(' '));
 */
export function describeField(source: SentenceSource, row: ExplainedRow, name: string): Sentence[] {
  const field = row.fields[name];
  if (!field) return [];
  const { confirmed, history, lost, guesses, server } = field;
  const sentences = [describeSource(source, name, field)];
  if (guesses.length > 0) sentences.push(say('the server still says', { other: asValue(server) }));
  sentences.push(...lost.map((loss) => describeLoss(source, loss)));
  const latest = find(source, confirmed[0]);
  if (latest) sentences.push(say('confirmed', { time: about(latest).time }));
  const [earlier] = history;
  if (earlier) {
    const maker = find(source, earlier.from);
    const other = asValue(earlier.value);
    sentences.push(
      maker ? say('history', { other, time: about(maker).time }) : say('history before', { other }),
    );
  }
  return sentences;
}

/**
 * What is to be said of a whole row: whether it is deleted, why it is stale, and which responses came too late.
 *
 * @example
 * const inspector = inspect();
 * const row = inspector.explain(Todo, { id: '5' });
 * if (row.found === 'entity') describeRow(inspector, row).forEach(({ text }) => console.log(text));
 */
export function describeRow(source: SentenceSource, row: ExplainedRow): Sentence[] {
  const late = row.late.map(({ from, rule }) => {
    const { time, call } = about(find(source, from));
    return say('late', { time, why: fill(LOST_BECAUSE[rule], { call }) });
  });
  const stale = row.stale.map((reason) => describeStale(source, reason));
  return [...(row.isDeleted ? [say('deleted', {})] : []), ...late, ...stale];
}

/**
 * Why data is stale or absent.
 *
 * @example
 * const inspector = inspect();
 * const reasons = inspector.whyStale(TodoResource.getList);
 * if (Array.isArray(reasons)) reasons.forEach((reason) => console.log(describeStale(inspector, reason).text));
 */
export function describeStale(source: SentenceSource, reason: StaleReason): Sentence {
  const { rule } = reason;
  if (rule === 'lifetime-over') return say(rule, { time: nameTime(reason.since) });
  if (rule === 'failed')
    return reason.times > 1 ? say('failed often', { count: String(reason.times) }) : say(rule, {});
  if (rule === 'summary-only') return say(rule, { fields: reason.absent.join(', ') || 'some of it' });
  if (!('what' in reason)) return say(reason.rule, {});
  const what = nameNode(reason.what);
  const request = find(source, reason.by);
  const given = { what, ...about(request) };
  if (reason.rule !== 'left-open-by-an-answer' || !request || request.kind === 'mutation')
    return say(reason.rule, given);
  return say(request.kind === 'read' ? 'left-open-by-a-read' : 'left-open-by-a-message', given);
}

// ── a request ────────────────────────────────────────────────────────────────────────────────────

/**
 * What was requested or sent and when, why, and how it ended.
 *
 * @example
 * const inspector = inspect();
 * for (const request of inspector.requests())
 *   console.log(describeRequest(inspector, request).map(({ text }) => text).join(' '));
 */
export function describeRequest(source: SentenceSource, request: InspectedRequest): Sentence[] {
  const { id, kind, cause, reasons, startedAt } = request;
  const given = { call: { text: nameCall(request), request: id }, time: nameTime(startedAt) };
  if (kind === 'direct-write') return [say('a message', given)];
  const isRead = kind === 'read';
  return [
    say(isRead ? 'requested' : 'sent', given),
    say(isRead || cause !== 'call' ? cause : 'your change', {}),
    ...reasons.map((reason) => describeStale(source, reason)),
    describeEnd(request),
  ];
}

/**
 * Whether a mutation is on its way, or waits for another one.
 *
 * @example
 * const inspector = inspect();
 * for (const write of inspector.writes()) console.log(describeWrite(write).text);
 */
export function describeWrite(write: InspectedWrite): Sentence {
  const call = { text: nameCall({ ...write, kind: 'mutation' }), request: write.by };
  return say(write.status === 'waiting' ? 'waiting' : 'on its way', { call });
}

function describeEnd({ outcome, httpStatus, startedAt, endedAt = startedAt }: InspectedRequest): Sentence {
  const ago = nameSpan(endedAt - startedAt);
  if (outcome !== 'failed') return say(outcome, { ago });
  if (httpStatus === undefined) return say('no response', { ago });
  return say(httpStatus < 500 ? 'refused' : 'broken', { ago, count: String(httpStatus) });
}

// ── a notification of a reader ───────────────────────────────────────────────────────────────────

/**
 * Which reader was notified, and why.
 *
 * @example
 * const inspector = inspect();
 * for (const wake of inspector.wakes())
 *   console.log(describeWake(inspector, wake).map(({ text }) => text).join(' '));
 */
export function describeWake(source: SentenceSource, wake: InspectedWake): Sentence[] {
  const { at, components, endpoint, args, reasons } = wake;
  const name = endpoint ? nameCall({ endpoint, args, kind: 'read', method: '' }) : 'a query';
  const names = components.join(', ') || `A reader of ${name}`;
  const because = reasons.map((reason) => describeWakeReason(source, reason));
  const rendered = say('rendered', { who: names, time: nameTime(at) });
  return [rendered, ...(because.length > 0 ? because : [say('by something else', {})])];
}

const WAKE_SENTENCES = {
  'failure': 'by its failure',
  'invalidated': 'by invalidation',
  'aged': 'by staleness',
  'request': 'by a request',
  'time-passed': 'by time',
  'store-was-reset': 'by a reset',
} as const;

function describeWakeReason(source: SentenceSource, reason: WakeReason): Sentence {
  const { call } = about(find(source, reason.by));
  if (reason.rule === 'answer') return say('by its response', { call });
  if (!('what' in reason)) return say(WAKE_SENTENCES[reason.rule], {});
  const what = nameNode(reason.what);
  const { rule, fields: names } = reason;
  if (rule === 'forgotten') return say('by removal', { what });
  if (rule === 'restored') return say('by a saved state', { what });
  const fields = names.length > 0 ? ` (${names.join(', ')})` : '';
  return rule === 'changed'
    ? say('by a change', { what, fields, call })
    : say('by an optimistic update', { what, fields });
}

// ── a row in a list ──────────────────────────────────────────────────────────────────────────────

/**
 * Why a row is in a list, or why it is not.
 *
 * @example
 * const inspector = inspect();
 * const [list] = inspector.lists();
 * const row = inspector.explain(Todo, { id: '5' });
 * if (list && row.found === 'entity') console.log(describeMember(inspector, list, row).text);
 */
export function describeMember(
  source: SentenceSource,
  list: ExplainedList,
  row: Pick<ExplainedRow, 'entity' | 'pk'> & Partial<Pick<ExplainedRow, 'fields' | 'isDeleted'>>,
): Sentence {
  const isIt = ({ entity, pk }: ExplainedMember | ExplainedLeave): boolean =>
    entity === row.entity && pk === row.pk;
  const member = list.items.find(isIt);
  if (member) return say(`in: ${member.how}`, about(find(source, member.by)));
  const leave = list.gone.find(isIt);
  if (leave) return say(`out: ${leave.how}`, about(find(source, leave.by)));
  if (row.isDeleted) return say('deleted', {});
  if (list.membership === 'by-the-server') return say('out: by the server', {});
  for (const [name, wanted] of Object.entries(list.arguments)) {
    const field = row.fields?.[name];
    if (!field || String(field.value) === wanted) continue;
    return say('out: does not match', { fields: name, value: asValue(field.value), other: asValue(wanted) });
  }
  return say(list.more === 'none' ? 'out: not seen' : 'out: unloaded', {});
}

/**
 * How a list is ordered, who decides what belongs in it, and which part of it is loaded.
 *
 * @example
 * const inspector = inspect();
 * for (const list of inspector.lists()) console.log(describeList(list).map(({ text }) => text).join(' '));
 */
export function describeList({ order, membership, more, rest }: ExplainedList): Sentence[] {
  const loaded = [say(`more: ${more}`, {}), ...(rest ? [say('rest', { count: String(rest) })] : [])];
  return [say(`order: ${order}`, {}), say(`members: ${membership}`, {}), ...loaded];
}
