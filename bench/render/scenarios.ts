// R1-R7 and their neighbours: what happens on the page, and how one sees in the DOM that it has happened.
import { createIssueRow } from '../payloads/issues.ts';
import type { IssueRow } from '../payloads/issues.ts';
import type { Reading, RenderClient } from './client.ts';

/** Rows on the page and in the cache, given to an action. */
export interface Stage {
  readonly client: RenderClient;
  readonly container: HTMLElement;
  /** What the cache holds, kept up by the actions. */
  readonly rows: IssueRow[];
  readonly shown: number;
}

export interface RenderScenario {
  readonly id: string;
  readonly title: string;
  readonly reading: Reading;
  readonly stored: number;
  readonly quickStored: number;
  /** Rows of the list on the page; all when absent. */
  readonly shown?: number;
  /** Rows with a hook of their own: all, or one row in so many places. */
  readonly places?: number;
  /** Undefined for a mount. Sends the change when called, and gives the test that says it is in the DOM. */
  readonly act?: (stage: Stage, turn: number) => { send: () => void; isDone: () => boolean };
  readonly tooSlow?: readonly string[];
  /** Whether a target is set for its times: it gets more rounds. */
  readonly isJudged?: boolean;
}

function findCell(stage: Stage, id: string, column: number): () => string {
  let row = stage.container.querySelector(`[data-id="${id}"]`);
  return () => {
    if (!row?.isConnected) row = stage.container.querySelector(`[data-id="${id}"]`);
    return row?.children[column]?.textContent ?? '';
  };
}

// A row near the middle: neither end has an advantage.
const pickIndex = (stage: Stage, turn: number) => (Math.floor(stage.shown / 2) + turn * 7) % stage.shown;

function updateTitle(stage: Stage, turn: number) {
  const index = pickIndex(stage, turn);
  const row = { ...(stage.rows[index] as IssueRow), title: `changed ${turn} ${Math.random()}` }; // cast: index < length
  const readTitle = findCell(stage, row.id, 0);
  stage.rows[index] = row;
  return { send: () => stage.client.updateOne(row), isDone: () => readTitle() === row.title };
}

function updateEverywhere(stage: Stage, turn: number) {
  const row = { ...(stage.rows[0] as IssueRow), title: `changed ${turn} ${Math.random()}` }; // cast: not empty
  stage.rows[0] = row;
  const places = [...stage.container.querySelectorAll(`[data-id="${row.id}"]`)];
  return {
    send: () => stage.client.updateOne(row),
    isDone: () => places.every((place) => place.children[0]?.textContent === row.title),
  };
}

function updateAuthor(stage: Stage, turn: number) {
  const { author } = stage.rows[turn % stage.rows.length] as IssueRow; // cast: index < length
  const next = { ...author, name: `renamed ${turn} ${Math.random()}` };
  const cells: (() => string)[] = [];
  stage.rows.forEach((row, index) => {
    if (row.author.id !== author.id) return;
    stage.rows[index] = { ...row, author: next };
    if (index < stage.shown) cells.push(findCell(stage, row.id, 3));
  });
  return {
    send: () => stage.client.updateAuthor(next),
    isDone: () => cells.every((read) => read() === next.name),
  };
}

function unshift(stage: Stage, turn: number) {
  // a new issue by a known author, with known labels: only the new row has to render
  const row = { ...createIssueRow(turn), id: `new-${turn}-${Math.random()}` };
  const known = stage.rows[0] as IssueRow; // cast: not empty
  const next = { ...row, author: known.author, labels: known.labels };
  stage.rows.unshift(next);
  const body = stage.container.querySelector('tbody');
  return {
    send: () => stage.client.unshift(next),
    isDone: () => body?.firstElementChild?.getAttribute('data-id') === next.id,
  };
}

function remove(stage: Stage, turn: number) {
  const [row] = stage.rows.splice(pickIndex({ ...stage, shown: stage.rows.length }, turn), 1);
  const element = stage.container.querySelector(`[data-id="${row?.id}"]`);
  return { send: () => stage.client.remove(row?.id ?? ''), isDone: () => element?.isConnected === false };
}

const list = { reading: 'list', stored: 1000, quickStored: 50 } as const;
const rows = { reading: 'rows', stored: 1000, quickStored: 50 } as const;

export const renderScenarios: readonly RenderScenario[] = [
  { ...list, id: 'R1', title: 'mount a list of 1,000, ingest included', isJudged: true },
  { ...list, id: 'R1a', title: 'mount a list of 100, ingest included', stored: 100 },
  {
    ...list,
    id: 'R1b',
    title: 'mount a list of 10,000, ingest included',
    stored: 10_000,
    quickStored: 100,
    tooSlow: ['Apollo Client'],
  },
  { ...rows, id: 'R2', title: 'mount 1,000 rows, each with its own hook', isJudged: true },
  { ...rows, id: 'R3', title: '1,000 rows with own hooks: update one', isJudged: true, act: updateTitle },
  {
    ...rows,
    id: 'R4',
    title: '1,000 rows with own hooks: update an author shared by 50',
    isJudged: true,
    act: updateAuthor,
  },
  { ...list, id: 'R5', title: 'list of 1,000: put one in front', isJudged: true, act: unshift },
  {
    ...list,
    id: 'R6',
    title: 'list of 10,000, 100 shown: update one',
    stored: 10_000,
    quickStored: 200,
    shown: 100,
    act: updateTitle,
    tooSlow: ['Apollo Client'],
  },
  {
    ...rows,
    id: 'R7',
    title: '10,000 mounted readers, one row changes',
    stored: 10_000,
    quickStored: 200,
    act: updateTitle,
    tooSlow: ['Apollo Client', 'RTK Query'],
  },
  { ...list, id: 'R8', title: 'list of 1,000: update one', act: updateTitle },
  { ...list, id: 'R9', title: 'list of 1,000: update an author shared by 50', act: updateAuthor },
  { ...list, id: 'R10', title: 'list of 1,000: delete one', act: remove },
  {
    ...list,
    id: 'R11',
    title: 'list of 1,000 and 11 single views of one row: update it',
    reading: 'both',
    places: 11,
    act: updateEverywhere,
  },
  {
    ...list,
    id: 'R12',
    title: 'sorted view of 1,000: update another field',
    reading: 'sorted',
    act: updateTitle,
  },
];
