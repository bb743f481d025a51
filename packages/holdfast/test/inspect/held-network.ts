// A network that a test controls: requests wait until the test responds to them, in any order.
import { Controller, getDefaultManagers } from 'holdfast';
import type { ControllerOptions } from 'holdfast';
import { inspect } from 'holdfast/inspect';
import type { Inspector } from 'holdfast/inspect';
import { FakeWorld } from '../support/fake-world.ts';

interface Held {
  readonly name: string;
  readonly resolve: (response: Response) => void;
}

export class HeldNetwork {
  #held: Held[] = [];

  readonly fetch = (url: string, init?: RequestInit): Promise<Response> => {
    const { pathname, search } = new URL(url);
    return new Promise((resolve) => {
      this.#held.push({ name: `${init?.method ?? 'GET'} ${pathname}${search}`, resolve });
    });
  };

  /** What waits, the oldest first. */
  get waiting(): readonly string[] {
    return this.#held.map(({ name }) => name);
  }

  /** Responds to the oldest request with this name, or to the one at that index among those with the name. */
  async answer(name: string, body?: unknown, { status = 200, place = 0, headers = {} } = {}): Promise<void> {
    await settle();
    const held = this.#held.filter((one) => one.name === name)[place];
    if (!held) throw new Error(`no ${name} waits, only ${this.waiting.join(', ')}`);
    this.#held.splice(this.#held.indexOf(held), 1);
    const text = body === undefined ? null : JSON.stringify(body);
    held.resolve(new Response(text, { status, headers: { 'content-type': 'application/json', ...headers } }));
    await settle();
  }
}

export async function settle(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setTimeout(resolve, 0));
}

export interface Inspected {
  readonly network: HeldNetwork;
  readonly world: FakeWorld;
  readonly inspector: Inspector;
  readonly controller: Controller;
}

export function createInspected(options: Inspector.Options = {}, others: ControllerOptions = {}): Inspected {
  const network = new HeldNetwork();
  const world = new FakeWorld();
  const inspector = inspect(options);
  const controller = new Controller({
    ...world.options,
    fetch: network.fetch,
    managers: [inspector, ...getDefaultManagers()],
    ...others,
  });
  return { network, world, inspector, controller };
}
