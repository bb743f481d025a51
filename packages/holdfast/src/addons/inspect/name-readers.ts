// Which components read: hooks ask the controller for their observer while they render, and the stack of that call tells in whose
// render. Names are those of the running code, so a production build, where React's own frames have none, gives no names.
import type { Controller } from '../../controller/controller.ts';
import { setOwn } from '../../support/plain.ts';

/** The names of the components that have asked for an observer. */
export type ComponentNames = WeakMap<object, Set<string>>;

export function namesOf(names: ComponentNames, observer: object): readonly string[] {
  return [...(names.get(observer) ?? [])];
}

/** React calls a component from here: in version 19, and before. */
const BELOW_COMPONENT = /(?:^|\.)(?:react[-_]stack[-_]bottom[-_]frame|renderWithHooks)$/;

/** The functions of a stack, the innermost first, as V8, or Firefox and Safari, write them. */
function framesOf(stack: string): string[] {
  return stack.split('\n').flatMap((line) => {
    const [, name] = /^\s*at (?:new )?([\w$.-]+)/.exec(line) ?? /^([^@\s]*)@/.exec(line) ?? [];
    return name === undefined ? [] : [name];
  });
}

/** The component in whose render the stack was taken; undefined where it was in none. */
export function componentIn(stack: string): string | undefined {
  const frames = framesOf(stack);
  const below = frames.findIndex((name) => BELOW_COMPONENT.test(name));
  const name = below > 0 ? frames[below - 1]?.split('.').at(-1) : undefined;
  // a component has a capital letter, or React would take it for an element of the page
  return name !== undefined && /^[A-Z]/.test(name) ? name : undefined;
}

/** Notes from now on who asks, once for each controller: hooks that have asked before ask again when they render. */
export function nameReaders(controller: Controller, names: ComponentNames): void {
  const { watch } = controller;
  const noteOwner = (observer: object): void => {
    const name = componentIn(new Error().stack ?? '');
    if (name === undefined) return;
    const known = names.get(observer) ?? new Set<string>();
    names.set(observer, known.add(name));
  };
  const watched = (...given: Parameters<Controller['watch']>): object => {
    const observer = watch(...(given as [never, never])); // cast: passed on as they came
    noteOwner(observer);
    return observer;
  };
  setOwn(controller, 'watch', watched, false);
}
