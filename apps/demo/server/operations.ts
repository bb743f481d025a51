// Mounts handlers by operationId: method, path and validation come from the OpenAPI document, so
// code and document describe the same API. Also the conditional-request rules every route shares.
import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import { getCookie } from 'hono/cookie';
import { createHash } from 'node:crypto';
import type { ChangeLog } from './changes.ts';
import type { Database } from './database.ts';
import type { Actor, IssueStore } from './issue-store.ts';
import { paths } from './openapi/paths.ts';
import { Problem } from './problem.ts';
import { readUser } from './representation.ts';
import type { UserJson } from './representation.ts';
import { createValidators } from './validate.ts';

export interface Services {
  readonly db: Database;
  readonly changes: ChangeLog;
  readonly issues: IssueStore;
}

export interface Call {
  readonly context: Context<{ Bindings: HttpBindings }>;
  /** Path parameters; the router has made sure that they are there. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** Checked against the operation's schema before the handler runs. */
  readonly body: unknown;
}

export type Handler = (call: Call) => Response | Promise<Response>;

export const SESSION_COOKIE = 'demo_user';

export function mount(
  app: Hono<{ Bindings: HttpBindings }>,
  handlers: Readonly<Record<string, Handler>>,
): void {
  const missing = new Set(Object.keys(handlers));
  for (const [path, methods] of Object.entries(paths)) {
    const route = path.replaceAll(/\{(\w+)\}/g, ':$1');
    for (const [method, operation] of Object.entries(methods)) {
      const handler = handlers[operation.operationId];
      if (!handler) throw new Error(`operation ${operation.operationId} has no handler`);
      missing.delete(operation.operationId);
      const validators = createValidators(operation);
      app.on(method.toUpperCase(), route, async (context) => {
        const query = validators.query(context.req.query());
        const body = await validators.body(context.req.raw);
        return handler({ context, path: context.req.param() as Record<string, string>, query, body });
      });
    }
    app.all(route, () => {
      const allow = Object.keys(methods)
        .map((method) => method.toUpperCase())
        .join(', ');
      throw new Problem(405, `Use ${allow}.`, [], { allow });
    });
  }
  if (missing.size > 0) throw new Error(`handlers without an operation: ${[...missing].join(', ')}`);
}

/** A JSON reply with an ETag, or 304 when the caller already has that content. */
export function sendTagged(
  context: Context,
  value: unknown,
  headers: Record<string, string> = {},
  status = 200,
): Response {
  const text = JSON.stringify(value);
  const etag = createTag(text);
  // no-cache lets a browser keep the reply but makes it ask each time, so nothing stale is shown
  const common = { ...headers, etag, 'cache-control': 'private, no-cache' };
  if (status === 200 && matches(context.req.header('if-none-match'), etag)) {
    return new Response(null, { status: 304, headers: common });
  }
  return new Response(text, { status, headers: { ...common, 'content-type': 'application/json' } });
}

export function sendJson(value: unknown, status = 200): Response {
  return new Response(JSON.stringify(value), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  });
}

/** Refuses a write made against another version than the stored one. */
export function requireMatch(context: Context, current: unknown): void {
  const header = context.req.header('if-match');
  if (header !== undefined && !matches(header, createTag(JSON.stringify(current)))) {
    throw new Problem(412, 'It changed since you read it. Read it again and repeat the change.');
  }
}

export function readSessionUser(db: Database, context: Context): UserJson | undefined {
  const id = getCookie(context, SESSION_COOKIE);
  return id ? readUser(db, id) : undefined;
}

export function requireActor(db: Database, context: Context): Actor {
  const user = readSessionUser(db, context);
  if (!user) throw new Problem(401, 'Sign in first: PUT /api/session.');
  return {
    userId: user.id,
    clientId: context.req.header('client-id'),
    requestKey: context.req.header('idempotency-key'),
  };
}

function createTag(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
}

function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}
