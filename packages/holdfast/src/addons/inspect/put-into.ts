// Puts a recorder into a controller: around the sender, where it sees each request leave and end; into the engine, where it sees each
// payload before and after it is stored; and beside the readers, where it sees them come and go. All of them do what they did.
import type { Core } from '../../controller/state/core.ts';
import type { Flight } from '../../dispatch/flights.ts';
import { Engine } from '../../normalize/engine.ts';
import type { EngineOptions } from '../../normalize/engine.ts';
import type { Effects } from '../../store/effects.ts';
import type { Origin } from '../../store/stamp.ts';
import type { Recorder } from './recorder.ts';

class ProbedEngine extends Engine {
  readonly #recorder: Recorder;

  constructor(options: EngineOptions, recorder: Recorder) {
    super(options);
    this.#recorder = recorder;
  }

  override apply(effects: Effects, origin: Origin): void {
    this.store.batch(() => {
      const end = this.#recorder.applying(effects, origin);
      super.apply(effects, origin);
      end();
    });
  }
}

/** The observers with listeners, heard when one comes or goes. */
class WatchedSet<T extends object> extends Set<T> {
  readonly #onChange: (observer: T, isThere: boolean) => void;

  constructor(onChange: (observer: T, isThere: boolean) => void) {
    super();
    this.#onChange = onChange;
  }

  override add(observer: T): this {
    const isNew = !this.has(observer);
    super.add(observer);
    if (isNew) this.#onChange(observer, true);
    return this;
  }

  override delete(observer: T): boolean {
    const wasThere = super.delete(observer);
    if (wasThere) this.#onChange(observer, false);
    return wasThere;
  }
}

/** Called when the controller is made: nothing is stored yet, and nobody reads. */
export function putInto(core: Core, recorder: Recorder): void {
  const { timeline } = core.engine.store;
  const { send, environment } = core;
  core.probe = recorder;
  core.createEngine = () => new ProbedEngine({ timeline, random: environment.random }, recorder);
  core.engine = core.createEngine();
  core.observed = new WatchedSet((observer, isThere) => recorder.watches(observer, isThere));
  core.send = (request) => {
    const flight = flightOf(core, request.signal);
    if (flight) recorder.sends(flight);
    const sending = send(request);
    // heard before the flight itself goes on
    if (flight)
      sending.then(
        (outcome) => recorder.lands(flight, outcome),
        () => recorder.lands(flight, undefined),
      );
    return sending;
  };
}

function flightOf({ flights }: Core, signal: AbortSignal): Flight | undefined {
  for (const flight of [...flights.reads, ...flights]) if (flight.aborter.signal === signal) return flight;
  return undefined;
}
