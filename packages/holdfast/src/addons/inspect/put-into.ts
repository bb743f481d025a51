// Puts a recorder into a controller: around the sender, where it sees each request leave and end; around the engine's two doors for
// payloads, where it sees each before and after it is stored; and beside the readers, where it sees them come and go. All of them do
// what they did. Several recorders stand around each other.
import type { Core } from '../../controller/state/core.ts';
import type { Flight } from '../../dispatch/flights.ts';
import type { Engine } from '../../normalize/engine.ts';
import type { Recorder } from './recorder.ts';

/** The observers with listeners, heard when one comes or goes. */
class WatchedSet<T extends object> extends Set<T> {
  readonly hearers: ((observer: T, isThere: boolean) => void)[] = [];

  override add(observer: T): this {
    const isNew = !this.has(observer);
    super.add(observer);
    if (isNew) for (const hear of this.hearers) hear(observer, true);
    return this;
  }

  override delete(observer: T): boolean {
    const wasThere = super.delete(observer);
    if (wasThere) for (const hear of this.hearers) hear(observer, false);
    return wasThere;
  }
}

/** Called when the controller is made: nothing is stored yet, and nobody reads. */
export function putInto(core: Core, recorder: Recorder): void {
  const { createEngine, send } = core;
  hearEngine(core.engine, recorder);
  core.createEngine = () => hearEngine(createEngine(), recorder);
  const observed = core.observed instanceof WatchedSet ? core.observed : new WatchedSet<never>();
  observed.hearers.push((observer, isThere) => recorder.watches(observer, isThere));
  core.observed = observed;
  core.send = (request) => {
    const flight = flightBySignal(core, request.signal);
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

function hearEngine(engine: Engine, recorder: Recorder): Engine {
  const normalize = engine.normalize.bind(engine);
  const apply = engine.apply.bind(engine);
  engine.normalize = (...given) => {
    const effects = normalize(...given);
    recorder.reads(effects);
    return effects;
  };
  engine.apply = (effects, origin) =>
    engine.store.batch(() => {
      const end = recorder.applying(effects, origin);
      apply(effects, origin);
      end();
    });
  return engine;
}

function flightBySignal({ flights }: Core, signal: AbortSignal): Flight | undefined {
  for (const flight of [...flights.reads, ...flights]) if (flight.aborter.signal === signal) return flight;
  return undefined;
}
