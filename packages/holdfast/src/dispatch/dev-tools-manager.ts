// Shows what a controller does in the Redux DevTools: one action per event, with the state after it. For development.
import type { ControllerEvent, Manager, ManagerHost } from './manager.ts';

/**
 * The extension's connection, as `__REDUX_DEVTOOLS_EXTENSION__.connect()` gives it.
 *
 * @example
 * const record: string[] = [];
 * const connection: DevToolsManager.Connection = {
 *   init: () => {},
 *   send: ({ type }) => record.push(type),
 *   subscribe: () => undefined,
 * };
 * new DevToolsManager({ connect: () => connection });
 */
export interface DevToolsConnection {
  init(state: unknown): void;
  send(action: { readonly type: string }, state: unknown): void;
  subscribe(listener: (message: DevToolsMessage) => void): (() => void) | undefined;
}

/**
 * What the extension says to the page: someone pressed a button in it.
 *
 * @example const isReset = (message: DevToolsManager.Message) => message.payload?.type === 'RESET';
 */
export interface DevToolsMessage {
  readonly type: string;
  readonly payload?: { readonly type?: string };
}

/**
 * Where the extension is, and what is shown of the state.
 *
 * @example
 * const options: DevToolsManager.Options = { connect: () => undefined, state: () => 'not shown' };
 * new DevToolsManager(options);
 */
export interface DevToolsOptions {
  /** Connects to the extension; undefined when it is not there. */
  readonly connect: () => DevToolsConnection | undefined;
  /** What to show as the state. Default: nothing. */
  readonly state?: (host: ManagerHost) => unknown;
}

/**
 * A bridge to the Redux DevTools. Its "Reset" empties the store.
 *
 * @example
 * const tools = Reflect.get(window, '__REDUX_DEVTOOLS_EXTENSION__') as { connect(): DevToolsManager.Connection } | undefined;
 * new DevToolsManager({
 *   connect: () => tools?.connect(),
 *   state: () => dehydrate(controller),
 * });
 */
export class DevToolsManager implements Manager {
  readonly #options: DevToolsOptions;
  #connection: DevToolsConnection | undefined;
  #stop: (() => void) | undefined;

  constructor(options: DevToolsOptions) {
    this.#options = options;
  }

  start(host: ManagerHost): void {
    this.#connection = this.#options.connect();
    this.#connection?.init(this.#options.state?.(host));
    this.#stop = this.#connection?.subscribe(({ type, payload }) => {
      if (type === 'DISPATCH' && payload?.type === 'RESET') host.resetEntireStore();
    });
  }

  stop(): void {
    this.#stop?.();
    this.#connection = undefined;
  }

  event(event: ControllerEvent, host: ManagerHost): void {
    this.#connection?.send(event, this.#options.state?.(host));
  }
}

export declare namespace DevToolsManager {
  export type { DevToolsConnection as Connection, DevToolsMessage as Message, DevToolsOptions as Options };
}
