// Rows that exist here before the server has named them. A request whose parameters or body hold a live local id waits
// for that creation and goes out with the server's id; when the creation fails, it fails with it.
import type { Engine } from '../../normalize/engine.ts';
import type { Row } from '../../store/nodes.ts';
import { HoldfastError } from '../../support/errors.ts';
import { changePlain } from '../../support/map-plain.ts';
import { AbortError } from '../../support/network-errors.ts';
import type { RequestName } from '../../support/network-errors.ts';

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

/** Changes the texts in arguments that may be local ids. */
function mapTexts<T>(args: T, change: (text: string) => string): T {
  return changePlain(args, (leaf) =>
    typeof leaf === 'string' && leaf.startsWith(LOCAL_PREFIX) ? change(leaf) : leaf,
  ) as T; // cast: a copy
}
