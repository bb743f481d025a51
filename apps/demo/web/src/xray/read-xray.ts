// The data of the X-ray, read from the inspector at one moment: the last requests, the rows that each has changed, the mutations
// in flight by queue, and the size of the store.
import type { describeRequest, Inspector } from 'holdfast/inspect';

export interface Flight {
  readonly id: Inspector.RequestId;
  readonly kind: Inspector.InspectedRequest['kind'];
  readonly name: string;
  readonly about: string;
  readonly outcome: Inspector.InspectedRequest['outcome'];
  /** Why it was sent and how it ended, in sentences; empty until they are loaded. */
  readonly said: string;
  /** How long it took; undefined while it is in flight. */
  readonly tookMs: number | undefined;
  /** The rows and lists that it changed for readers on the page. */
  readonly touched: readonly string[];
}

export interface Queue {
  readonly name: string;
  /** The call that is in flight, in words. */
  readonly sent: string;
  /** The calls behind it, which are sent one at a time. */
  readonly waiting: string;
}

export interface Xray {
  readonly flights: readonly Flight[];
  /** How many responses were not parsed again because they had not changed. */
  readonly unchanged: number;
  readonly queues: readonly Queue[];
  readonly rows: readonly { readonly entity: string; readonly count: number }[];
  readonly readers: number;
}

const FLIGHTS_SHOWN = 7;
const TOUCHED_SHOWN = 4;

export function readXray(inspector: Inspector, describe?: typeof describeRequest): Xray {
  const touchedBy = readTouched(inspector);
  const requests = inspector.requests();
  const flights = requests
    // of the messages of the stream, those that have changed something
    .filter(({ id, kind }) => kind !== 'direct-write' || touchedBy.has(id))
    .slice(-FLIGHTS_SHOWN)
    .toReversed()
    .map((request) => {
      const { id, kind, endpoint, args, outcome, startedAt, endedAt } = request;
      return {
        id,
        kind,
        name: kind === 'direct-write' ? 'stream' : endpoint,
        about: describeCall(args),
        outcome,
        said:
          describe?.(inspector, request)
            .map(({ text }) => text)
            .join(' ') ?? '',
        tookMs: endedAt === undefined ? undefined : endedAt - startedAt,
        touched: [...new Set([...namedRow(inspector, kind, endpoint, args), ...(touchedBy.get(id) ?? [])])]
          .slice(0, TOUCHED_SHOWN)
          .map(shorten),
      };
    });
  return {
    flights,
    unchanged: requests.filter(({ status }) => status === 'not-modified').length,
    queues: readQueues(inspector),
    rows: countRows(inspector),
    readers: inspector.countMounted(),
  };
}

/** The row of a mutation: its optimistic update came before the request, so no reader was notified of a change by it. */
function namedRow(
  inspector: Inspector,
  kind: Inspector.InspectedRequest['kind'],
  endpoint: string,
  [params]: readonly unknown[],
): string[] {
  if (kind !== 'mutation' || typeof params !== 'object' || params === null || !('id' in params)) return [];
  const row = inspector.explainPk(endpoint.split('.')[0] ?? '', String(params.id));
  return row.found === 'entity' ? [`${row.entity} ${row.pk}`] : [];
}

function countRows(inspector: Inspector): Xray['rows'] {
  const counts = new Map<string, number>();
  for (const { entity } of inspector.findRows()) counts.set(entity, (counts.get(entity) ?? 0) + 1);
  return [...counts].map(([entity, count]) => ({ entity, count }));
}

/** `list of Issue where projectId=LTH status=doing` without the names. */
function shorten(what: string): string {
  return what.replace(/^list of (\w+)(?: where)?/, '$1 list').replaceAll(/\w+=/g, '');
}

/** The rows and lists that each request changed, from the notifications of readers. */
function readTouched(inspector: Inspector): Map<Inspector.RequestId, Set<string>> {
  const touched = new Map<Inspector.RequestId, Set<string>>();
  for (const { reasons } of inspector.wakes())
    for (const reason of reasons) {
      if (!('what' in reason) || reason.by === undefined || reason.what === '') continue;
      const names = touched.get(reason.by) ?? new Set();
      touched.set(reason.by, names.add(reason.what));
    }
  return touched;
}

function readQueues(inspector: Inspector): Queue[] {
  const calls = inspector.writes().map(({ endpoint, args, status, standsIn }) => ({
    queue: standsIn[0] ?? 'no queue',
    text: describeArgs(args.slice(1)) || `${endpoint} ${describeArgs(args)}`,
    isSent: status === 'sent',
  }));
  return [...new Set(calls.map(({ queue }) => queue))].map((name) => {
    const textOf = (isSent: boolean): string =>
      calls
        .flatMap((call) => (call.queue === name && call.isSent === isSent ? call.text : []))
        .join(', then ');
    return { name, sent: textOf(true), waiting: textOf(false) };
  });
}

/** The subject of a call: the values of its parameters, and the fields that it sends. */
function describeCall([params, ...rest]: readonly unknown[]): string {
  const values = Object.entries(Object(params) as object) // cast: a value of any kind as an object
    .filter(([name, value]) => name !== 'orderBy' && value !== undefined)
    .map(([, value]) => String(value));
  return [...values, describeArgs(rest)].filter(Boolean).join(', ');
}

/** The arguments of a call in few words: `status: review, rank: a1`. */
export function describeArgs(args: readonly unknown[]): string {
  return args
    .filter((arg) => typeof arg === 'object' && arg !== null)
    .flatMap((arg) => Object.entries(arg))
    .filter(([name, value]) => name !== 'rank' && value !== undefined)
    .map(([name, value]) => (name === 'id' ? String(value) : `${name}: ${String(value)}`))
    .join(', ');
}
