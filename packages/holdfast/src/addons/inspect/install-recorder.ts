// Puts a recorder into a controller. Wraps `core.send`, to see each request start and end; `engine.normalize` and `engine.apply`,
// to see each payload before and after it is stored; and replaces `core.observed`, to see readers mount and unmount. The wrapped
// functions behave as before. Several recorders may wrap one controller.
import type { Core } from '../../controller/state/core.ts';
import type { Flight } from '../../dispatch/flights.ts';
import type { Engine } from '../../normalize/engine.ts';
import type { Recorder } from './recorder.ts';

/** A set that calls its watchers when an observer is added or removed. For `core.observed`: the observers with listeners. */
class WatchedSet<T extends object> extends Set<T> {
  readonly watchers: ((observer: T, isThere: boolean) => void)[] = [];

  override add(observer: T): this {
    const isNew = !this.has(observer);
    super.add(observer);
    if (isNew) for (const watcher of this.watchers) watcher(observer, true);
    return this;
  }

  override delete(observer: T): boolean {
    const wasThere = super.delete(observer);
    if (wasThere) for (const watcher of this.watchers) watcher(observer, false);
    return wasThere;
  }
}

/** Called when the controller is created, before anything is stored or observed. */
export function installRecorder(core: Core, recorder: Recorder): void {
  const { createEngine, send } = core;
  wrapEngine(core.engine, recorder);
  core.createEngine = () => wrapEngine(createEngine(), recorder);
  const observed =
    core.mountedObservers instanceof WatchedSet ? core.mountedObservers : new WatchedSet<never>();
  observed.watchers.push((observer, isThere) => recorder.noteReader(observer, isThere));
  core.mountedObservers = observed;
  core.send = (request) => {
    const flight = flightBySignal(core, request.signal);
    if (flight) recorder.noteSend(flight);
    const sending = send(request);
    // attached before the flight's own handlers, so that the recorder is notified first
    if (flight)
      sending.then(
        (outcome) => recorder.noteEnd(flight, outcome),
        () => recorder.noteEnd(flight, undefined),
      );
    return sending;
  };
}

function wrapEngine(engine: Engine, recorder: Recorder): Engine {
  const normalize = engine.normalize.bind(engine);
  const apply = engine.apply.bind(engine);
  engine.normalize = (...given) => {
    const effects = normalize(...given);
    recorder.noteNormalized(effects);
    return effects;
  };
  engine.apply = (effects, origin) =>
    engine.store.batch(() => {
      const end = recorder.noteApply(effects, origin);
      apply(effects, origin);
      end();
    });
  return engine;
}

function flightBySignal({ flights }: Core, signal: AbortSignal): Flight | undefined {
  for (const flight of [...flights.reads, ...flights]) if (flight.aborter.signal === signal) return flight;
  return undefined;
}
