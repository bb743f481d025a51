// Notes: rows whose versions the server counts. It keeps every version since a note was created, so that replicas can respond
// with an older one, and messages can arrive late, twice and out of order. A deletion reaches all replicas at once, and drops the
// remaining messages: a note that is created later with the same id starts at version 1.
import type { ServerReply, ServerRequest } from './model-server.ts';

export interface ServerNote {
  readonly id: string;
  readonly version: number;
  readonly title: string;
  readonly mood: string;
  /** Only in responses with a single note: a list contains summaries. */
  readonly text: string;
}

/** A note as in a payload: whole, a summary, or less. */
export type SaidNote = Pick<ServerNote, 'id'> & Partial<ServerNote>;

export const NOTES: readonly string[] = ['n1', 'n2'];

export class NoteServer {
  /** The newest version last; a deleted note has none. */
  readonly #versions = new Map<string, ServerNote[]>();
  /** How old the versions in the next response are: 0 for the newest, towards 1 for older ones. */
  lag = 0;

  constructor() {
    for (const id of NOTES) this.create(id, `seed ${id}`);
  }

  create(id: string, title: string): void {
    this.#versions.set(id, [{ id, version: 1, title, mood: 'calm', text: `text of ${title}` }]);
  }

  change(id: string, fields: Partial<ServerNote>): void {
    const note = this.current(id);
    if (!note) return;
    const { title = note.title, mood = note.mood, text = note.text } = fields;
    this.versions(id).push({ id, version: note.version + 1, title, mood, text });
  }

  versions(id: string): ServerNote[] {
    return this.#versions.get(id) ?? [];
  }

  current(id: string): ServerNote | undefined {
    return this.versions(id).at(-1);
  }

  /** The note as a replica has it. */
  #replica(id: string): ServerNote | undefined {
    return this.versions(id).at(-1 - Math.floor(this.lag * Math.min(3, this.versions(id).length)));
  }

  answer({ method, body }: ServerRequest, id: string | undefined): ServerReply {
    if (id === undefined) {
      const notes = NOTES.flatMap((one) => this.#replica(one) ?? []);
      return { status: 200, value: notes.map(summaryOf) };
    }
    if (!this.current(id)) return { status: 404, value: { error: 'no such note' } };
    if (method === 'GET') return { status: 200, value: this.#replica(id) };
    if (method === 'DELETE') {
      this.#versions.delete(id);
      return { status: 204 };
    }
    this.change(id, body as Partial<ServerNote>); // cast: bodies are made by the simulator
    return { status: 200, value: this.current(id) };
  }
}

export function summaryOf({ id, version, title, mood }: ServerNote): SaidNote {
  return { id, version, title, mood };
}
