// Listeners that are notified after each event of a controller. All listeners of a controller share one manager.
import { MANAGERS } from '../dispatch/manager.ts';
import { ensure } from '../support/ensure.ts';
import type { Controller } from './controller.ts';
import { notify } from './state/listeners.ts';
import type { Listeners } from './state/listeners.ts';

// The keys are weak: an entry is collected together with its controller.
const listenersOf = new WeakMap<Controller, Listeners>();

export function eventListenersOf(controller: Controller): Listeners {
  return ensure(listenersOf, controller, () => {
    const listeners: Listeners = new Set();
    // The listeners are notified in a microtask: a request may start in a render, and an event may precede the end of its batch.
    controller[MANAGERS].push({ event: () => queueMicrotask(() => notify(listeners)) });
    return listeners;
  });
}
