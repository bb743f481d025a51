// The tools of a race: real calls through the store of the page, a script of the order in which the server responds to them, and
// the texts that the visitor reads meanwhile.
import type { Controller, FailedMutation } from 'holdfast';
import type { Inspector } from 'holdfast/inspect';
import { fieldsOfMove } from '../board/use-move-card.ts';
import { scriptNext } from '../network/scripted.ts';
import { addIssue, Issue, IssueResource } from '../resources/issue.ts';
import type { IssueFilter, IssueInput } from '../resources/issue.ts';
import { columnOf } from '../resources/lists.ts';
import type { Status } from '../resources/vocabulary.ts';

/** The parts of the page that a race uses. */
export interface Surroundings {
  readonly controller: Controller;
  readonly inspector: Inspector;
  readonly projectId: string;
  /** Who is signed in. */
  readonly userId: string;
  /** Shows only issues with that status in the table, or all of them. */
  filterTable(status: Status | null): void;
  readFailed(): readonly FailedMutation[];
}

/** How a race reports what happens. */
export interface Telling {
  say(text: string): void;
  /** Shows the text that is being typed into the title of an issue; null when there is none. */
  type(typing: { readonly id: string; readonly text: string } | null): void;
  /** Sets the card of the race. */
  own(id: string): void;
}

export class Stage {
  readonly controller: Controller;
  readonly inspector: Inspector;
  readonly projectId: string;
  readonly userId: string;
  readonly filterTable: Surroundings['filterTable'];
  readonly say: Telling['say'];
  readonly type: Telling['type'];
  readonly #surroundings: Surroundings;
  readonly #own: Telling['own'];
  readonly #beatMs: number;
  readonly #cards: string[] = [];

  constructor(surroundings: Surroundings, telling: Telling, beatMs: number) {
    this.controller = surroundings.controller;
    this.inspector = surroundings.inspector;
    this.projectId = surroundings.projectId;
    this.userId = surroundings.userId;
    this.filterTable = surroundings.filterTable;
    this.say = telling.say;
    this.type = telling.type;
    this.#surroundings = surroundings;
    this.#own = telling.own;
    this.#beatMs = beatMs;
  }

  /** Gives the visitor time to see what has happened. */
  pause(beats = 1): Promise<void> {
    const card = document.querySelector(`[data-card="${this.#cards.at(-1) ?? ''}"]`);
    card?.scrollIntoView({ behavior: 'smooth', block: 'nearest', inline: 'center' });
    return new Promise((done) => void setTimeout(done, beats * this.#beatMs));
  }

  // ── the order of answers ─────────────────────────────────────────────────────────────────────

  /** The next such request reaches the server late. */
  delay(method: string, path: string, beats: number): void {
    scriptNext(method, path, `delay=${beats * this.#beatMs}`);
  }

  /** The next such request is refused, after a while. */
  refuse(method: string, path: string, beats: number): void {
    scriptNext(method, path, `delay=${beats * this.#beatMs}; fail=1`);
  }

  /** The server handles the next such request at once, and delays its response, whose data is old when it arrives. */
  hold(method: string, path: string, beats: number, search: Record<string, string> = {}): void {
    scriptNext(method, path, `hold=${beats * this.#beatMs}`, search);
  }

  // ── what a visitor does ──────────────────────────────────────────────────────────────────────

  /** Creates a card for the race, on top of a column. */
  async given(fields: Omit<IssueInput, 'projectId'> & { status: Status }): Promise<Issue> {
    const input = { ...fields, projectId: this.projectId, assigneeId: this.userId };
    const created = await this.controller.fetch(addIssue, input);
    this.keep(created.id);
    return created;
  }

  /** Remembers a card as one of the race. */
  keep(id: string): void {
    this.#cards.push(id);
    this.#own(id);
  }

  move(id: string, status: Status): Promise<unknown> {
    const fields = fieldsOfMove(this.controller, this.column(status), id) ?? { rank: 'a0' };
    return this.controller.fetch(IssueResource.partialUpdate, { id }, fields);
  }

  edit(id: string, fields: Partial<IssueInput>): Promise<unknown> {
    return this.controller.fetch(IssueResource.partialUpdate, { id }, fields);
  }

  column(status: Status): IssueFilter {
    return columnOf(this.projectId, status);
  }

  // ── what came of it ──────────────────────────────────────────────────────────────────────────

  /** The data of a card on the page. */
  shown(id: string): Issue | undefined {
    return this.controller.get(Issue, { id });
  }

  /** True when a list on the page contains the card. */
  isIn(filter: IssueFilter, id: string): boolean {
    const { data } = this.controller.getResponse(IssueResource.getList, filter);
    return data?.results?.some((issue) => issue.id === id) ?? false;
  }

  /** The data of the server, fetched without the store; undefined where there is none. */
  async ask(id: string): Promise<Partial<IssueInput> | undefined> {
    const response = await fetch(`/api/issues/${id}`);
    return response.ok ? ((await response.json()) as Partial<IssueInput>) : undefined; // cast: the server's own format
  }

  failedOf(id: string): FailedMutation[] {
    const isAbout = ({ args: [params] }: FailedMutation): boolean =>
      typeof params === 'object' && params !== null && 'id' in params && params.id === id;
    return this.#surroundings.readFailed().filter(isAbout);
  }

  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await new Promise((done) => void setTimeout(done, 30));
  }

  /** The page is closed: the cards are removed. */
  abandon(): void {
    for (const id of this.#cards.splice(0))
      void fetch(`/api/issues/${id}`, { method: 'DELETE', keepalive: true }).catch(() => undefined);
  }

  /** Removes the cards of the race, and their failures. */
  async tidy(): Promise<void> {
    this.type(null);
    for (const id of this.#cards.splice(0)) {
      for (const failed of this.failedOf(id)) failed.forget();
      await this.controller.fetch(IssueResource.delete, { id }).catch(() => undefined);
    }
  }
}
