// Sends each event of a controller to the Redux DevTools as an action, with the state after the event if an option gives the state.
// It is for development.
import type { ControllerEvent, Manager, ManagerHost } from './manager.ts';

/**
 * The connection that `__REDUX_DEVTOOLS_EXTENSION__.connect()` returns.
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
 * A message from the extension to the page, for example when a user presses a button in the extension.
 *
 * @example const isReset = (message: DevToolsManager.Message) => message.payload?.type === 'RESET';
 */
export interface DevToolsMessage {
  readonly type: string;
  readonly payload?: { readonly type?: string };
}

/**
 * Options of {@link DevToolsManager}: how to connect to the extension, and which state to show.
 *
 * @example
 * const options: DevToolsManager.Options = { connect: () => undefined, state: () => 'not shown' };
 * new DevToolsManager(options);
 */
export interface DevToolsOptions {
  /** Connects to the extension; returns undefined when the extension is not installed. */
  readonly connect: () => DevToolsConnection | undefined;
  /** Returns the value to show as the state. Default: no state is shown. */
  readonly state?: (host: ManagerHost) => unknown;
}

/**
 * Shows the controller's events in the Redux DevTools. The "Reset" button there resets the store.
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
