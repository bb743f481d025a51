// The naive computation of what a client knows of notes: of two payloads the one with the higher version counts, whenever each
// was sent and arrived. A lower version changes no field; where it has a field that the higher one lacked, the row is stale.
import { NOTES } from './notes-server.ts';
import type { SaidNote } from './notes-server.ts';

/** The effect of a pending call. An optimistic update without a version is shown over every version. */
export interface NoteLayer {
  readonly id: string;
  /** undefined: the row is deleted. */
  readonly fields: Readonly<Partial<SaidNote>> | undefined;
}

interface Slot {
  value: unknown;
  /** The version of the payload that the value comes from. */
  version: number;
  /** Values of other payloads with the version of the row, which may be shown too: the order of requests decides between them. */
  other?: unknown;
}

interface NoteRow {
  version: number;
  readonly slots: Map<string, Slot>;
  /** Fields that only a payload of a lower version contained: the row is read again, until anything newer arrives. */
  readonly missing: Set<string>;
  /** The newest value of each field, whether it was accepted or not. */
  readonly told: Map<string, { value: unknown; version: number }>;
  /** The stamp of the newest payload that was accepted, and when it arrived. */
  stamp: number;
  atMs: number;
}

/** The values of each field that may be shown; undefined: no row. */
export type ShownNote = ReadonlyMap<string, readonly unknown[]> | undefined;

export class NotesOracle {
  readonly #rows = new Map<string, NoteRow>();
  /** Arrival of the last acknowledged delete: payloads that were sent before it are ignored. */
  readonly #goneAt = new Map<string, number>();
  #layers: NoteLayer[] = [];

  /** One payload about a note. `stamp` is its place in the order: the sending of a read, the arrival of anything else. */
  state({ id, ...fields }: SaidNote, said: { send: number; stamp: number; atMs: number }): void {
    if (said.send < (this.#goneAt.get(id) ?? 0)) return;
    const version = fields.version!; // every payload of the simulator has one
    const row: NoteRow = this.#rows.get(id) ?? {
      version,
      slots: new Map(),
      missing: new Set(),
      told: new Map(),
      stamp: 0,
      atMs: 0,
    };
    this.#rows.set(id, row);
    // a message that repeats the stored note does not make it fresher
    const isNews = Object.entries(fields).some(
      ([name, value]) => JSON.stringify(row.slots.get(name)?.value) !== JSON.stringify(value),
    );
    for (const [name, value] of Object.entries(fields)) {
      if ((row.told.get(name)?.version ?? 0) <= version) row.told.set(name, { value, version });
      const slot = row.slots.get(name);
      if (version < row.version) {
        if (!slot) row.missing.add(name);
        continue;
      }
      if (slot && version === row.version && slot.version < version) slot.other = value;
      else row.slots.set(name, { value, version });
    }
    if (version < row.version) return;
    row.version = version;
    row.missing.clear();
    if (said.stamp <= row.stamp) return;
    row.stamp = said.stamp;
    if (isNews || said.send < said.stamp) row.atMs = said.atMs;
  }

  /** Deleting a row removes its version. */
  remove(id: string, at: number): void {
    this.#rows.delete(id);
    this.#goneAt.set(id, at);
  }

  /** A collection removed the note. */
  forget(id: string): void {
    this.#rows.delete(id);
  }

  /** After a save and a restore the source of each field need not be known. */
  restore(): void {
    for (const { slots, told, missing, version } of this.#rows.values()) {
      told.clear();
      missing.clear();
      for (const slot of slots.values()) slot.version = version;
    }
  }

  reset(): void {
    this.#rows.clear();
    this.#layers = [];
    // requests from before a reset never arrive
    this.#goneAt.clear();
  }

  addLayer(layer: NoteLayer): void {
    this.#layers.push(layer);
  }

  removeLayer(layer: NoteLayer): void {
    this.#layers = this.#layers.filter((other) => other !== layer);
  }

  hasLayer(id: string): boolean {
    return this.#layers.some((layer) => layer.id === id);
  }

  row(id: string): Pick<NoteRow, 'stamp' | 'atMs'> | undefined {
    return this.#rows.get(id);
  }

  /** The visible notes, with or without the optimistic updates of pending calls. */
  visible({ isBase }: { isBase: boolean }): string[] {
    return NOTES.filter((id) => (isBase ? this.#rows.has(id) : this.view(id)));
  }

  view(id: string): ShownNote {
    const row = this.#rows.get(id);
    if (!row) return undefined;
    let shown: ShownNote = new Map(
      [...row.slots].map(([name, slot]) => [name, 'other' in slot ? [slot.value, slot.other] : [slot.value]]),
    );
    let { version } = row;
    for (const { id: target, fields } of this.#layers) {
      if (target !== id || !shown) continue;
      // an optimistic update with a version counts like any payload of that version
      if (fields && (fields.version ?? version) < version) continue;
      version = fields?.version ?? version;
      shown =
        fields &&
        new Map([...shown, ...Object.entries(fields).map(([name, value]) => [name, [value]] as const)]);
    }
    return shown;
  }

  /** A field whose newest value is not shown; undefined where there is none. */
  findOutdated(
    id: string,
    note: Readonly<Record<string, unknown>>,
    names: readonly string[],
  ): string | undefined {
    const row = this.#rows.get(id);
    return names.find((name) => {
      const told = row?.told.get(name);
      const slot = row?.slots.get(name);
      if (!slot) return row?.missing.has(name);
      return told && told.version > slot.version && note[name] !== told.value;
    });
  }
}
