// The payload of the rendering scenarios: issues, each with one of a few shared authors and two shared labels.
import { createRandom, createWords } from './random.ts';

export interface PersonRow {
  readonly id: string;
  readonly name: string;
}

export interface LabelRow {
  readonly id: string;
  readonly name: string;
}

export interface IssueRow {
  readonly id: string;
  readonly title: string;
  readonly state: string;
  readonly votes: number;
  readonly author: PersonRow;
  readonly labels: readonly LabelRow[];
}

/** Every author of 1,000 issues has written 50 of them. */
const AUTHORS = 20;
const LABELS = 10;

export function createPersonRow(index: number): PersonRow {
  return { id: `person-${index}`, name: createWords(createRandom(500 + index), 2) };
}

function createLabelRow(index: number): LabelRow {
  return { id: `label-${index}`, name: createWords(createRandom(600 + index), 1) };
}

export function createIssueRow(index: number): IssueRow {
  const random = createRandom(40_000 + index);
  return {
    id: `issue-${String(index).padStart(6, '0')}`,
    title: createWords(random, 6),
    state: random(2) === 0 ? 'open' : 'closed',
    votes: random(10_000),
    author: createPersonRow(index % AUTHORS),
    labels: [createLabelRow(random(LABELS)), createLabelRow(random(LABELS))],
  };
}

export function createIssueRows(count: number): IssueRow[] {
  return Array.from({ length: count }, (_, index) => createIssueRow(index));
}

/** The sorted view: most votes first. */
export function sortByVotes<Row extends { votes: number }>(rows: readonly Row[]): Row[] {
  return rows.toSorted((left, right) => right.votes - left.votes);
}
