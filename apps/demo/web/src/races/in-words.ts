// The explanations of the inspector as sentences: the source of each field, and what lost to it by which rule.
import type { Inspector } from 'holdfast/inspect';
import { Issue } from '../resources/issue.ts';
import { describeArgs } from '../xray/read-xray.ts';

const plain = (rule: string): string => rule.replaceAll('-', ' ');

function nameOf(inspector: Inspector, id: Inspector.RequestId | undefined): string {
  const request = id === undefined ? undefined : inspector.whyFetched(id);
  if (request?.found !== 'request') return 'a forgotten request';
  return request.kind === 'direct-write'
    ? 'a message of the stream'
    : `${request.endpoint}, sent at ${timeOf(request.startedAt)}`;
}

const timeOf = (ms: number): string => new Date(ms).toISOString().slice(14, 23);

/** The source of a field of an issue, and the values that lost. */
export function explainField(inspector: Inspector, id: string, name: string): string[] {
  const row = inspector.explain(Issue, { id });
  if (row.found !== 'entity') return row.found === 'nothing' ? [row.why] : [];
  const field = row.fields[name];
  if (!field) return [];
  return [
    `${name} is “${String(field.value)}”, ${plain(field.how)} by ${nameOf(inspector, field.from)}`,
    ...field.lost
      .slice(0, 1)
      .map(
        ({ value, from, rule }) => `“${String(value)}” from ${nameOf(inspector, from)} lost: ${plain(rule)}`,
      ),
  ];
}

/** The rule by which a value of the field lost last. */
export function lostRule(inspector: Inspector, id: string, name: string): string | undefined {
  const row = inspector.explain(Issue, { id });
  return row.found === 'entity' ? row.fields[name]?.lost[0]?.rule : undefined;
}

/** The mutations in flight, one line each, in the order of calls. */
export function explainWrites(inspector: Inspector): string[] {
  return inspector
    .writes()
    .map(({ endpoint, status, waitsFor, standsIn }) =>
      waitsFor === undefined
        ? `${endpoint} is ${status}, in the queue ${standsIn.join(', ')}`
        : `${endpoint} waits for ${waitsFor}, in the queue ${standsIn.join(', ')}`,
    );
}

/** When each change of an issue was sent and got its response. */
export function explainOrder(inspector: Inspector, id: string): string[] {
  const isOf = (params: unknown): boolean =>
    typeof params === 'object' && params !== null && 'id' in params && params.id === id;
  return inspector
    .requests()
    .filter(({ kind, args }) => kind === 'mutation' && isOf(args[0]))
    .map(({ args, startedAt, endedAt, status }) => {
      const end = endedAt === undefined ? '' : ` at ${timeOf(endedAt)}`;
      return `${describeArgs(args.slice(1))}: sent at ${timeOf(startedAt)}, ${plain(status)}${end}`;
    });
}

/** How the last request of an endpoint ended. */
export function explainEnd(inspector: Inspector, endpoint: string): string {
  const request = inspector.requests().findLast((one) => one.endpoint === endpoint);
  if (!request) return `No ${endpoint} is remembered.`;
  return `${endpoint}: ${plain(request.status)}${request.error ? `, ${request.error}` : ''}`;
}
