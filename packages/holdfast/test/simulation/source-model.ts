// The inspector's explanation of every field, against a naive oracle that keeps raw responses, as a property: reads, summaries,
// writes and messages of two rows race each other, responses arrive in any order, and each value contains the name of its source.
// At every step the request that made each value, those that confirmed it, the earlier values, the losers and the rules by which
// they lost must be those that the oracle computes from the order of requests. Where values repeat, nothing that equals the value on
// screen is among the losers. Each loser names the request that it lost to.
import { Controller, createResource, Entity, versionBy } from 'holdfast';
import { inspect } from 'holdfast/inspect';
import type { Inspector } from 'holdfast/inspect';
import fc from 'fast-check';
import { FakeWorld } from '../support/fake-world.ts';
import { Violation } from './violation.ts';

class Part extends Entity {
  static override key = 'Part';
  id = '';
  a = '';
  b = '';
  c = '';
}

/** A row whose versions the server counts. */
class Page extends Entity {
  static override key = 'Page';
  static override version = versionBy('version');
  id = '';
  version = 0;
  a = '';
}

type Values = Readonly<Record<string, string | number>>;

interface Step {
  readonly kind:
    | 'get'
    | 'list'
    | 'patch'
    | 'brief'
    | 'mute'
    | 'remove'
    | 'set'
    | 'echo'
    | 'page'
    | 'deliver'
    | 'fail';
  readonly at: number;
  readonly name: 'a' | 'b';
}

export interface SourceSetting {
  readonly isOptimistic: boolean;
  /** Whether different payloads often contain equal values. Otherwise each value contains the name of its source. */
  readonly isRepeating: boolean;
  readonly steps: readonly Step[];
}

export const sourceSetting: fc.Arbitrary<SourceSetting> = fc.record({
  isOptimistic: fc.boolean(),
  isRepeating: fc.boolean(),
  steps: fc.array(
    fc.record({
      kind: fc.constantFrom<Step['kind']>(
        ...([
          'get',
          'get',
          'list',
          'patch',
          'patch',
          'brief',
          'mute',
          'remove',
          'set',
          'echo',
          'page',
        ] as const),
        ...(['deliver', 'deliver', 'deliver', 'deliver', 'deliver', 'fail'] as const),
      ),
      at: fc.nat(11),
      name: fc.constantFrom('a', 'b'),
    }),
    { minLength: 3, maxLength: 30, size: 'max' },
  ),
});

/** `set b`: of the field b, in the first row. */
function toStep(text: string): Step {
  const [kind, name = 'a'] = text.split(' ');
  return { kind, at: 0, name } as Step; // cast: written below
}

/** A former failure: a row that was deleted has come back without the field that this client had written. */
export const KNOWN_SETTINGS: [SourceSetting][] = [
  [
    {
      isOptimistic: false,
      isRepeating: false,
      steps: [
        'get',
        'deliver',
        'patch',
        'deliver',
        'remove',
        'deliver',
        'set b',
        'set a',
        'patch',
        'deliver',
      ].map(toStep),
    },
  ],
];

/** The value of one payload for a field. */
interface Said {
  readonly value: unknown;
  readonly from: number | undefined;
  readonly how: Inspector.ExplainedField['how'];
}

interface Lost {
  readonly value: unknown;
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly rule: string;
}

interface Earlier {
  readonly value: unknown;
  readonly from: number | undefined;
  readonly how: string;
}

interface Field {
  readonly value: unknown;
  /** The payload whose value was stored last. */
  readonly last: Said & { readonly isWrite: boolean };
  /** The payload that made the value: the first one since the field had another value. */
  readonly made: Said & { readonly isWrite: boolean };
  /** Late payloads that contained the same value. */
  readonly late: Set<number | undefined>;
  readonly history: readonly Earlier[];
  readSend: number;
  writeSend: number;
  writeAck: number;
}

interface Row {
  fields: Map<string, Field>;
  /** Fields that were added to a row that was written before: the store may give them the stamp of the row, or their own. */
  unsure: Set<string>;
  lost: Map<string, Lost[]>;
  goneAt: number;
  isThere: boolean;
  version: number;
}

interface Sending {
  readonly number: number;
  /** The inspector's name for it. */
  readonly id: number;
  readonly send: number;
  readonly kind: Step['kind'];
  readonly row: string;
  readonly sent: Values;
  readonly covered: Set<string>;
  /** True when its optimistic update had no row to apply to. */
  readonly isLoose: boolean;
  readonly answer: (status: number, body?: unknown) => void;
}

const ROWS = ['p1', 'p2'];
const MOST_LOST = 16;
const MOST_EARLIER = 8;

class Model {
  readonly #rows = new Map<string, Row>();
  readonly #under: Sending[] = [];
  /** Fields that were sent and acknowledged and not read since, by row and field: when, and by which request. */
  readonly #own = new Map<string, { readonly ack: number; readonly from: number }>();
  readonly #inspector = inspect();
  readonly #controller: Controller;
  readonly #resource;
  readonly #pages = createResource({ urlPrefix: 'http://model.test', path: '/pages/:id', schema: Page });
  readonly #isOptimistic: boolean;
  readonly #isRepeating: boolean;
  #stamp = 0;
  #number = 0;
  #next: { kind: Step['kind']; row: string; sent: Values } = { kind: 'get', row: 'p1', sent: {} };

  constructor({ isOptimistic, isRepeating }: SourceSetting) {
    this.#isOptimistic = isOptimistic;
    this.#isRepeating = isRepeating;
    const world = new FakeWorld();
    const shared = {
      urlPrefix: 'http://model.test',
      path: '/parts/:id',
      schema: Part,
      body: {} as Partial<Part>,
    } as const;
    // sent at once, in no queue: otherwise the writes of one row never race
    this.#resource = createResource({ ...shared, optimistic: isOptimistic, queue: null });
    this.#controller = new Controller({ ...world.options, managers: [this.#inspector], fetch: this.#fetch });
  }

  readonly #fetch = (_url: string, init?: RequestInit): Promise<Response> => {
    const { kind, row, sent } = this.#next;
    const id = this.#inspector.requests().at(-1)?.id ?? 0;
    return new Promise((resolve) => {
      this.#under.push({
        number: this.#number,
        id,
        send: ++this.#stamp,
        kind,
        row,
        sent,
        covered: new Set(),
        isLoose: this.#rows.get(row)?.isThere !== true,
        answer: (status, body) =>
          resolve(
            new Response(body === undefined ? null : JSON.stringify(body), {
              status,
              headers: { 'content-type': 'application/json' },
            }),
          ),
      });
      void init;
    });
  };

  async act({ kind, at, name }: Step): Promise<void> {
    const row = ROWS[at % ROWS.length]!;
    this.#number += 1;
    const number = this.#number;
    const { get, getList, partialUpdate, delete: remove } = this.#resource;
    const run = (call: () => Promise<unknown>, sent: Values = {}): void => {
      this.#next = { kind, row, sent };
      call().catch(() => undefined);
    };
    if (kind === 'get') run(() => this.#controller.fetch(get, { id: row }));
    else if (kind === 'page') run(() => this.#controller.fetch(this.#pages.get, { id: row }));
    else if (kind === 'list') run(() => this.#controller.fetch(getList));
    else if (kind === 'patch' || kind === 'brief' || kind === 'mute') {
      const body = { [name]: `sent ${this.#label(number)}` };
      run(() => this.#controller.fetch(partialUpdate, { id: row }, body), body);
    } else if (kind === 'remove') run(() => this.#controller.fetch(remove, { id: row }));
    else if (kind === 'set' || kind === 'echo') this.#set(kind, row, name, number);
    else await this.#deliver(at, kind === 'fail');
    await settle();
  }

  #label(number: number): number {
    return this.#isRepeating ? number % 2 : number;
  }

  // ── what happens ─────────────────────────────────────────────────────────────────────────────

  #set(kind: 'set' | 'echo', id: string, name: string, number: number): void {
    const row = this.#ensure(id);
    const sending = this.#under.findLast((one) => one.row === id && Object.hasOwn(one.sent, name));
    // a message about a row that is not stored is applied below the change in flight, as if it were read: the source of a field
    // is then open
    const isWritten = this.#under.some((one) => one.row === id && Object.keys(one.sent).length > 0);
    if (isWritten && !row.isThere) return;
    const known = sending ? sending.sent[name] : row.fields.get(name)?.value;
    const value = kind === 'echo' && known !== undefined ? known : `set ${this.#label(number)}`;
    const at = ++this.#stamp;
    void this.#controller.set(Part, { id }, { id, [name]: value } as never); // cast: some fields are enough
    const from = this.#inspector.requests().at(-1)?.id;
    if (row.isThere && (sending || this.#own.has(`${id} ${name}`))) {
      const rule =
        value === known ? 'echo-of-own-write' : sending ? 'own-write-under-way' : 'own-write-answered-lately';
      const own = this.#own.get(`${id} ${name}`)?.from;
      const field = row.fields.get(name);
      const winner = sending ? sending.id : field ? winnerOf(field, rule) : own;
      this.#lose(row, name, { value, from, to: winner, rule });
    } else {
      if (!row.isThere) row.lost.clear();
      this.#write(row, name, { value, from, how: 'written-directly' }, { send: at, ack: at });
    }
    row.isThere = true;
  }

  async #deliver(at: number, isFailing: boolean): Promise<void> {
    const sending = this.#under[at % Math.max(1, this.#under.length)];
    if (!sending) return;
    this.#under.splice(this.#under.indexOf(sending), 1);
    const { kind, row, sent, answer } = sending;
    const number = this.#label(sending.number);
    if (isFailing) answer(422, {});
    else if (kind === 'list')
      answer(
        200,
        ROWS.map((id) => ({ id, a: `${number} a ${id}`, b: `${number} b ${id}` })),
      );
    else if (kind === 'page') answer(200, { id: row, version: (sending.number % 5) + 1, a: `${number} a` });
    else if (kind === 'brief') answer(200, { id: row, c: `${number} c` });
    else if (kind === 'mute') answer(204);
    else if (kind === 'remove') answer(204);
    else answer(200, { id: row, a: `${number} a`, b: `${number} b`, c: `${number} c`, ...sent });
    await settle();
    const ack = ++this.#stamp;
    if (isFailing) return;
    const said = (values: Values): [string, Said][] =>
      Object.entries(values).map(([name, value]) => [name, { value, from: sending.id, how: 'answered' }]);
    if (kind === 'list')
      for (const id of ROWS)
        this.#read(id, sending, said({ id, a: `${number} a ${id}`, b: `${number} b ${id}` }), ack);
    else if (kind === 'get')
      this.#read(row, sending, said({ id: row, a: `${number} a`, b: `${number} b`, c: `${number} c` }), ack);
    else if (kind === 'page')
      this.#readPage(row, sending, said({ id: row, version: (sending.number % 5) + 1, a: `${number} a` }));
    else if (kind === 'remove') this.#remove(row, ack);
    else this.#acknowledge(sending, said, ack);
  }

  #read(id: string, { send }: Sending, said: [string, Said][], _ack: number): void {
    const row = this.#ensure(id);
    for (const [name] of said)
      if ((this.#own.get(`${id} ${name}`)?.ack ?? Infinity) < send) this.#own.delete(`${id} ${name}`);
    if (send < row.goneAt) return;
    if (!row.isThere) row.lost.clear();
    const isWritten = [...row.fields.values()].some(({ writeAck }) => writeAck > 0);
    for (const [name, one] of said) {
      const field = row.fields.get(name);
      if (!field && isWritten) row.unsure.add(name);
      const fence = Math.max(field?.readSend ?? 0, field?.writeAck ?? 0);
      if (field && send < fence) {
        const rule =
          field.writeAck > field.readSend
            ? 'read-sent-before-write-was-answered'
            : 'read-sent-before-later-read';
        this.#lose(row, name, { value: one.value, from: one.from, to: winnerOf(field, rule), rule });
      } else {
        const { writeSend = 0, writeAck = 0 } = field ?? {};
        row.fields.set(name, { ...stored(field, one, false), readSend: send, writeSend, writeAck });
      }
    }
    row.isThere = true;
  }

  #readPage(id: string, { send }: Sending, said: [string, Said][]): void {
    const row = this.#ensure(`page ${id}`);
    const version = Number(said.find(([name]) => name === 'version')?.[1].value);
    for (const [name, one] of said) {
      const field = row.fields.get(name);
      const isLower = row.isThere && version < row.version;
      const isLate = row.isThere && version === row.version && send < (field?.readSend ?? 0);
      const rule = isLower ? 'lower-version' : isLate ? 'read-sent-before-later-read' : undefined;
      if (rule) this.#lose(row, name, { value: one.value, from: one.from, to: winnerOf(field, rule), rule });
      else {
        const readSend = Math.max(send, field?.readSend ?? 0);
        row.fields.set(name, { ...stored(field, one, false), readSend, writeSend: 0, writeAck: 0 });
      }
    }
    row.version = Math.max(row.version, version);
    row.isThere = true;
  }

  #remove(id: string, ack: number): void {
    const row = this.#ensure(id);
    row.fields.clear();
    row.unsure.clear();
    row.goneAt = ack;
    row.isThere = false;
  }

  #acknowledge(sending: Sending, said: (values: Values) => [string, Said][], ack: number): void {
    const { row: id, kind, sent, send } = sending;
    const number = this.#label(sending.number);
    const row = this.#ensure(id);
    const accepted = (values: Values): [string, Said][] =>
      Object.entries(values).map(([name, value]) => [
        name,
        { value, from: sending.id, how: 'sent-and-accepted' },
      ]);
    const isMute = kind === 'mute';
    // a change has too few fields for a row that is not stored
    if (isMute && !row.isThere) return;
    const statements = isMute
      ? accepted({ id, ...sent })
      : kind === 'brief'
        ? [...said({ id, c: `${number} c` }), ...accepted(sent)]
        : said({ id, a: `${number} a`, b: `${number} b`, c: `${number} c`, ...sent });
    for (const other of this.#under)
      if (other.row === id && other.send < send)
        for (const name of Object.keys(sent)) other.covered.add(name);
    if (send >= row.goneAt) {
      if (!row.isThere) row.lost.clear();
      for (const [name, one] of statements) this.#write(row, name, one, { send, ack });
      row.isThere = true;
    }
    for (const name of Object.keys(sent)) this.#own.set(`${id} ${name}`, { ack, from: sending.id });
  }

  #write(row: Row, name: string, said: Said, { send, ack }: { send: number; ack: number }): void {
    const field = row.fields.get(name);
    if (field && send < field.writeSend) {
      const rule = 'write-sent-before-later-write';
      this.#lose(row, name, { value: said.value, from: said.from, to: winnerOf(field, rule), rule });
      field.writeAck = ack; // it lost to some payload
      return;
    }
    const { readSend = 0 } = field ?? {};
    row.fields.set(name, { ...stored(field, said, true), readSend, writeSend: send, writeAck: ack });
  }

  #lose(row: Row, name: string, lost: Lost): void {
    const field = row.fields.get(name);
    // a late payload with the stored value has not lost: it confirms the value
    if (field && field.value === lost.value) field.late.add(lost.from);
    else row.lost.set(name, [lost, ...(row.lost.get(name) ?? [])].slice(0, MOST_LOST));
  }

  #ensure(id: string): Row {
    let row = this.#rows.get(id);
    if (!row) {
      row = { fields: new Map(), unsure: new Set(), lost: new Map(), goneAt: 0, isThere: false, version: 0 };
      this.#rows.set(id, row);
    }
    return row;
  }

  // ── what is said of it ───────────────────────────────────────────────────────────────────────

  check(): void {
    for (const [id, row] of this.#rows) {
      const isPage = id.startsWith('page ');
      const pk = id.replace('page ', '');
      const explained = this.#inspector.explain(isPage ? Page : Part, { id: pk });
      if (explained.found !== 'entity') {
        if (row.isThere)
          throw new Violation('A2', `${id} is there, and the inspector says ${JSON.stringify(explained)}`);
        continue;
      }
      // the key is the same in every payload
      if (row.isThere)
        for (const name of row.fields.keys())
          if (name !== 'id' && !row.unsure.has(name)) this.#checkField(id, name, row, explained.fields[name]);
    }
  }

  #checkField(id: string, name: string, row: Row, said: Inspector.ExplainedField | undefined): void {
    const field = row.fields.get(name);
    const where = `${id}.${name}`;
    const lost = row.lost.get(name) ?? [];
    expectSame(where, 'server', said?.server, field?.value);
    expectSame(where, 'from', said?.from, field?.made.from);
    expectSame(where, 'how', said?.how, field?.made.how);
    const { made, last, late, history } = field ?? {};
    const confirmed = new Set([last?.from, ...(late ?? [])]);
    confirmed.delete(made?.from);
    const latestFirst = [...confirmed].sort((one, other) => (other ?? 0) - (one ?? 0));
    expectSame(where, 'confirmed', JSON.stringify(said?.confirmed), JSON.stringify(latestFirst));
    expectSame(where, 'history', JSON.stringify(said?.history), JSON.stringify(history));
    // the law, whatever the rest of the model says
    for (const loser of said?.lost ?? [])
      if (loser.value === said?.value || loser.value === said?.server || loser.to === undefined)
        throw new Violation('A2', `${where}: ${JSON.stringify(loser)} has not lost, or to nobody`);
    const losers = lost.filter(({ value }) => value !== said?.value && value !== field?.value);
    expectSame(where, 'lost', JSON.stringify(said?.lost), JSON.stringify(losers));
    if (!this.#isOptimistic || id.startsWith('page ')) return;
    const pending = this.#under.filter(
      (one) => one.row === id && Object.hasOwn(one.sent, name) && !one.covered.has(name),
    );
    const guesses = said?.guesses.map(({ by, value }) => `${by} ${JSON.stringify(value)}`).join();
    const isLoose = this.#under.some((one) => one.row === id && one.isLoose);
    const isLeaving = this.#under.some((one) => one.row === id && one.kind === 'remove');
    if (!isLoose && !isLeaving)
      expectSame(
        where,
        'guesses',
        guesses,
        pending.map((one) => `${one.id} ${JSON.stringify(one.sent[name])}`).join(),
      );
  }
}

/** The request that a loser names: of those that stored the value, the one that the rule speaks of. */
function winnerOf(field: Field | undefined, rule: string): number | undefined {
  const isOfWrite = rule.includes('write');
  const { last, made } = field ?? {};
  return made && last?.isWrite !== isOfWrite && made.isWrite === isOfWrite ? made.from : last?.from;
}

/** What is remembered of a field after a payload with this value was stored. */
function stored(
  field: Field | undefined,
  said: Said,
  isWrite: boolean,
): Pick<Field, 'value' | 'last' | 'made' | 'late' | 'history'> {
  const last = { ...said, isWrite };
  if (field && field.value === said.value) return { ...field, last };
  const earlier = field && { value: field.value, from: field.made.from, how: field.made.how };
  const history = [...(earlier ? [earlier] : []), ...(field?.history ?? [])].slice(0, MOST_EARLIER);
  return { value: said.value, last, made: last, late: new Set(), history };
}

function expectSame(where: string, what: string, said: unknown, expected: unknown): void {
  if (said !== expected)
    throw new Violation(
      'A2',
      `${where}: the inspector says ${what} ${String(said)}, and it is ${String(expected)}`,
    );
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 30; turn += 1) await Promise.resolve();
  await new Promise((resolve) => setImmediate(resolve));
}

/** Throws where an explanation of the inspector is wrong. */
export async function checkSources(given: SourceSetting): Promise<void> {
  const model = new Model(given);
  for (const step of given.steps) {
    await model.act(step);
    model.check();
  }
}

/** Looks for a wrong explanation in this many settings. */
export async function judgeSources(
  runs: number,
): Promise<{ readonly message: string | undefined; readonly schedules: number }> {
  const found = await fc.check(fc.asyncProperty(sourceSetting, checkSources), {
    numRuns: runs,
    seed: 123_456_789,
    examples: KNOWN_SETTINGS,
  });
  const message = found.failed ? String(found.errorInstance) : undefined;
  return { message, schedules: found.numRuns };
}
