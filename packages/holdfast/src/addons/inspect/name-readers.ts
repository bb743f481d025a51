// Finds which components read data: a hook calls `controller.watch` while its component renders, so the stack of that call contains
// the component, next to a function of React with a known name. A production build renames that function, so that no component is
// found in production. If a hook called `watch` before the controller was started, its component is noted at the next render.
/** For each observer, the names of the components that use it. */
export type ComponentNames = WeakMap<object, Set<string>>;

export function componentNamesOf(names: ComponentNames, observer: object): readonly string[] {
  return [...(names.get(observer) ?? [])];
}

/** The functions in which React calls a component: the first in React 19, the second in earlier versions. */
const BELOW_COMPONENT = /(?:^|\.)(?:react[-_]stack[-_]bottom[-_]frame|renderWithHooks)$/;

/** The function names of a stack, the innermost first. The first pattern is for V8, the second for Firefox and Safari. */
function framesOf(stack: string): string[] {
  return stack.split('\n').flatMap((line) => {
    const [, name] = /^\s*at (?:new )?([\w$.-]+)/.exec(line) ?? /^([^@\s]*)@/.exec(line) ?? [];
    return name === undefined ? [] : [name];
  });
}

/** The component that was rendering when the stack was taken; undefined if none is found. */
export function componentIn(stack: string): string | undefined {
  const frames = framesOf(stack);
  const below = frames.findIndex((name) => BELOW_COMPONENT.test(name));
  const name = below > 0 ? frames[below - 1]?.split('.').at(-1) : undefined;
  // The name of a component starts with a capital letter. In JSX, other names are elements of the page.
  return name !== undefined && /^[A-Z]/.test(name) ? name : undefined;
}

/** Called when the observer is requested: notes the component that is rendering as an owner of the observer. */
export function noteOwner(names: ComponentNames, observer: object): void {
  const name = componentIn(new Error().stack ?? '');
  if (name === undefined) return;
  const known = names.get(observer) ?? new Set<string>();
  names.set(observer, known.add(name));
}
