// A demo server per test file, on a free port, with a small seed and a fixed date, plus the
// request helper of a signed-in visitor.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listen } from '../server/listen.ts';
import type { ListenOptions, RunningDemo } from '../server/listen.ts';

export const FIXED_NOW_MS = Date.UTC(2026, 10, 15);

export interface Demo extends RunningDemo {
  /** The cookies of Mira's session, which every request contains. */
  cookie: string;
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
  /** The same, when only the body of the response matters. */
  json<T>(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<T>;
}

export async function startDemo(options: ListenOptions = {}): Promise<Demo> {
  const running = await listen(0, { seed: { issues: 300, nowMs: FIXED_NOW_MS }, ...options });
  const cookie = await signIn(running.url, 'mira');
  const request: Demo['request'] = (method, path, body, headers = {}) =>
    fetch(running.url + path, {
      method,
      headers: {
        cookie,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  return {
    ...running,
    cookie,
    request,
    json: async (...given) => (await (await request(...given)).json()) as never, // cast: the caller knows the answer
  };
}

/** Signs in and returns the cookies as a browser sends them back. */
export async function signIn(url: string, userId: string): Promise<string> {
  const response = await fetch(`${url}/api/session`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userId }),
  });
  return readCookies(response);
}

export function readCookies(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

export function createFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'harbor-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
