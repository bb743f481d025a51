// The network of single requests, for the races: the next request that matches sends its conditions as the `Demo-Network` header.
// So the server itself decides the order of the responses, and nothing is faked in the page.

import type { Manager } from 'holdfast';

interface Scripted {
  readonly method: string;
  readonly path: string;
  /** Parameters that the address must have. */
  readonly search: Readonly<Record<string, string>>;
  /** The value of the header, such as `hold=2000`. */
  readonly header: string;
}

const scripted: Scripted[] = [];

/** The next request like this one gets these conditions. */
export function scriptNext(
  method: string,
  path: string,
  header: string,
  search: Readonly<Record<string, string>> = {},
): void {
  scripted.push({ method, path, search, header });
}

/** Sets for single requests how long they take, and whether they fail. */
export const scriptedNetwork: Manager = {
  request(request, next) {
    const { environment } = request;
    const fetch: typeof environment.fetch = (address, init = {}) => {
      const header = takeScripted(init.method ?? 'GET', address);
      if (header === undefined) return environment.fetch(address, init);
      const headers = new Headers(init.headers);
      headers.set('demo-network', header);
      return environment.fetch(address, { ...init, headers });
    };
    return next({ ...request, environment: { ...environment, fetch } });
  },
};

/** The conditions for a request, once; undefined where none are set for it. */
function takeScripted(method: string, address: string): string | undefined {
  // only the path counts, so any origin will do: resources run without a page too
  const { pathname, searchParams } = new URL(address, 'http://page.invalid');
  const at = scripted.findIndex(
    (one) =>
      one.method === method &&
      one.path === pathname &&
      Object.entries(one.search).every(([name, value]) => searchParams.get(name) === value),
  );
  return at === -1 ? undefined : scripted.splice(at, 1)[0]?.header;
}

export function forgetScripted(): void {
  scripted.length = 0;
}
