// The interface that the simulator drives: any client that supports these calls. The reference client proves the simulator, the
// Holdfast adapter is the reason for it.
import type { Filter } from './model-server.ts';
import type { JobList, ServerJob } from './jobs-server.ts';
import type { SaidNote } from './notes-server.ts';
import type { Surroundings } from './surroundings.ts';
import type { VirtualTime } from './virtual-time.ts';

/** Reads that every client has. */
export type PlainRead =
  | { kind: 'get'; id: string }
  | { kind: 'list'; filter: Filter }
  | { kind: 'user'; id: string };

export type ReadCall =
  | PlainRead
  /** Reads of rows whose versions the server counts. */
  | { kind: 'note'; id: string }
  | { kind: 'notes' }
  | { kind: 'jobs'; list: JobList };

/** Writes of one row, which every client has. */
export type RowWrite =
  | { kind: 'create'; body: Fields }
  | { kind: 'patch'; id: string; body: Fields }
  | { kind: 'put'; id: string; body: Fields }
  | { kind: 'vote'; id: string }
  | { kind: 'remove'; id: string }
  | { kind: 'rename'; id: string; body: Fields };

/** Through an endpoint whose rows are of several types; a creation is not shown before its response. */
export type ThingWrite =
  | { kind: 'createThing'; body: Fields }
  | { kind: 'patchThing'; id: string; body: Fields }
  | { kind: 'removeThing'; id: string };

/** Many rows in one request. */
export type ManyWrite =
  | { kind: 'patchMany'; ids: readonly string[]; body: Fields }
  | { kind: 'removeMany'; ids: readonly string[] };

/** Of a row whose versions the server counts. */
export type NoteWrite =
  | { kind: 'patchNote'; id: string; body: Readonly<Partial<SaidNote>> }
  | { kind: 'removeNote'; id: string };

/** Of a row that is in lists of every shape. */
export type JobWrite =
  | { kind: 'createJob'; body: Partial<ServerJob> }
  | { kind: 'patchJob'; id: string; body: Partial<ServerJob> }
  | { kind: 'removeJob'; id: string };

export type WriteCall =
  | RowWrite
  | JobWrite
  | NoteWrite
  | ThingWrite
  | ManyWrite
  /** A change of the fields that lists are filtered by, through the list's own endpoint. */
  | { kind: 'move'; id: string; body: Fields }
  /** A separate request that sets a field on the server, without a body and without an optimistic update. */
  | { kind: 'close'; id: string };

export type Call = ReadCall | WriteCall;

export type Fields = Readonly<Record<string, string>>;

/** True when it uses the endpoint of several types. */
export function isOfThings(call: Call): call is ThingWrite {
  return call.kind.endsWith('Thing');
}

/** The rows of a call about many. */
export function manyBody(call: ManyWrite): Fields[] {
  return call.ids.map((id) => (call.kind === 'patchMany' ? { id, ...call.body } : { id }));
}

/** One row as the client shows it. */
export interface ViewRow {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly group: string;
  readonly body: string;
  readonly votes: number;
  readonly owner: { readonly id: string; readonly name: string } | undefined;
}

/** One note as the client shows it. */
export interface ViewNote {
  readonly version: number;
  readonly title: string;
  readonly mood: string;
  readonly text: string;
}

export interface Watched {
  readonly value: unknown;
  readonly error: unknown;
  readonly status: unknown;
  readonly isFetching: unknown;
  /** True when a reader has to wait. */
  readonly isBlocked?: unknown;
  /** Identifies what is on screen: another value is a change too, such as another request to wait for. */
  readonly shown?: unknown;
}

export interface Watch {
  read(): Watched;
  stop(): void;
}

export interface SubjectEnvironment {
  fetch: (input: string, init?: RequestInit) => Promise<Response>;
  clock: VirtualTime['clock'];
  timers: VirtualTime['timers'];
  random: () => number;
  /** True when mutations are shown before their responses. */
  isOptimistic: boolean;
  surroundings: Surroundings;
  /** True when a PUT or DELETE is repeated once after a temporary failure. */
  hasRetries: boolean;
  /** Expiry times of data and of failures, and the retention of unused data; undefined: no end. */
  lifeMs: number | undefined;
  errorMs: number | undefined;
  keepMs: number | undefined;
}

export interface Subject {
  fetch(call: Call): Promise<unknown>;
  /** A local write of some fields of a row. */
  set(id: string, fields: Fields): void;
  /** The whole row, as in a message of a socket. */
  push(id: string, row: unknown): void;
  invalidate(call: ReadCall): void;
  /** Invalidates or expires every list. */
  invalidateLists(): void;
  expireLists(): void;
  reset(): void;

  readRow(id: string): ViewRow | undefined;
  readList(filter: Filter): readonly ViewRow[] | undefined;
  readUserName(id: string): string | undefined;
  /** True when the client would return this without a new request. */
  isFresh(call: ReadCall): boolean;
  /** Pending mutations of one row; undefined: the client does not report them. */
  countPending(id: string): number | undefined;
  watch(call: ReadCall, onChange: () => void): Watch;
  /** Fetches repeatedly until `unpoll`. Absent: the client does not poll. */
  poll?(call: PlainRead): void;
  unpoll?(call: PlainRead): void;
  /** True when it has the lists of other shapes, and the writes of more than one row. */
  readonly hasShapes?: boolean;
  /** Names of the users in the list of several types. Absent: the client has no such list. */
  readThingUsers?(): readonly { readonly id: string; readonly name: string }[] | undefined;
  /** A message about a note: a value for the store, or (`isAnswer`) the response of its read. Absent: the client has no notes. */
  tellNote?(said: SaidNote, isAnswer: boolean): void;
  readNote?(id: string): ViewNote | undefined;
  /** The visible notes in the list of notes. */
  readNoteIds?(): readonly string[];
  /** The ids in a list of jobs; undefined where the list is not stored. Absent: the client has no jobs. */
  readJobs?(list: JobList): readonly string[] | undefined;
  hasJob?(id: string): boolean;
  /** A message about a job: a value for the store, or (`isAnswer`) the response of its read. */
  tellJob?(id: string, said: object, isAnswer: boolean): void;
  /** Starts again with its own saved state. Absent: the client does not save. */
  reopen?(): void;
  /** The saved state of another client that reads these now. Absent: the client does not save. */
  saveElsewhere?(calls: readonly ReadCall[], answer: AnswerNow): Promise<string>;
  /** Hydrates a saved state while the client is in use. */
  bring?(saved: string): void;
  /** The data of a reader that is mounted now. Absent: the client has one reader only. */
  peek?(call: ReadCall): unknown;
  /** How much is stored in memory. Absent: the client does not report it. */
  countKept?(): number;
  /** Stops everything that runs by itself. */
  stop?(): void;
}

/** Responds to a read at once, by its address. */
export type AnswerNow = (address: string) => Response;

export type CreateSubject = (environment: SubjectEnvironment) => Subject;
