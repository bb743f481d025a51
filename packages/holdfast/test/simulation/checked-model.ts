// Trees of rows of which some are bad, under every policy, against a model that has only the rule: a bad row is left out with its
// nested rows, the rest keeps its order, and each bad row is reported once. Judges the library, and copies of it with a fault.
import { Cache, Controller, dehydrate, savedState, schema } from 'holdfast';
import type { StandardSchema } from 'holdfast';
import { check, EntityOf, getRefused, optional } from 'holdfast/validate';
import { createRandom } from './random.ts';
import type { Random } from './random.ts';

function standard<T>(make: (value: unknown) => T | undefined): StandardSchema<unknown, T> {
  return {
    '~standard': {
      version: 1,
      vendor: 'model',
      validate: (value) => {
        const made = make(value);
        return made === undefined ? { issues: [{ message: 'not fit' }] } : { value: made };
      },
    },
  };
}

const text = standard((value) => (typeof value === 'string' ? value : undefined));
/** How often a field was parsed. */
let parses = 0;
const length = standard((value) => {
  parses += 1;
  return typeof value === 'string' ? { of: value.length } : undefined;
});

/** The error of a row, if any: a field that is only checked, one that is parsed, or one that is missing. */
type Flaw = 'looked' | 'parsed' | 'missing' | null;

interface Wire {
  readonly id: string;
  readonly name?: unknown;
  readonly size?: unknown;
  readonly owner?: Wire;
  readonly friend?: Wire;
  readonly below: readonly Wire[];
}

function makeClass(onInvalid: EntityOf.OnInvalid) {
  class Part extends EntityOf('Part', { id: text, name: check(text), size: length }, { onInvalid }) {}
  class Tree extends EntityOf(
    'Tree',
    { id: text, name: check(text), size: length, owner: Part, friend: optional(Part) },
    { onInvalid },
  ) {
    below: Tree[] = [];
  }
  Tree.schema = { ...Tree.schema, below: [Tree] };
  class Leaf extends EntityOf('Leaf', { id: check(text), name: check(text) }, { onInvalid }) {}
  return { Tree, list: new schema.Collection([Tree]), leaves: new schema.Collection([Leaf]) };
}

class Maker {
  readonly random: Random;
  #count = 0;
  readonly #share: number;

  constructor(seed: number) {
    this.random = createRandom(seed);
    this.#share = this.random.pick([0, 0.1, 0.4]);
  }

  #fields(kind: string): Omit<Wire, 'below'> {
    const id = `${kind}${(this.#count += 1)}`;
    const flaw: Flaw = this.random.chance(this.#share)
      ? this.random.pick(['looked', 'parsed', 'missing'])
      : null;
    const name = flaw === 'looked' ? 5 : 'a'.repeat(this.random.below(4));
    const size = flaw === 'parsed' ? null : 'b'.repeat(this.random.below(4));
    return flaw === 'missing' ? { id, name } : { id, name, size };
  }

  tree(depth: number): Wire {
    const below = depth > 0 ? Array.from({ length: this.random.below(4) }, () => this.tree(depth - 1)) : [];
    const part = (): Wire => this.#fields('part') as Wire; // cast: parts have nothing below them
    return {
      ...this.#fields('tree'),
      owner: part(),
      ...(this.random.chance(0.5) && { friend: part() }),
      below,
    };
  }

  /** A chain that is deeper than the recursion of the walk. */
  chain(depth: number): Wire {
    let row: Wire = { ...this.#fields('tree'), owner: this.#fine(), below: [] };
    for (let level = 0; level < depth; level += 1)
      row = { ...this.#fine(`tree`), owner: this.#fine(), below: [row] };
    return row;
  }

  #fine(kind = 'part'): Wire {
    return { id: `${kind}${(this.#count += 1)}`, name: 'a', size: 'b', below: [] };
  }
}

interface Seen {
  readonly id: string;
  readonly name: unknown;
  readonly size: unknown;
  readonly owner?: Seen | undefined;
  readonly friend?: Seen | undefined;
  readonly below: readonly Seen[];
}

const isBad = ({ name, size }: Wire): boolean => typeof name !== 'string' || typeof size !== 'string';

/** The row that readers should see; undefined where it is left out. `bad` collects the rows that should be reported. */
function expectRow(wire: Wire, passes: boolean, bad: Set<string>): Seen | undefined {
  const { id, name, owner, friend } = wire;
  const isRefused = isBad(wire);
  if (isRefused) bad.add(id);
  // both are checked, so that both are reported
  const seenOwner = owner && expectRow(owner, passes, bad);
  if (!passes && (isRefused || (owner && !seenOwner))) return undefined;
  return {
    id,
    name,
    size: typeof wire.size === 'string' ? { of: wire.size.length } : wire.size,
    owner: seenOwner,
    friend: friend && expectRow(friend, passes, bad),
    below: wire.below?.flatMap((one) => expectRow(one, passes, bad) ?? []) ?? [],
  };
}

function readRow(row: Seen | undefined): Seen | undefined {
  if (!row) return undefined;
  const { id, name, size, owner, friend, below } = row;
  return {
    id,
    name,
    size,
    owner: readRow(owner),
    friend: readRow(friend),
    below: (below ?? []).flatMap((one) => readRow(one) ?? []),
  };
}

const print = (value: unknown): string => JSON.stringify(value) ?? 'undefined';

/** The same for payloads that are handed over to the store, as responses are. */
function checkOwned(rows: readonly Wire[], onInvalid: EntityOf.OnInvalid): string | undefined {
  const { list, leaves } = makeClass(onInvalid);
  const passes = onInvalid === 'pass';
  const bad = new Set<string>();
  const expected = rows.flatMap((row) => expectRow(row, passes, bad) ?? []);
  const flat = rows.map(({ id, name }) => ({ id, name }));
  const fine = flat.filter(({ name }) => passes || typeof name === 'string');
  const write = (schemaOf: typeof list | typeof leaves, given: unknown): Cache | undefined => {
    const cache = new Cache();
    try {
      cache.write(schemaOf, structuredClone(given), [{}], { isOwned: true });
      return cache;
    } catch {
      return undefined;
    }
  };
  const trees = write(list, rows);
  const plain = write(leaves, flat);
  if (onInvalid === 'reject' && (!!trees !== (bad.size === 0) || !!plain !== (fine.length === flat.length)))
    return 'owned: refused what is fine, or took what is bad';
  const seen = trees?.read(list, [{}])?.map((row) => readRow(row as unknown as Seen)); // cast: what the class declares
  if (trees && print(seen) !== print(expected)) return `owned: ${print(seen)}, expected ${print(expected)}`;
  const found = plain?.read(leaves, [{}])?.map(({ id, name }) => ({ id, name }));
  return !plain || print(found) === print(fine) ? undefined : `owned leaves: ${print(found)}`;
}

/** The error of one run; undefined where everything is right. */
export async function checkRows(seed: number): Promise<string | undefined> {
  const maker = new Maker(seed);
  const { random } = maker;
  const onInvalid = random.pick<EntityOf.OnInvalid>(['reject', 'drop', 'keep', 'pass']);
  const { Tree, list } = makeClass(onInvalid);
  const isDeep = random.chance(0.05);
  const rows = isDeep ? [maker.chain(250)] : Array.from({ length: random.below(6) }, () => maker.tree(2));
  const owned = checkOwned(rows, onInvalid);
  if (owned !== undefined) return owned;
  const controller = new Controller();
  const read = (from: Controller): unknown =>
    from.get(list, {})?.map((row) => readRow(row as unknown as Seen)); // cast: what the class declares
  const before = [{ id: 'first', name: 'a', size: 'b', owner: { id: 'o', name: 'a', size: '' }, below: [] }];
  await controller.set(list, {}, before);
  const shown = print(read(controller));
  const first = getRefused(controller).length;
  if (first > 0) return `fine rows were reported: ${first}`;

  const bad = new Set<string>();
  const expected = rows.flatMap((row) => expectRow(row, onInvalid === 'pass', bad) ?? []);
  let failure: unknown;
  await controller.set(list, {}, structuredClone(rows)).catch((error: unknown) => (failure = error));
  const reported = getRefused(controller).flatMap(({ pk }) => pk ?? []);
  if (new Set(reported).size !== reported.length) return `reported twice: ${reported.join()}`;

  if (onInvalid === 'reject' && bad.size > 0) {
    if (!failure) return 'a bad row was not refused';
    if (print(read(controller)) !== shown) return 'a refused payload changed what is shown';
    return reported.length === 1 && bad.has(reported[0]!) ? undefined : `reported ${reported.join()}`;
  }
  if (failure) return `refused: ${String(failure)}`;
  if (print(read(controller)) !== print(expected))
    return `${onInvalid}: shown ${print(read(controller))}, expected ${print(expected)}`;
  // nothing below a row that is left out is checked
  const wrong = reported.filter((id) => !bad.has(id));
  if (wrong.length > 0) return `reported without cause: ${wrong.join()}`;
  const missed = [...bad].filter((id) => !reported.includes(id));
  if (missed.length > 0) return `not reported: ${missed.join()}`;

  const restored = new Controller({ initialState: savedState(JSON.stringify(dehydrate(controller))) });
  if (print(read(restored)) !== print(expected)) return `restored: ${print(read(restored))}`;
  // restored by an application with stricter checks
  const strict = makeClass('drop');
  const judged = restored.get(strict.list, {})?.map((row) => readRow(row as unknown as Seen)); // cast: as above
  const wanted = rows.flatMap((row) => expectRow(row, false, new Set()) ?? []);
  if (print(judged) !== print(wanted))
    return `restored and judged: ${print(judged)}, expected ${print(wanted)}`;

  // the same payload again, and then each bad row corrected
  const kept = controller.get(list, {});
  parses = 0;
  await controller.set(list, {}, structuredClone(rows));
  if (bad.size === 0 && parses > 0) return `what is the same was parsed ${parses} times`;
  if (controller.get(list, {}) !== kept) return 'the same payload changed references';
  const mended = JSON.parse(print(rows), (_, value: unknown) => mend(value)) as readonly Wire[]; // cast: rows
  await controller.set(list, {}, mended);
  const whole = mended.flatMap((row) => expectRow(row, false, new Set()) ?? []);
  if (print(read(controller)) !== print(whole)) return `mended: ${print(read(controller))}`;
  const left = getRefused(controller);
  if (left.length > 0) return `mended and still reported: ${print(left)}`;
  const [one] = mended;
  if (!one) return undefined;
  // a change has one field, and the other fields are stored
  const change = await controller.set(Tree, { id: one.id, name: 'part' }).catch((error: unknown) => error);
  if (change) return `a change was refused: ${String(change)}`;
  // a bad field of a stored row
  await controller.set(list, {}, [{ ...structuredClone(one), size: 7, name: 'new' }]).catch(() => undefined);
  const now = controller.get(Tree, { id: one.id }) as unknown as Seen; // cast: as above
  const isTaken = onInvalid === 'keep' || onInvalid === 'pass';
  const size = onInvalid === 'pass' ? 7 : { of: String(one.size).length };
  return print([now.name, now.size]) === print([isTaken ? 'new' : 'part', size])
    ? undefined
    : `${onInvalid}: a bad field gave ${print([now.name, now.size])}`;
}

function mend(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('id' in value)) return value;
  const { name, size, ...rest } = value as Wire; // cast: it has an id
  return {
    ...rest,
    name: typeof name === 'string' ? name : 'mended',
    size: typeof size === 'string' ? size : 'mended',
  };
}

/** The first violation within this many runs. */
export async function judgeChecks(
  count: number,
): Promise<{ message: string | undefined; schedules: number }> {
  console.warn = () => undefined; // each bad row is one
  for (let run = 1; run <= count; run += 1) {
    const message = await checkRows(9_000_000 + run).catch((error: unknown) => `threw ${String(error)}`);
    if (message !== undefined) return { message, schedules: run };
  }
  return { message: undefined, schedules: count };
}
