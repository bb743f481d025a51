// Every payload about each row, with its source and time, and the laws of fresh data that follow from them:
// F3: fresh data has no field of a read that was sent before the last write of the row by this client ended, acknowledged or
//     unknown, whether the row was stored at that time or not; the fields of the write itself are excepted.
// F4: fresh data has no field in which a message and a read in flight differ.
// F5: no data is fresh for longer than its expiry time, whatever the clock does; and the first reader that is mounted after the clock was
//     set back fetches data that was stored at a wall-clock time still to come.
import type { EntityFact, Fact } from './oracle.ts';
import { readKey } from './reads.ts';
import type { ReadCall, ViewRow, Watch, Watched } from './subject.ts';
import { Violation } from './violation.ts';
import type { World } from './world.ts';

type Table = EntityFact['table'];
type Values = EntityFact['fields'];

/** The source of a payload. The place of a read in the order is its sending, that of anything else its arrival. */
type Source = 'read' | 'write' | 'message';

interface Statement {
  readonly by: Source;
  readonly fields: Values;
  readonly stamp: number;
  readonly atMs: number;
  /** The wall-clock time; 0 for data of a saved state, which comes from another clock. */
  readonly clockMs: number;
  /** How often the clock had been set back. */
  readonly steps: number;
}

const SUMMARY = ['title', 'status', 'group', 'votes'] as const;
const DETAIL = [...SUMMARY, 'body'] as const;

const CLOCK_SKEW_MS = 60_000;
/** Time from the end of an expiry time until a reader notices it. */
const SLACK_MS = 1_000;
/** Time until a reader notices that page and network are back. */
const REST_MS = 11_000;

export class Statements {
  readonly #world: World;
  readonly #said = new Map<string, Statement[]>();
  /** When the last write of a row by this client ended, and the fields that it had sent. */
  readonly #ended = new Map<string, { readonly at: number; readonly sent: ReadonlySet<string> }>();
  /** Rows for which a message and a read in flight disagree, and since when. */
  readonly #disputed = new Map<string, number>();
  /** How often the clock had been set back when each reader was mounted. */
  readonly #came = new WeakMap<Watch, number>();
  /** When the clock was set back. */
  readonly #stepsMs: number[] = [];

  constructor(world: World) {
    this.#world = world;
  }

  reset(): void {
    this.#said.clear();
    this.#ended.clear();
    this.#disputed.clear();
  }

  /** The page is opened again with the saved state: all of its data comes from another clock. */
  reopened(): void {
    for (const [key, said] of this.#said) {
      const saved = said.map((one) => ({ ...one, clockMs: 0 }));
      this.#said.set(key, saved);
    }
  }

  /** `atMs`: when the server sent it, if that is not now. */
  hear(fact: Fact & { kind: 'read' | 'write' }, by: Source, atMs = this.#world.time.elapsedMs): void {
    const isAboutItems = fact.entities.some(({ table }) => table === 'items');
    for (const { table, id, fields } of fact.entities) {
      // rows in a response beside the row of the mutation count as read by it
      const isBeside = by === 'write' && table === 'users' && isAboutItems;
      const source = isBeside ? 'read' : by;
      this.#hearRow(`${table} ${id}`, fields, source, source === 'read' ? fact.send : fact.at, atMs);
    }
  }

  /** The clock is set back now. */
  stepBack(): void {
    this.#stepsMs.push(this.#world.time.elapsedMs);
  }

  /** How often the clock had been set back by then: the data of a saved state is older than its arrival. */
  #stepsUntil(atMs: number): number {
    return this.#stepsMs.filter((one) => one <= atMs).length;
  }

  #hearRow(key: string, fields: Values, by: Source, stamp: number, atMs: number): void {
    const said = this.#said.get(key) ?? [];
    this.#said.set(key, said);
    const disputed = this.#disputed.get(key);
    if (disputed !== undefined && (by === 'read' ? stamp > disputed : by === 'message'))
      this.#disputed.delete(key);
    if (by === 'read' && this.#isDisputing(key, fields, stamp)) {
      this.#disputed.set(key, ++this.#world.stamp);
      this.#world.loosen(key.split(' ')[1]!, this.#world.stamp);
    }
    const { time } = this.#world;
    const clockMs = atMs === time.elapsedMs ? time.clock.now() : 0;
    said.push({ by, fields, stamp, atMs, clockMs, steps: this.#stepsUntil(atMs) });
  }

  /**
   * True when the newest value of one of these fields is from a message that arrived while this read was in flight, and differs.
   */
  #isDisputing(key: string, fields: Values, send: number): boolean {
    return Object.entries(fields).some(([name, value]) => {
      const newest = this.#newest(key, name);
      if (newest?.by !== 'message' || newest.stamp < send || newest.fields[name] === value) return false;
      // a later-sent request has brought the same value as the message
      const isConfirmed = ({ by, fields: said, stamp }: Statement): boolean =>
        by !== 'message' && stamp > send && said[name] === newest.fields[name];
      if (this.#said.get(key)?.some(isConfirmed)) return false;
      return (this.#ended.get(key)?.at ?? 0) < newest.stamp;
    });
  }

  #newest(key: string, name: string): Statement | undefined {
    const said = this.#said.get(key)?.filter(({ fields }) => name in fields) ?? [];
    return said.toSorted((one, two) => one.stamp - two.stamp).at(-1);
  }

  /** A write of the row by this client was acknowledged, or ended unknown. */
  end(table: Table, id: string, at: number, sent: readonly string[]): void {
    this.#ended.set(`${table} ${id}`, { at, sent: new Set(sent) });
    this.#disputed.delete(`${table} ${id}`);
  }

  /** True when a payload about the row, or a write of it, came after this place in the order. */
  isTouchedSince(table: Table, id: string, stamp: number): boolean {
    const key = `${table} ${id}`;
    return (
      (this.#ended.get(key)?.at ?? 0) > stamp ||
      this.#said.get(key)?.some((one) => one.stamp > stamp && one.by !== 'read') === true
    );
  }

  has(table: Table, id: string): boolean {
    return this.#said.has(`${table} ${id}`) || this.#ended.has(`${table} ${id}`);
  }

  check(mounted: readonly { readonly call: ReadCall; readonly watch: Watch }[]): void {
    const { gets, users, lists, subject } = this.#world;
    const calls = [...gets].map((id): ReadCall => ({ kind: 'get', id }));
    for (const { call } of mounted) if (call.kind === 'get' && !gets.has(call.id)) calls.push(call);
    for (const call of calls) this.#checkRows(call, this.#rowsOf(call), DETAIL);
    for (const filter of lists) {
      const call: ReadCall = { kind: 'list', filter };
      this.#checkRows(call, subject.readList(filter) ?? [], SUMMARY);
    }
    for (const id of users) this.#checkUser({ kind: 'user', id }, id, subject.readUserName(id));
    const { length: steps } = this.#stepsMs;
    for (const { watch } of mounted) if (!this.#came.has(watch)) this.#came.set(watch, steps);
    if (this.#world.hasAges)
      for (const { call, watch } of mounted) {
        // A reader that joins readers from before the step shares their data until it expires.
        const isOfOld = mounted.some(
          (one) => readKey(one.call) === readKey(call) && this.#came.get(one.watch) !== steps,
        );
        this.#checkAge(call, watch.read(), steps > 0 && !isOfOld);
      }
  }

  #rowsOf(call: ReadCall): readonly ViewRow[] {
    const { subject } = this.#world;
    if (call.kind === 'list') return subject.readList(call.filter) ?? [];
    const row = call.kind === 'get' ? subject.readRow(call.id) : undefined;
    return row ? [row] : [];
  }

  /** A reader that shows data and does not fetch counts it as fresh, unless the page is hidden or the network is away. */
  #checkAge(call: ReadCall, { value, error, isFetching }: Watched, isNew: boolean): void {
    const { surroundings, requests, schedule, time, awayUntilMs } = this.#world;
    const isAsking = isFetching === true || error !== undefined || value === undefined;
    if (
      isAsking ||
      requests.isTroubled(readKey(call)) ||
      !surroundings.visible.isOn ||
      !surroundings.online.isOn
    )
      return;
    if (time.elapsedMs - awayUntilMs < REST_MS) return;
    // a list by hand is requested page by page: no single response has its age
    if (call.kind === 'list' && 'feed' in call.filter) return;
    const { lifeMs = Infinity } = schedule;
    // setting the clock back may double the expiry time of fresh data, plus the allowed difference between clocks
    const isYoung = ({ atMs, steps }: Statement): boolean =>
      time.elapsedMs - atMs <=
      lifeMs + SLACK_MS + (2 * lifeMs + CLOCK_SKEW_MS) * (this.#stepsMs.length - steps);
    const checkOne = (table: Table, id: string, name: string, shown: unknown): void => {
      const said = this.#said.get(`${table} ${id}`)?.filter(({ fields }) => fields[name] === shown) ?? [];
      const isToCome = isNew && said.every(({ clockMs }) => clockMs > time.clock.now());
      if (said.length > 0 && (isToCome || !said.some(isYoung)) && !this.#world.isWriting(table, id))
        throw new Violation(
          'F5',
          `${readKey(call)} shows ${name} ${String(shown)}, older than ${lifeMs} ms, and asks for nothing`,
        );
    };
    for (const row of this.#rowsOf(call))
      for (const name of SUMMARY) checkOne('items', row.id, name, row[name]);
    if (call.kind === 'user') checkOne('users', call.id, 'name', this.#world.subject.readUserName(call.id));
  }

  #checkRows(call: ReadCall, rows: readonly ViewRow[], names: readonly (typeof DETAIL)[number][]): void {
    if (!rows.some(({ id, owner }) => this.#isWorthIt('items', id) || this.#isWorthIt('users', owner?.id)))
      return;
    if (!this.#world.subject.isFresh(call)) return;
    for (const row of rows) {
      // an optimistic update may have added the row
      if (this.#world.isWriting('items', row.id)) continue;
      for (const name of names) this.#checkField(call, { table: 'items', id: row.id }, name, row[name]);
      if (row.owner) this.#checkField(call, { table: 'users', id: row.owner.id }, 'name', row.owner.name);
    }
  }

  #checkUser(call: ReadCall, id: string, name: string | undefined): void {
    if (name === undefined || !this.#isWorthIt('users', id) || !this.#world.subject.isFresh(call)) return;
    this.#checkField(call, { table: 'users', id }, 'name', name);
  }

  #isWorthIt(table: Table, id: string | undefined): boolean {
    const key = `${table} ${id}`;
    return this.#ended.has(key) || this.#disputed.has(key);
  }

  #checkField(
    call: ReadCall,
    { table, id }: { readonly table: Table; readonly id: string },
    name: string,
    value: unknown,
  ): void {
    const world = this.#world;
    const key = `${table} ${id}`;
    // an optimistic update is no value of the server
    if (world.isWriting(table, id)) return;
    if (this.#disputed.has(key) && world.subject.hasShapes)
      throw new Violation('F4', `${readKey(call)} is fresh, and a message and a read of ${key} disagree`);
    const said = this.#said.get(key)?.filter(({ fields }) => name in fields) ?? [];
    if (said.length === 0) return;
    const same = said.filter(({ fields }) => fields[name] === value);
    const ended = this.#ended.get(key);
    const at = ended?.at ?? 0;
    // a message overrides no write of this client in flight; for fields that the write did not send, it may be the newer value
    const isLater = ({ by, stamp }: Statement): boolean =>
      by === 'write' || stamp > at || (by === 'message' && !ended?.sent.has(name));
    const late = same.filter(isLater);
    if (late.length === 0 && ended)
      throw new Violation(
        'F3',
        `${readKey(call)} is fresh with ${name} ${String(value)} of ${key}, which nothing has said since a write of it ended`,
      );
  }
}
