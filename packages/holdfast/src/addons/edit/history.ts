// `history`: undo and redo of the mutations of some resources. It records each mutation when it is called; undo.ts undoes.
//
//   mutation ─▶ past ──undo──▶ future ──redo──▶ past
//               └─ a mutation that fails leaves its step       a new mutation empties the future; a reset empties both
import type { Controller } from '../../controller/controller.ts';
import { ancestorsOf, changesOf } from '../../controller/request/ancestor.ts';
import { CORE } from '../../controller/state/core.ts';
import type { Core } from '../../controller/state/core.ts';
import { listen, notify } from '../../controller/state/listeners.ts';
import type { Listeners } from '../../controller/state/listeners.ts';
import type { Flight } from '../../dispatch/flights.ts';
import { entityKindOf } from '../../endpoint/row-name.ts';
import { isRemoval } from '../../schema/protocol/protocol.ts';
import { isEqual } from '../../store/fields.ts';
import { toPlain } from '../../store/stored-form.ts';
import { HoldfastError, ResetError } from '../../support/errors.ts';
import { holdDeletion } from './hold-deletions.ts';
import type { HeldDeletions } from './hold-deletions.ts';
import { bodyOf } from './inverse.ts';
import type { LeftField } from './inverse.ts';
import { undo } from './undo.ts';
import type { LastInverses, Undoable, UndoResult } from './undo.ts';
import { endpointsFor, registerResources } from './undo-resources.ts';
import type { UndoResource } from './undo-resources.ts';
import { listenToWrites } from './write-events.ts';
import type { OnWrite } from './write-events.ts';
import { groupOf, runInGroup } from './write-groups.ts';
import type { WriteGroup } from './write-groups.ts';

/** How many steps a history keeps. */
export const DEFAULT_UNDO_LIMIT = 100;

/**
 * Options of {@link history}.
 *
 * @example const options: history.Options = { resources: [TodoResource], limit: 20, holdMs: 5_000 };
 */
export interface HistoryOptions {
  /** The mutations of the entities of these resources are recorded. The endpoints of the resources undo these mutations. */
  readonly resources: readonly UndoResource[];
  /** How many steps are kept; the oldest step is forgotten first. Default: `defaults.history.limit`. */
  readonly limit?: number;
  /** How many milliseconds a deletion waits before it is sent; while it waits, its undo needs no `restore`. Default: it does not wait. */
  readonly holdMs?: number;
}

/**
 * The state of a {@link history}: the names of the steps that `undo` and `redo` would take; undefined if there is no such step.
 *
 * @example const textOf = ({ undo }: history.State) => (undo ? `Undo: ${undo}` : 'Nothing to undo');
 */
export interface HistoryState {
  readonly undo?: string;
  readonly redo?: string;
}

/**
 * The steps that can be undone: see {@link history}. Its functions need no `this`.
 *
 * @example
 * const onKeyDown = (past: history.History, event: { ctrlKey: boolean; key: string }) => {
 *   if (event.ctrlKey && event.key === 'z') void past.undo();
 * };
 */
export interface HistoryHandle {
  /**
   * Undoes the last step. The change is shown at once, with two exceptions: a row that `restore` brings back is usually shown with
   * the response; and the step may wait for its redo, for an earlier step that waits, or for the response to a mutation without an
   * optimistic update. The promise waits for the server. It rejects after a failure that is not a final refusal; unless the store
   * was reset, the step can then be undone again.
   */
  readonly undo: () => Promise<UndoResult>;
  /** Undoes the last undo. */
  readonly redo: () => Promise<UndoResult>;
  /** Makes one step of all recorded mutations that the function calls before it returns. */
  readonly group: <T>(label: string, run: () => T) => T;
  /** Returns the same object until the state changes. */
  readonly read: () => HistoryState;
  readonly listen: (onChange: () => void) => () => void;
  /** Ends the history. Held deletions are sent. */
  readonly close: () => void;
}

interface Step {
  readonly label: string;
  readonly group?: WriteGroup | undefined;
  writes: Undoable[];
  /** Set on the inverse of a step while that step is being undone; settles when `writes` is complete. */
  end?: Promise<unknown> | undefined;
  /** Set while an undo or a redo waits: the mutations of this inverse are opened later. */
  isWaiting?: boolean;
}

/**
 * Records the mutations of these resources, and undoes them step by step. An undo restores the fields that still have the values
 * that were written; fields that other clients have changed since are not changed.
 *
 * @example
 * const past = history(controller, { resources: [TodoResource] });
 * const archive = (ids: readonly string[]) =>
 *   past.group('Archive', () => ids.map((id) => controller.fetch(TodoResource.partialUpdate, { id }, { done: true })));
 * const { undone, left } = await past.undo();
 */
export function history(controller: Controller, options: HistoryOptions): HistoryHandle {
  return new History(controller[CORE], options);
}

class History implements HistoryHandle {
  readonly #core: Core;
  readonly #tables: ReadonlySet<string>;
  readonly #limit: number;
  readonly #holdMs: number | undefined;
  readonly #deletions: HeldDeletions = new Map();
  readonly #past: Step[] = [];
  readonly #future: Step[] = [];
  /** The steps that are being undone or redone. */
  readonly #active = new Set<Step>();
  /** Settles when the last waiting step has begun; undefined if no step waits. */
  #lastWait: Promise<unknown> | undefined;
  readonly #inverses = new WeakSet<Flight>();
  readonly #lastInverses: LastInverses = new Map();
  readonly #listeners: Listeners = new Set();
  readonly #stops: readonly (() => void)[];
  #engine: Core['engine'];
  #state: HistoryState = {};

  constructor(core: Core, { resources, limit = DEFAULT_UNDO_LIMIT, holdMs }: HistoryOptions) {
    for (const [name, found] of Object.entries({ limit, holdMs }))
      if (found !== undefined && !(found > 0 && found < Infinity))
        throw new HoldfastError('HISTORY_OPTION_INVALID', { name, found });
    this.#core = core;
    this.#engine = core.engine;
    this.#limit = limit;
    this.#tables = new Set(registerResources(core, resources));
    this.#holdMs = holdMs;
    this.#stops = [
      listenToWrites(core, this.#onWrite),
      listen(core.pendingListeners, () => {
        if (core.engine === this.#engine) return;
        this.#engine = core.engine;
        this.#empty();
      }),
    ];
  }

  readonly undo = (): Promise<UndoResult> => this.#step(this.#past, this.#future);
  readonly redo = (): Promise<UndoResult> => this.#step(this.#future, this.#past);
  readonly group = <T>(label: string, run: () => T): T => runInGroup(this.#core, { label }, run);
  readonly read = (): HistoryState => this.#state;
  readonly listen = (onChange: () => void): (() => void) => listen(this.#listeners, onChange);

  readonly close = (): void => {
    for (const stop of this.#stops) stop();
    this.#empty();
  };

  #step(from: Step[], to: Step[]): Promise<UndoResult> {
    const core = this.#core;
    const { engine } = core;
    const step = from.pop();
    if (!step) return Promise.resolve({ undone: 0, left: [] });
    // A step begins after all earlier steps that wait, because its mutations may need the rows that the earlier step restores.
    const wait = step.end ? Promise.all([step.end, this.#lastWait]) : this.#lastWait;
    const inverse: Step = { label: step.label, writes: [], end: Promise.resolve(), isWaiting: !!wait };
    to.push(inverse); // in its place from now on; `end` keeps it there while it is empty
    this.#active.add(step);
    const run = async (): Promise<UndoResult> => {
      if (core.engine !== engine) throw new ResetError(); // the store was reset while this step waited for another step
      inverse.isWaiting = false;
      const undoing = undo(core, step.writes, endpointsFor(core), this.#lastInverses);
      this.#discardInOtherHistories(step);
      const { undone, left, inverse: writes, failed, error } = await undoing;
      this.#discardInOtherHistories(step);
      inverse.writes = writes;
      if (failed.length && core.engine === engine) from.push({ ...step, writes: failed, end: undefined });
      if (error) throw error;
      return { undone, left };
    };
    const result = wait ? wait.then(run) : run();
    this.#lastWait = wait;
    void wait?.then(() => {
      if (this.#lastWait === wait) this.#lastWait = undefined;
    });
    const complete = (): void => {
      inverse.end = undefined;
      this.#active.delete(step);
      this.#prune();
    };
    inverse.end = result.then(complete, complete);
    this.#updateState();
    return result;
  }

  /** Removes the undone mutations from other histories, except mutations in flight, because these may still fail. */
  #discardInOtherHistories({ writes }: Step): void {
    for (const { flight } of writes) if (flight.isSettled) this.#core.extension.onWrite?.(flight, 'discard');
  }

  readonly #onWrite: OnWrite = (flight, event) => {
    const { kind, endpoint } = flight.call;
    const group = groupOf(this.#core);
    if (event === 'open' && group?.isUndo) this.#inverses.add(flight);
    if (event === 'acknowledge') this.#noteAcknowledged(flight);
    else if (event === 'discard' || event === 'fail') this.#remove(flight);
    else if (event === 'open' && !group?.isUndo && this.#tables.has(entityKindOf(endpoint)?.key ?? '')) {
      // The step precedes the redos that wait, because the mutations of these redos are opened later.
      const past = this.#past.filter(({ isWaiting }) => !isWaiting);
      const last = past.at(-1);
      if (group && last?.group === group) last.writes.push({ flight });
      else {
        const step = { label: group?.label ?? endpoint.name, group, writes: [{ flight }] };
        this.#past.splice(past.length, 0, step);
      }
      if (this.#past.length > this.#limit) this.#past.shift();
      this.#future.length = 0;
      if (this.#holdMs && isRemoval(kind)) holdDeletion(this.#core, flight, this.#holdMs, this.#deletions);
      this.#updateState();
    }
  };

  /**
   * Called when a mutation of this client is acknowledged. Each step notes the values that it wrote, because an undo does not restore a
   * field that has another value now. In two cases the note of another step takes the present value:
   * - the mutation is an inverse, and has restored the noted value;
   * - the step has created the row, and the server computes the field, for example the time of the last change: neither the step nor
   *   the mutation has sent the field, and the field had the noted value before the mutation.
   */
  #noteAcknowledged(flight: Flight): void {
    const ancestors = ancestorsOf(flight);
    const isInverse = this.#inverses.has(flight);
    const sent = bodyOf(flight);
    for (const row of changesOf(flight).keys())
      for (const { writes } of [...this.#past, ...this.#future, ...this.#active])
        for (const { flight: earlier } of writes) {
          const changes = changesOf(earlier);
          const written = changes.get(row);
          if (earlier === flight || !written || !row.base) continue;
          const isCreated = !ancestorsOf(earlier).get(row);
          const noted = { ...written };
          for (const [name, value] of Object.entries(written))
            if (
              name in sent
                ? isInverse && isEqual(toPlain(value), sent[name])
                : isCreated && !(name in bodyOf(earlier)) && isEqual(value, ancestors.get(row)?.[name])
            )
              noted[name] = row.base[name];
          changes.set(row, noted);
        }
    if (changesOf(flight).size === 0) this.#remove(flight); // there is nothing to undo
    this.#prune();
  }

  #remove(flight: Flight): void {
    this.#deletions.get(flight)?.();
    for (const step of [...this.#past, ...this.#future])
      step.writes = step.writes.filter((each) => each.flight !== flight || each.isDiscarded);
    this.#prune();
  }

  /** Removes the steps that have no mutation and will get none. */
  #prune(): void {
    for (const steps of [this.#past, this.#future]) {
      const kept = steps.filter(({ writes, end }) => writes.length > 0 || end !== undefined);
      steps.splice(0, steps.length, ...kept);
    }
    this.#updateState();
  }

  #empty(): void {
    for (const release of this.#deletions.values()) release();
    this.#past.length = 0;
    this.#future.length = 0;
    this.#lastInverses.clear();
    this.#updateState();
  }

  #updateState(): void {
    const [last, next] = [this.#past.at(-1)?.label, this.#future.at(-1)?.label];
    if (this.#state.undo === last && this.#state.redo === next) return;
    this.#state = { ...(last !== undefined && { undo: last }), ...(next !== undefined && { redo: next }) };
    queueMicrotask(() => notify(this.#listeners)); // after the batch of a response
  }
}

export declare namespace history {
  export type {
    HistoryHandle as History,
    HistoryOptions as Options,
    HistoryState as State,
    LeftField as Left,
    UndoResource as Resource,
    UndoResult as Result,
  };
}
