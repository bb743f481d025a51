// What a client knows of notes, worked out naively: of two statements the one of the higher version counts, whenever each was
// sent and came. A lower one changes no field; where it carries a field that the higher one lacked, the row is in doubt.
import { NOTES } from './notes-server.ts';
import type { SaidNote } from './notes-server.ts';

/** What a pending call shows. A guess that states no version lies over every version. */
export interface NoteLayer {
  readonly id: string;
  /** undefined: the row is gone. */
  readonly fields: Readonly<Partial<SaidNote>> | undefined;
}

interface Slot {
  value: unknown;
  /** Of the statement that it comes from. */
  version: number;
  /** Said by another statement of the row's version, which may be shown too: those are decided by the order of requests. */
  other?: unknown;
}

interface NoteRow {
  version: number;
  readonly slots: Map<string, Slot>;
  /** Fields that only a statement of a lower version has said: those are asked for, until anything newer comes. */
  readonly missing: Set<string>;
  /** The newest that was ever said of each field, whether it was taken or not. */
  readonly told: Map<string, { value: unknown; version: number }>;
  /** Place on the line of stamps of the newest statement that was taken, and when it came. */
  stamp: number;
  atMs: number;
}

/** The values of each field that may be shown; undefined: no row. */
export type ShownNote = ReadonlyMap<string, readonly unknown[]> | undefined;

export class NotesOracle {
  readonly #rows = new Map<string, NoteRow>();
  /** Arrival of the last acknowledged delete: statements sent before it are dead. */
  readonly #goneAt = new Map<string, number>();
  #layers: NoteLayer[] = [];

  /** One statement about a note. `stamp` is its place on the line: a read's sending, anything else's arrival. */
  state({ id, ...fields }: SaidNote, said: { send: number; stamp: number; atMs: number }): void {
    if (said.send < (this.#goneAt.get(id) ?? 0)) return;
    const version = fields.version!; // every statement of the simulator has one
    const row: NoteRow = this.#rows.get(id) ?? {
      version,
      slots: new Map(),
      missing: new Set(),
      told: new Map(),
      stamp: 0,
      atMs: 0,
    };
    this.#rows.set(id, row);
    // a message that repeats what is known does not make the note younger
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

  /** The delete of a row forgets its version. */
  remove(id: string, at: number): void {
    this.#rows.delete(id);
    this.#goneAt.set(id, at);
  }

  /** A collection took it. */
  forget(id: string): void {
    this.#rows.delete(id);
  }

  /** Saved and restored: which statement brought which field need not be known any more. */
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
    // what was sent before a reset never arrives
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

  /** Those who can be seen, with or without the guesses of pending calls. */
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
      // a guess that states a version is no more than a statement of it
      if (fields && (fields.version ?? version) < version) continue;
      version = fields?.version ?? version;
      shown =
        fields &&
        new Map([...shown, ...Object.entries(fields).map(([name, value]) => [name, [value]] as const)]);
    }
    return shown;
  }

  /** A field whose newest word is not shown; undefined where there is none. */
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
