// The public entries that a comparison drives, with loose types: endpoints, schemas and arguments are picked by number from
// tables, so no signature could distinguish them.
import type * as holdfast from 'holdfast';

export type Library = typeof holdfast;

export interface Shown {
  readonly data: unknown;
  readonly error: unknown;
  readonly isBlocked: unknown;
  readonly expiryStatus?: unknown;
  readonly isFetching?: unknown;
}

export interface LooseObserver {
  read(): Shown;
  readShown?(): unknown;
  /** The name of `readShown` in an earlier build. */
  look?(): unknown;
  subscribe(onChange: () => void): () => void;
  subscribePassively?(onChange: () => void): () => void;
  /** The name of `subscribePassively` in an earlier build. */
  listen?(onChange: () => void): () => void;
  ensure(): Promise<unknown> | undefined;
  retry(): void;
}

export interface LoosePendingObserver {
  read(): readonly unknown[];
  subscribe(onChange: () => void): () => void;
}

type Args = readonly unknown[];

export interface LooseController {
  fetch(endpoint: unknown, ...args: Args): Promise<unknown>;
  fetchIfStale(endpoint: unknown, ...args: Args): unknown;
  get(schema: unknown, ...args: Args): unknown;
  getResponse(
    endpoint: unknown,
    ...args: Args
  ): { readonly data: unknown; readonly expiryStatus: unknown; readonly expiresAt: number };
  getError(endpoint: unknown, ...args: Args): unknown;
  getPending(schema: unknown, ...args: Args): readonly { readonly status: string }[];
  watch(endpoint: unknown, ...args: Args): LooseObserver;
  watchQuery(schema: unknown, ...args: Args): LooseObserver;
  watchPending(schema: unknown, ...args: Args): LoosePendingObserver;
  snapshot(): { get(schema: unknown, ...args: Args): unknown };
  set(schema: unknown, ...args: Args): Promise<void>;
  setResponse(endpoint: unknown, ...args: Args): Promise<void>;
  setError(endpoint: unknown, ...args: Args): Promise<void>;
  invalidate(endpoint: unknown, ...args: Args): void;
  invalidateAll(endpoint: unknown): void;
  expireAll(endpoint: unknown): void;
  resetEntireStore(): void;
  readonly size: number;
  subscribe(endpoint: unknown, ...args: Args): void;
  unsubscribe(endpoint: unknown, ...args: Args): void;
  start(): void;
  stop(): void;
}
