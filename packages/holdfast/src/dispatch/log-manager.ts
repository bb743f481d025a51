// Logs each event of a controller as one line, by a function that the application gives.
import type { ControllerEvent, Manager, ManagerHost } from './manager.ts';

/**
 * Writes one line to the log; `event` is the event that the line describes.
 *
 * @example
 * const log: LogManager.Log = (line) => console.debug(line);
 * new Controller({ managers: [new LogManager(log), ...getDefaultManagers()] });
 */
export type Log = (line: string, event: ControllerEvent) => void;

/**
 * Logs each event of the controller as one line: requests, responses, failures, changes of the store.
 *
 * @example new Controller({ managers: [...getDefaultManagers(), new LogManager(console.debug)] });
 */
export class LogManager implements Manager {
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  event(event: ControllerEvent, host: ManagerHost): void {
    const time = new Date(host.environment.clock.now()).toISOString().slice(11, 23);
    const label = 'isRead' in event && !event.isRead ? `${event.type} (mutation)` : event.type;
    this.#log([time, label, event.key ?? ''].join(' ').trimEnd(), event);
  }
}

export declare namespace LogManager {
  export type { Log };
}
