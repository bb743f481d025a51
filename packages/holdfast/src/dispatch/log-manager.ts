// Prints what a controller does, one line per event: for a console while developing, or for an application's own log.
import type { ControllerEvent, Manager, ManagerHost } from './manager.ts';

/**
 * Takes a line and the event it tells of.
 *
 * @example
 * const log: LogManager.Log = (line) => console.debug(line);
 * new Controller({ managers: [new LogManager(log), ...getDefaultManagers()] });
 */
export type Log = (line: string, event: ControllerEvent) => void;

/**
 * Logs requests, answers, failures and writes.
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
    const what = 'isRead' in event && !event.isRead ? `${event.type} (mutation)` : event.type;
    this.#log([time, what, event.key ?? ''].join(' ').trimEnd(), event);
  }
}

export declare namespace LogManager {
  export type { Log };
}
