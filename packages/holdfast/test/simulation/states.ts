// Saved states that arrive late: another client reads something now, and its saved state is hydrated later into the client under
// test, while that is in use. A state counts as a read that was sent when the state was made.
import { recordValue } from './arrivals.ts';
import { jsonDelivery, toResponse } from './model-network.ts';
import { listKey, readKey } from './reads.ts';
import type { Filter } from './model-server.ts';
import type { Fact } from './oracle.ts';
import type { PlainRead } from './subject.ts';
import type { World } from './world.ts';

/** One response in a state: its address, and its data. */
interface Part {
  readonly call: PlainRead;
  readonly path: string;
  readonly query: Filter;
  readonly value: unknown;
}

interface State {
  readonly saved: string;
  readonly parts: readonly Part[];
  /** Its place in the order, and when it was made. */
  readonly stamp: number;
  readonly atMs: number;
}

export class States {
  readonly #world: World;
  readonly #states: State[] = [];
  /** Lists whose shown rows a state leaves open, until a later-sent read. */
  readonly #open = new Map<string, number>();
  /** When everything was last expired. */
  #expiredAt = 0;

  constructor(world: World) {
    this.#world = world;
  }

  reset(): void {
    this.#states.length = 0;
    this.#open.clear();
    this.#expiredAt = 0;
  }

  /** The lists of a state that was made before are no longer fresh. */
  expire(): void {
    this.#expiredAt = this.#world.stamp;
  }

  isOpen(key: string, listSend: number): boolean {
    return (this.#open.get(key) ?? 0) > listSend;
  }

  /** Another client reads these, each at once, and saves. */
  async save(calls: readonly PlainRead[]): Promise<void> {
    const world = this.#world;
    const parts: Part[] = [];
    const answer = (address: string): Response => {
      const url = new URL(address, 'http://model.test');
      const path = decodeURI(url.pathname);
      const query = Object.fromEntries(url.searchParams);
      const reply = world.server.answer({ method: 'GET', path, query, body: undefined });
      parts.push({ call: calls[parts.length]!, path, query, value: reply.value });
      return toResponse(jsonDelivery(reply));
    };
    world.note(`save ${calls.map(readKey).join()}`);
    const saved = await world.subject.saveElsewhere!(calls, answer);
    const { elapsedMs } = world.time;
    this.#states.push({ saved, parts, stamp: ++world.stamp, atMs: elapsedMs });
  }

  /** Returns false when there was no state to hydrate. */
  bring(fraction: number): boolean {
    const world = this.#world;
    const [state] = this.#states.splice(Math.floor(fraction * this.#states.length), 1);
    if (!state) return false;
    world.note(`bring ${state.parts.map(({ call }) => readKey(call)).join()}`);
    const at = ++world.stamp;
    world.mayBeFreshSince = at;
    for (const part of state.parts) this.#record(part, state, at);
    world.subject.bring!(state.saved);
    return true;
  }

  #record({ call, path, query, value }: Part, { stamp, atMs }: State, at: number): void {
    const world = this.#world;
    const key = readKey(call);
    const fact: Fact & { kind: 'read' } = { kind: 'read', send: stamp, at, entities: [], isSaved: true };
    recordValue(world, fact, { path, query }, value, atMs);
    // no client can know whether the state is newer than the response to an earlier request: until the row is read, either may be
    // shown
    for (const { id } of fact.entities) world.loosen(id, at);
    if (call.kind !== 'list') return;
    this.#open.set(listKey(call.filter), at);
    const isUnderWay = world.network.exchanges.some((exchange) => exchange.method === 'GET');
    if (stamp < this.#expiredAt && !world.answered.has(key) && !isUnderWay)
      world.invalidatedAt.set(key, this.#expiredAt);
  }
}
