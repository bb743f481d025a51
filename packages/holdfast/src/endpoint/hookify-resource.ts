// Resources whose request init comes from a hook: a token kept in React context, say. Knows no framework: it calls the
// given hook and gives back an endpoint that stays the same while the init does.
import { RestEndpoint } from './rest-endpoint.ts';
import type { RestExtension } from './rest.types.ts';
import { stableText } from '../support/stable-text.ts';

/**
 * A resource whose members are hooks: `HookResource<{ getList: E }>` is `{ useGetList(): E }`.
 *
 * @example const TodoHooks: HookResource<typeof TodoResource> = hookifyResource(TodoResource, () => ({}));
 */
export type HookResource<R> = {
  [
    Name in keyof R & string as R[Name] extends { readonly sideEffect?: boolean | undefined; key: unknown }
      ? `use${Capitalize<Name>}`
      : never
  ]: () => R[Name];
};

/**
 * Gives `useGet`, `useGetList` and so on: the members, sent with the init that the hook returns.
 *
 * @example
 * import { createContext, useContext } from 'react';
 *
 * const Token = createContext('');
 * const TodoHooks = hookifyResource(TodoResource, () => ({ headers: { token: useContext(Token) } }));
 * function Count() {
 *   return <p>{useSuspense(TodoHooks.useGetList()).length} todos</p>;
 * }
 */
export function hookifyResource<R extends object>(
  resource: R,
  useRequestInit: () => RequestInit,
): HookResource<R> {
  const hooks: Record<string, () => unknown> = {};
  for (const [name, member] of Object.entries(resource) as [string, unknown][]) {
    if (!(member instanceof RestEndpoint)) continue;
    // one endpoint per init, by content: hooks tend to give a new object at each render
    const { extend } = member as unknown as { extend(options: RestExtension): object }; // cast: without its own types
    const made = new Map<string, object>();
    hooks[`use${name.charAt(0).toUpperCase()}${name.slice(1)}`] = () => {
      const requestInit = useRequestInit();
      const content = stableText(requestInit);
      const known = made.get(content);
      if (known) return known;
      if (made.size >= MAX_INITS) made.clear();
      const endpoint = extend.call(member, { requestInit });
      made.set(content, endpoint);
      return endpoint;
    };
  }
  return hooks as HookResource<R>; // cast: one hook per member, as the type says
}

const MAX_INITS = 50;
