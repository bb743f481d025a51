// Makes names for people: names of calls, effects, readers, rows, lists, values, times and time spans. No name contains the key of
// a request or of a list.
import type { ExplainedList, ExplainedRow } from './explanation.types.ts';
import type { InspectedRequest, InspectedWake } from './inspected.types.ts';

/**
 * Whether the value is an object but not an array, as arguments and bodies are. `isRecord` is not used, because the code of the
 * panel imports nothing of the core.
 */
export function isNamedValues(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** How many characters of a value are shown. */
const MOST_CHARACTERS = 120;

/** `3 s`: a time span in milliseconds, seconds, minutes or hours. */
export function nameSpan(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 1) return `${Math.max(0, Math.round(ms))} ms`;
  if (seconds < 90) return `${Math.round(seconds)} s`;
  const minutes = seconds / 60;
  return minutes < 90 ? `${Math.round(minutes)} min` : `${Math.round(minutes / 60)} h`;
}

/** `12:04:11`: a time of day, in the time zone of the device. */
export function nameTime(ms: number): string {
  return new Date(ms).toTimeString().slice(0, 8);
}

/** The value in one line, shortened if it is long. */
export function nameValue(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (value === '') return 'an empty text';
  let text: string;
  try {
    text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  } catch {
    text = String(value);
  }
  const short = text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
  return typeof value === 'string' ? `“${short}”` : short;
}

/** `Issues` for `Issue`. */
function nameMany(entity: string): string {
  if (/[^aeiou]y$/i.test(entity)) return `${entity.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/i.test(entity) ? `${entity}es` : `${entity}s`;
}

/** `project LTH` for the argument `projectId: 'LTH'`, and only the value for an argument `id`. */
function nameArgument(name: string, value: unknown): string {
  const text = typeof value === 'string' ? value : nameValue(value);
  const words = name
    .replace(/_?Id$|_id$/, '')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
  return name === 'id' ? text : `${words} ${text}`;
}

/**
 * The entries are sorted, so that a call and its list have the same name. An order comes last, because the end of a long name is
 * cut.
 */
function nameEntries(entries: readonly (readonly [string, unknown])[]): string[] {
  return entries
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => [name.replace(/^order/, '~'), nameArgument(name, value)] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, text]) => text);
}

function nameArguments(given: unknown): string[] {
  if (!isNamedValues(given)) return given === undefined || given === null ? [] : [nameValue(given)];
  return nameEntries(Object.entries(given));
}

/** The names of endpoints that create a row. */
const CREATING = /\.(?:push|unshift|assign|create)$/;

/** The words for the effect of a mutation on its row, from the endpoint's name and method. */
export function nameEffect({ endpoint, method }: Pick<InspectedRequest, 'endpoint' | 'method'>): string {
  if (CREATING.test(endpoint)) return 'created it';
  return method === 'DELETE' ? 'deleted it' : 'changed it';
}

/** `title and status`: the fields that a mutation sends, or their number if there are more than three; empty if there are none. */
function nameSent(args: readonly unknown[]): string {
  const body = args.length > 1 ? args.at(-1) : undefined;
  const names = isNamedValues(body) ? Object.keys(body) : [];
  return names.length > 3 ? `${names.length} fields` : names.join(' and ');
}

/** `Issue 5`: the row that the arguments of a call identify; `the new Issue` for a local id. */
function nameOne(entity: string, given: unknown): string {
  const about = nameArguments(given);
  const isDraft = isNamedValues(given) && String(given['id']).startsWith('local:');
  if (isDraft) return `the new ${entity}`;
  return [entity, ...about].join(isNamedValues(given) && 'id' in given && about.length === 1 ? ' ' : ' · ');
}

/** `Issues · project LTH · status doing`, `Issue 5`, `change of title of Issue 5`: a call in words. */
export function nameCall(request: Pick<InspectedRequest, 'endpoint' | 'args' | 'method' | 'kind'>): string {
  const { endpoint, args, kind, method } = request;
  if (kind === 'direct-write') return 'message';
  const [entity = '', ...rest] = endpoint.split('.');
  const [given] = args;
  if (rest.join() === 'getList') return [nameMany(entity), ...nameArguments(given)].join(' · ');
  if (rest.join() === 'get') return nameOne(entity, given);
  if (kind === 'mutation' && rest.length > 0) {
    if (CREATING.test(endpoint))
      return `creation of ${[`a ${entity}`, ...(args.length > 1 ? nameArguments(given) : [])].join(' · ')}`;
    if (method === 'DELETE') return `deletion of ${nameOne(entity, given)}`;
    if (/\.(?:partialU|u)pdate$/.test(endpoint))
      return ['change', nameSent(args), nameOne(entity, given)].filter(Boolean).join(' of ');
  }
  return [endpoint || 'a call', ...nameArguments(given)].join(' · ');
}

/** `Board · Issues · project LTH`: a reader on the page, by its components and its call. */
export function nameReader({
  components,
  endpoint,
  args,
}: Pick<InspectedWake, 'components' | 'endpoint' | 'args'>): string {
  const call = endpoint ? nameCall({ endpoint, args, kind: 'read', method: '' }) : 'a query';
  return [...components, call].join(' · ');
}

/** `Issues · project LTH · status doing`: a list in words. */
export function nameList({ entity, arguments: given }: Pick<ExplainedList, 'entity' | 'arguments'>): string {
  return [nameMany(entity), ...nameArguments(given)].join(' · ');
}

/** The fields that name a row to people. The first that has a text is used. */
const TITLES = ['title', 'name', 'label', 'subject', 'displayName', 'email', 'login', 'text', 'body'];

/** `Issue 5 “Paint the hull”`: a row in words. */
export function nameRow({ entity, pk, fields }: Pick<ExplainedRow, 'entity' | 'pk' | 'fields'>): string {
  const title = TITLES.map((name) => fields[name]?.value).find((value) => value && typeof value === 'string');
  return title === undefined ? `${entity} ${pk}` : `${entity} ${pk} ${nameValue(title)}`;
}

/** The name of a row or list in an explanation, in words: `list of Issue where status=doing` becomes `Issues · status doing`. */
export function nameNode(what: string): string {
  const [, entity, given] = /^list of (\S+)(?: where (.*))?$/.exec(what) ?? [];
  if (entity === undefined) return what || 'Something';
  const named = (given ?? '')
    .split(' ')
    .map((text) => (/^(\w+)=(.*)$/.exec(text) ?? []).slice(1) as [string, string]); // cast: no other text has two groups
  return [nameMany(entity), ...nameEntries(named)].join(' · ');
}
