// The store's side of an observer: the view of an endpoint's answer, found again where it may have changed place, and
// listened to while somebody listens to the observer. observer.ts stands on it.
import type { EndpointInterface } from '../../endpoint/endpoint-interface.ts';
import type { Engine } from '../../normalize/engine.ts';
import { unsubscribe } from '../../store/store.ts';
import type { Subscriber, View } from '../../store/view.ts';
import { tryRead } from '../state/core.ts';
import type { Core } from '../state/core.ts';
import { observationView } from '../slot/read-slot.ts';
import type { Observation } from '../slot/read-slot.ts';

export abstract class SlotReader implements Subscriber {
  protected readonly core: Core;
  protected readonly endpoint: EndpointInterface;
  protected readonly args: readonly unknown[];
  protected readonly slotKey: string;
  #view: View | null = null;
  /** Whose view is listened to; null while none is. */
  #attachedTo: Engine | null = null;

  constructor(core: Core, endpoint: EndpointInterface, args: readonly unknown[], slotKey: string) {
    this.core = core;
    this.endpoint = endpoint;
    this.args = args;
    this.slotKey = slotKey;
  }

  /** What is observed has changed. */
  abstract wake(): void;

  /** The view it stands on, for those who mark what is in use. */
  view(): View {
    const { engine } = this.core;
    // what is listened to is never collected
    if (this.#view !== null && this.#attachedTo === engine) return this.#view;
    // a reset or a collection may have put another slot in its place
    if (this.#view === null || this.#view.subject !== engine.store.slots.get(this.slotKey))
      this.#view = observationView(this.core, this.endpoint, this.args, this.slotKey);
    return this.#view;
  }

  protected observe(): Observation {
    return this.core.engine.read(this.view()) as Observation; // cast: what that view gives
  }

  /** The same, undefined where a class's own code throws. */
  protected tryObserve(): Observation | undefined {
    return tryRead(this.core, this.view()) as Observation | undefined; // cast: as above
  }

  protected attach(): void {
    const { engine } = this.core;
    engine.store.subscribe(this.view(), this);
    this.#attachedTo = engine;
  }

  protected detach(): void {
    // after a reset the view may be another one, and the one it listened to is gone with its store
    if (this.#view !== null) unsubscribe(this.#view, this);
    this.#attachedTo = null;
  }
}
