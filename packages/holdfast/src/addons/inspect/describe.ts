// Puts the explanations of an inspector into the sentences of sentences.ts: a field, a row, a request, a pending mutation, a reason
// to be stale, a notification, a list, and the place of a row in a list. The panel calls these functions, and so may an
// application.
import type {
  ExplainedField,
  ExplainedLeave,
  ExplainedList,
  ExplainedMember,
  ExplainedRow,
  Guess,
  LostRule,
  NothingKnown,
  RequestId,
  StaleReason,
} from './explanation.types.ts';
import type { InspectedRequest, InspectedWake, InspectedWrite, WakeReason } from './inspected.types.ts';
import {
  isNamedValues,
  nameCall,
  nameEffect,
  nameNode,
  nameReader,
  nameSpan,
  nameTime,
  nameValue,
} from './names.ts';
import { LOST_BECAUSE, SENTENCES, WHO } from './sentences.ts';

/**
 * A part of a sentence. `request` is the request to which the part refers, for example by a name or a time; undefined for other
 * parts. `isValue` is true if the part is a value.
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

/** Any reason to be stale. A property that the reason lacks is undefined. */
interface AnyReason {
  readonly rule: StaleReason['rule'];
  readonly since?: number;
  readonly times?: number;
  readonly absent?: readonly string[];
  readonly what?: string;
  readonly by?: RequestId | undefined;
}

/** The names in braces of a template. */
type Placeholders<T> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholders<Rest> : never;

type Filling = string | SentencePart | readonly SentencePart[];

/** The parts of the text; empty parts are left out. */
const toParts = (filling: Filling): readonly SentencePart[] =>
  (typeof filling === 'string' ? [{ text: filling }] : [filling].flat()).filter(({ text }) => text);

const fill = (template: string, given: Readonly<Record<string, Filling>>): SentencePart[] =>
  template.split(/[{}]/).flatMap((text, at) => toParts(at % 2 ? given[text]! : text)); // see `say`

/** The sentence with this name in SENTENCES, with its braces replaced. The compiler checks that each name in braces is given. */
function say<N extends keyof typeof SENTENCES>(
  name: N,
  ...[given]: [Placeholders<(typeof SENTENCES)[N]>] extends [never]
    ? []
    : [given: Readonly<Record<Placeholders<(typeof SENTENCES)[N]>, Filling>>]
): Sentence {
  const parts = fill(SENTENCES[name], given ?? {});
  const [first] = parts;
  // A sentence begins with a capital letter; a value is not changed.
  if (first && !first.isValue)
    parts[0] = { ...first, text: first.text[0]!.toUpperCase() + first.text.slice(1) }; // no part is empty
  return { text: parts.map(({ text }) => text).join(''), parts };
}

/** The reason why there is no explanation. A caller without types may pass any value instead of an explanation. */
const describeNothing = (given: unknown): Sentence[] => {
  const { why: text = SENTENCES['no explanation'] } = Object(given) as Partial<NothingKnown>;
  return [{ text, parts: [{ text }] }];
};

const asValue = (value: unknown, request?: RequestId): SentencePart => ({
  text: nameValue(value),
  isValue: true,
  request,
});

/** The words for a request in the sentences. */
interface RequestInWords {
  /** The request; undefined if it is forgotten or was never known. */
  readonly request: InspectedRequest | undefined;
  /** The time at which the request was sent. */
  readonly sentAt: SentencePart;
  /** The time at which the request ended; while it is in flight, the time at which it was sent. */
  readonly time: SentencePart;
  /** The request in words: `change of title of Todo 5`. */
  readonly call: SentencePart;
  /** The words that name the request as the cause of a change: `the change of title of Todo 5`, `the response with Todo 5`. */
  readonly by: readonly SentencePart[];
}

function putInWords(source: SentenceSource, id: RequestId | undefined): RequestInWords {
  const found = id === undefined ? undefined : source.whyFetched(id);
  const request = found?.found === 'request' ? found : undefined;
  const part = (text: string): SentencePart => ({ text, request: request?.id });
  const timeOf = (ms: number | undefined): SentencePart =>
    part(ms === undefined ? 'a forgotten time' : nameTime(ms));
  const call = part(request ? nameCall(request) : 'forgotten request');
  return {
    request,
    sentAt: timeOf(request?.startedAt),
    time: timeOf(request?.endedAt ?? request?.startedAt),
    call,
    by: [{ text: request?.kind === 'read' ? 'the response with ' : request ? 'the ' : 'a ' }, call],
  };
}

// ── a field and a row ────────────────────────────────────────────────────────────────────────────

/** Whether the body of the call, or its only argument, has the field, so that the user gave the value. */
const isSentWith = ({ args }: InspectedRequest, name: string): boolean =>
  args.slice(args.length > 1 ? 1 : 0).some((given) => isNamedValues(given) && Object.hasOwn(given, name));

function describeGuess(source: SentenceSource, value: unknown, guess: Guess): Sentence[] {
  const { request, sentAt } = putInWords(source, guess.by);
  const did = request ? [{ text: `${nameEffect(request)} at ` }, sentAt] : 'changed it';
  return [
    say('guessed', { value: asValue(value), did }),
    say(`write: ${guess.status}`, { by: 'the change' }),
  ];
}

function describeSource(source: SentenceSource, name: string, field: ExplainedField): Sentence {
  const { from, how } = field;
  const inWords = putInWords(source, from);
  const { request } = inWords;
  const given = { ...inWords, value: asValue(field.server) };
  if (!request) return say('before', given);
  if (how === 'made-by-the-class') return say('class', given);
  if (request.kind === 'direct-write') return say('message', given);
  if (request.kind === 'read') return say('read', given);
  return isSentWith(request, name)
    ? say('yours', { ...given, time: inWords.sentAt, did: nameEffect(request) })
    : say('your response', given);
}

/** The reason why a value, or the whole response, does not count. */
const whyLost = (
  source: SentenceSource,
  { rule, to }: { rule: LostRule['rule']; to?: RequestId | undefined },
): SentencePart[] => fill(LOST_BECAUSE[rule], { by: putInWords(source, to).by });

/** The words for the request whose value does not count. */
function whoLost(source: SentenceSource, from: RequestId, to?: RequestId): SentencePart[] {
  const { request, sentAt: time, by } = putInWords(source, from);
  const winner = putInWords(source, to).request;
  const sooner = (winner?.endedAt ?? 0) - (request?.startedAt ?? Infinity);
  const kind = request?.kind ?? 'direct-write';
  const isSooner = kind === 'read' && winner?.kind === 'mutation' && sooner >= 0;
  const who = { text: 'A response', request: from };
  return fill(WHO[isSooner ? 'sooner' : kind], { who, time, by, ago: nameSpan(sooner) });
}

/**
 * Describes why a field has its value, which value of the server an optimistic update hides, which values were not stored, which
 * response or message repeated the value, and what the value was before.
 *
 * @example
 * const inspector = inspect();
 * const row = inspector.explain(Todo, { id: '5' });
 * if (row.found === 'entity') console.log(describeField(inspector, row, 'title').map(({ text }) => text).join(' '));
 */
export function describeField(
  source: SentenceSource,
  row: ExplainedRow | NothingKnown,
  name: string,
): Sentence[] {
  if (row?.found !== 'entity') return describeNothing(row);
  const field = row.fields[name];
  if (!field) return [];
  const { confirmed, history, lost, guesses, server } = field;
  const [earlier] = history;
  const { request, time } = putInWords(source, confirmed[0]);
  const guess = guesses.at(-1);
  return [
    ...(guess
      ? [...describeGuess(source, field.value, guess), say('below', { other: asValue(server) })]
      : [describeSource(source, name, field)]),
    ...lost.map((loss) =>
      say('lost', {
        who: whoLost(source, loss.from, loss.to),
        other: asValue(loss.value),
        why: whyLost(source, loss),
      }),
    ),
    ...(request
      ? [say('confirmed', { who: request.kind === 'direct-write' ? 'A message' : 'The response', time })]
      : []),
    ...(earlier ? [say('history', { other: asValue(earlier.value, earlier.from) })] : []),
  ];
}

/**
 * Describes a whole row: whether it is deleted, why it is stale, and which responses came too late.
 *
 * @example
 * const inspector = inspect();
 * const row = inspector.explain(Todo, { id: '5' });
 * if (row.found === 'entity') describeRow(inspector, row).forEach(({ text }) => console.log(text));
 */
export function describeRow(source: SentenceSource, row: ExplainedRow | NothingKnown): Sentence[] {
  if (row?.found !== 'entity') return describeNothing(row);
  return [
    ...(row.isDeleted ? [say('gone')] : []),
    ...row.late.map((loss) => say('late', { who: whoLost(source, loss.from), why: whyLost(source, loss) })),
    ...row.stale.map((reason) => describeStale(source, reason)),
  ];
}

/**
 * Describes why data is stale or absent.
 *
 * @example
 * const inspector = inspect();
 * const reasons = inspector.whyStale(TodoResource.getList);
 * if (Array.isArray(reasons)) reasons.forEach((reason) => console.log(describeStale(inspector, reason).text));
 */
export function describeStale(source: SentenceSource, reason: StaleReason): Sentence {
  const { rule, since, times = 0, absent = [], what = '', by }: AnyReason = reason;
  const inWords = putInWords(source, by);
  const { kind, httpStatus = 500 } = inWords.request ?? {};
  const isRefused = rule === 'write-ended-unknown' && httpStatus < 500;
  const isOfRead = rule === 'left-open-by-an-answer' && kind === 'read';
  const isOften = rule === 'failed' && times > 1;
  return say(
    isRefused ? 'write-refused' : isOfRead ? 'left-open-by-a-read' : isOften ? 'failed often' : rule,
    {
      ...inWords,
      ...(since && { time: nameTime(since) }),
      what: nameNode(what),
      count: String(times),
      fields: absent.join(', ') || 'some of it',
    },
  );
}

// ── a request ────────────────────────────────────────────────────────────────────────────────────

/**
 * Describes what a request has requested or sent, when and why, and how it ended.
 *
 * @example
 * const inspector = inspect();
 * for (const request of inspector.requests())
 *   console.log(describeRequest(inspector, request).map(({ text }) => text).join(' '));
 */
export function describeRequest(
  source: SentenceSource,
  request: InspectedRequest | NothingKnown,
): Sentence[] {
  if (request?.found !== 'request') return describeNothing(request);
  const { id, kind, cause, reasons } = request;
  const { call, by, sentAt: time } = putInWords(source, id);
  if (kind === 'direct-write') return [say('a message', { time })];
  const isRead = kind === 'read';
  return [
    isRead ? say('requested', { call, time }) : say('sent', { by, time }),
    ...(isRead || cause !== 'call' ? [say(cause)] : []),
    ...reasons.map((reason) => describeStale(source, reason)),
    describeEnd(source, request),
  ];
}

/**
 * Describes whether a mutation is in flight, is held back, or waits for another mutation or for a decision about its conflicts.
 *
 * @example
 * const inspector = inspect();
 * for (const write of inspector.writes()) console.log(describeWrite(write).text);
 */
export function describeWrite(write: InspectedWrite): Sentence {
  const call = { text: nameCall({ ...write, kind: 'mutation' }), request: write.by };
  return say(`write: ${write.status}`, { by: [{ text: 'the ' }, call] });
}

function describeEnd(source: SentenceSource, request: InspectedRequest): Sentence {
  const { outcome, httpStatus, lost, startedAt, endedAt = startedAt } = request;
  const given = {
    ago: nameSpan(endedAt - startedAt),
    count: String(httpStatus),
    why: lost ? whyLost(source, lost) : '',
  };
  if (outcome !== 'failed') return say(outcome, given);
  return say(!httpStatus ? 'no response' : httpStatus < 500 ? 'refused' : 'broken', given);
}

// ── a notification of a reader ───────────────────────────────────────────────────────────────────

/**
 * Describes which reader was notified, and why.
 *
 * @example
 * const inspector = inspect();
 * for (const wake of inspector.wakes())
 *   console.log(describeWake(inspector, wake).map(({ text }) => text).join(' '));
 */
export function describeWake(source: SentenceSource, wake: InspectedWake): Sentence[] {
  const { at, components, reasons } = wake;
  const who = components.join(', ') || `A reader of ${nameReader(wake)}`;
  const because = reasons.map((reason) => describeWakeReason(source, reason));
  return [say('rendered', { who, time: nameTime(at) }), ...(because.length > 0 ? because : [say('unknown')])];
}

function describeWakeReason(source: SentenceSource, reason: WakeReason): Sentence {
  const { what, fields: names = [], how } = 'what' in reason ? reason : { what: '' };
  return say(`wake: ${reason.rule}`, {
    by: putInWords(source, reason.by).by,
    what: nameNode(what),
    fields: names.length > 0 ? ` (${names.join(', ')})` : '',
    not: how === 'rolled-back' ? 'no longer ' : '',
  });
}

// ── a row in a list ──────────────────────────────────────────────────────────────────────────────

/**
 * Describes why a row is in a list, or why it is not.
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
  if (member) return say(`in: ${member.how}`, putInWords(source, member.by));
  const leave = list.gone.find(isIt);
  if (leave) return say(`out: ${leave.how}`, putInWords(source, leave.by));
  if (row.isDeleted) return say('gone');
  if (list.membership === 'by-the-server') return say('out: by the server');
  for (const [name, wanted] of Object.entries(list.arguments)) {
    const field = row.fields?.[name];
    if (!field || String(field.value) === wanted) continue;
    return say('out: does not match', { fields: name, value: asValue(field.value), other: asValue(wanted) });
  }
  return say(list.more === 'none' ? 'out: not seen' : 'out: unloaded');
}

/**
 * Describes how a list is ordered, whether the server alone decides which rows belong to it, and which part of it is loaded. The
 * sentences of the option `notes` follow.
 *
 * @example
 * const inspector = inspect();
 * for (const list of inspector.lists()) console.log(describeList(list).map(({ text }) => text).join(' '));
 */
export function describeList({ order, membership, more, rest, notes }: ExplainedList): Sentence[] {
  return [
    say(`order: ${order}`),
    say(`members: ${membership}`),
    say(`more: ${more}`),
    ...(rest ? [say('rest', { count: String(rest) })] : []),
    ...notes,
  ];
}
