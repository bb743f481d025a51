// What the inspector says of a race, in its own sentences.
import { describeField, describeMember, describeRequest, describeRow, describeWrite } from 'holdfast/inspect';
import type { Inspector, Sentence } from 'holdfast/inspect';
import { Issue, IssueResource } from '../resources/issue.ts';

const textOf = (sentences: readonly Sentence[]): string => sentences.map(({ text }) => text).join(' ');

function findIssue(inspector: Inspector, id: string): Inspector.ExplainedRow | undefined {
  const row = inspector.explain(Issue, { id });
  return row.found === 'entity' ? row : undefined;
}

/** Why a field of an issue has its value, and which values did not count. */
export function explainField(inspector: Inspector, id: string, name: string): string[] {
  const row = findIssue(inspector, id);
  return row ? [`${name} is ${textOf(describeField(inspector, row, name))}`] : [];
}

/** Whether an issue is deleted, and which responses came too late for it. */
export function explainRow(inspector: Inspector, id: string): string[] {
  const row = findIssue(inspector, id);
  return row ? describeRow(inspector, row).map(({ text }) => text) : [];
}

/** Why an issue is in the list, or why it is not. */
export function explainPlace(
  inspector: Inspector,
  id: string,
  list: Inspector.ExplainedList | undefined,
): string[] {
  const row = findIssue(inspector, id);
  return row && list ? [describeMember(inspector, list, row).text] : [];
}

/** The stored list of these arguments, as it is now. */
export function findList(
  inspector: Inspector,
  ...args: Parameters<typeof IssueResource.getList>
): Inspector.ExplainedList | undefined {
  const told = inspector.explain(IssueResource.getList, ...args);
  return told.found === 'answer' ? told.collections[0] : undefined;
}

/** The rule by which a value of the field lost last. */
export function lostRule(inspector: Inspector, id: string, name: string): string | undefined {
  return findIssue(inspector, id)?.fields[name]?.lost[0]?.rule;
}

/** The mutations in flight, one line each, in the order of calls. */
export function explainWrites(inspector: Inspector): string[] {
  return inspector.writes().map((write) => describeWrite(write).text);
}

/** When each change of an issue was sent, and how it ended. */
export function explainOrder(inspector: Inspector, id: string): string[] {
  const isOf = (params: unknown): boolean =>
    typeof params === 'object' && params !== null && 'id' in params && params.id === id;
  return inspector
    .requests()
    .filter(({ kind, args }) => kind === 'mutation' && isOf(args[0]))
    .map((request) => textOf(describeRequest(inspector, request)));
}

/** Why the last request of an endpoint was sent, and how it ended. */
export function explainEnd(inspector: Inspector, endpoint: string): string[] {
  const request = inspector.requests().findLast((one) => one.endpoint === endpoint);
  return request ? [textOf(describeRequest(inspector, request))] : [];
}
