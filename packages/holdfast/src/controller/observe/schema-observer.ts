// Watches a schema and its arguments in the store: the observer of `useQuery`. Never fetches.
import type { Kind } from '../../schema/protocol/protocol.ts';
import type { View } from '../../store/view.ts';
import { lookUpView } from '../slot/look-up.ts';
import type { Core } from '../state/core.ts';
import { fulfilled } from '../state/tagged-promise.ts';
import { NOTHING_SHOWN } from './shown.ts';
import type { Observer, ObserverState } from './shown.ts';
import { ViewObserver } from './view-observer.ts';

export class SchemaObserver extends ViewObserver implements Observer {
  readonly #kind: Kind;
  readonly #args: readonly unknown[];
  #state: ObserverState = NOTHING_SHOWN;

  constructor(core: Core, active: Set<ViewObserver>, kind: Kind, args: readonly unknown[]) {
    super(core, active);
    this.#kind = kind;
    this.#args = args;
  }

  readonly read = (): ObserverState => {
    const data = this.core.engine.read(this.view());
    if (this.#state.data !== data) this.#state = { ...NOTHING_SHOWN, data };
    return this.#state;
  };

  readonly readShown = this.read;

  readonly subscribe = this.subscribePassively;

  readonly ensure = (): undefined => undefined;

  readonly ensurePromise = (): Promise<unknown> => fulfilled(this.read().data);

  readonly retry = (): void => undefined;

  protected findView(): View {
    return lookUpView(this.core, this.#kind, this.#args);
  }

  wake(): void {
    this.listeners.tell();
  }
}
