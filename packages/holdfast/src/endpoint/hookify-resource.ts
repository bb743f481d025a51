// Makes one hook for each RestEndpoint of a resource. The new hook calls the application's own hook, which returns a request init, for
// example from a React context. Then it returns the endpoint with this init: usually the same endpoint for an equal init. This file
// depends on no framework.
import { RestEndpoint } from './rest-endpoint.ts';
import { stableText } from '../support/stable-text.ts';

/**
 * The hooks of a resource, one per RestEndpoint: `HookResource<{ getList: E }>` is `{ useGetList(): E }`. An `Endpoint` has no request
 * init, so it gets no hook.
 *
 * @example const TodoHooks: HookResource<typeof TodoResource> = hookifyResource(TodoResource, () => ({}));
 */
export type HookResource<R> = {
  [
    Name in keyof R & string as R[Name] extends { readonly urlPrefix: string }
      ? `use${Capitalize<Name>}`
      : never
  ]: () => R[Name];
};

/**
 * Creates `useGet`, `useGetList` and so on. Each hook returns the endpoint with the request init of `useRequestInit` in place of its
 * own `requestInit`.
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
    // Inits are compared by their text, because hooks tend to return a new object at each render.
    const byContent = new Map<string, object>();
    hooks[`use${name.charAt(0).toUpperCase()}${name.slice(1)}`] = () => {
      const requestInit = useRequestInit();
      const content = stableText(requestInit);
      const known = byContent.get(content);
      if (known) return known;
      if (byContent.size >= MAX_INITS) byContent.clear();
      const endpoint = member.extend({ requestInit });
      byContent.set(content, endpoint);
      return endpoint;
    };
  }
  return hooks as HookResource<R>; // cast: there is one hook per RestEndpoint
}

/**
 * The most endpoints that one hook keeps. When it needs one more, the hook forgets all of them, so that changing tokens do not fill
 * the memory.
 */
const MAX_INITS = 50;
