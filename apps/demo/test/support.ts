// A demo server per test file, on a free port, with a small seed and a fixed date, plus the
// request helper that checks every exchange against the OpenAPI document.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listen } from '../server/listen.ts';
import type { ListenOptions, RunningDemo } from '../server/listen.ts';

export const FIXED_NOW_MS = Date.UTC(2026, 10, 15);

export interface Demo extends RunningDemo {
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
}

export async function startDemo(options: ListenOptions = {}): Promise<Demo> {
  const running = await listen(0, { seed: { issues: 300, nowMs: FIXED_NOW_MS }, ...options });
  return {
    ...running,
    request: (method, path, body, headers = {}) =>
      fetch(running.url + path, {
        method,
        headers: {
          cookie: 'demo_user=mira',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
  };
}

export function createFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'harbor-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
