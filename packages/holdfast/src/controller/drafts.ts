// Rows that exist here before the server has named them. A request whose parameters or body hold a live local id waits
// for that creation and goes out with the server's id; when the creation fails, it fails with it.
import type { Engine } from '../normalize/engine.ts';
import type { Row } from '../store/nodes.ts';
import { HoldfastError } from '../support/errors.ts';
import { AbortError } from '../support/network-errors.ts';
import type { RequestName } from '../support/network-errors.ts';

const LOCAL_PREFIX = 'local:';

interface Creation {
  readonly row: Row;
  /** Settles when the server has answered; fulfilled once the row has its name. */
  readonly named: Promise<unknown>;
  /** How to call off what waits for this row: a delete makes waiting edits pointless. */
  readonly waiting: Set<() => void>;
}

export class Drafts {
  readonly #live = new Map<string, Creation>();

  /** Remembers what a creation's guess made, until the server has answered. */
  register(rows: readonly Row[], answered: Promise<unknown>): void {
    for (const row of rows) {
      const { localId } = row;
      if (localId === null || this.#live.has(localId)) continue;
      const refuse = (error?: unknown): never => {
        throw new HoldfastError('DRAFT_NOT_CREATED', { localId }, { cause: error });
      };
      const named = answered.then(() => isUnnamed(row) && refuse(), refuse);
      named.catch(() => undefined);
      this.#live.set(localId, { row, named, waiting: new Set() });
      const forget = (): void => {
        this.#live.delete(localId);
      };
      answered.then(forget, forget);
    }
  }

  /** The creations that these arguments must wait for. */
  liveIn(args: readonly unknown[]): Creation[] {
    if (this.#live.size === 0) return [];
    const found = new Set<Creation>();
    mapTexts(args, (text) => {
      const creation = this.#live.get(text);
      if (creation) found.add(creation);
      return text;
    });
    return [...found];
  }

  clear(): void {
    this.#live.clear();
  }
}

/** Whether it goes by its local id: without an answer's body it has no other name. */
export function isUnnamed({ localId, pk, forward }: Row): boolean {
  return pk === localId && forward === null;
}

/** Waits until the server has named the rows; given up when one of the signals says so. */
export async function whenNamed(
  waiting: readonly Creation[],
  request: RequestName,
  signals: readonly AbortSignal[],
): Promise<void> {
  const abandoned = new Promise<never>((_resolve, reject) => {
    const stop = (): void => reject(new AbortError(request));
    for (const signal of signals) signal.addEventListener('abort', stop);
  });
  abandoned.catch(() => undefined);
  await Promise.race([Promise.all(waiting.map((creation) => creation.named)), abandoned]);
}

/** The arguments with every local id replaced by the server's. */
export function withServerIds(engine: Engine, args: readonly unknown[]): readonly unknown[] {
  const tables = [...engine.store.tables.values()].filter(({ aliases }) => aliases.size > 0);
  if (tables.length === 0) return args;
  const nameOf = (text: string): string => {
    for (const table of tables) {
      const row = table.aliases.get(text);
      if (row) return (row.forward ?? row).pk;
    }
    return text;
  };
  return mapTexts(args, nameOf) as readonly unknown[]; // cast: an array stays one
}

/** How deep arguments are looked through: no request has ids below that. */
const DEEPEST = 500;

/** The value with the texts that look like local ids changed; itself when there are none. Plain data only. */
function mapTexts(
  value: unknown,
  change: (text: string) => string,
  met: Map<object, unknown> = new Map(),
  depth: number = 0,
): unknown {
  if (typeof value === 'string') return value.startsWith(LOCAL_PREFIX) ? change(value) : value;
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return value;
  const isList = Array.isArray(value);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!isList && prototype !== Object.prototype && prototype !== null) return value;
  if (met.has(value)) return met.get(value);
  // in a circle it stands for itself: whoever sends it says that it cannot be written
  met.set(value, value);
  let changed: Record<string, unknown> | unknown[] | undefined;
  for (const [name, member] of Object.entries(value)) {
    const next = mapTexts(member, change, met, depth + 1);
    if (next === member) continue;
    changed ??= isList ? [...(value as unknown[])] : { ...value }; // cast: any[] to unknown[]
    (changed as Record<string, unknown>)[name] = next; // cast: an array by its index
  }
  if (changed) met.set(value, changed);
  return changed ?? value;
}
