// Mounts handlers by operationId: method, path and validation come from the OpenAPI document, so
// code and document describe the same API. Also the conditional-request rules every route shares.
import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import type { ChangeLog } from './changes.ts';
import type { Database } from './database.ts';
import type { CommentStore } from './comment-store.ts';
import type { IssueStore } from './issue-store.ts';
import type { Actor } from './journal.ts';
import { createTag, findMatch, hasVersion, versionPrefix } from './tags.ts';
import { paths } from './openapi/paths.ts';
import { Problem } from './problem.ts';
import { readTokens } from './session-cookies.ts';
import type { SessionStore } from './session-store.ts';
import { createValidators } from './validate.ts';

export interface Services {
  readonly db: Database;
  readonly changes: ChangeLog;
  readonly issues: IssueStore;
  readonly comments: CommentStore;
  readonly sessions: SessionStore;
}

export interface Call {
  readonly context: Context<{ Bindings: HttpBindings }>;
  /** Path parameters; the router guarantees that they exist. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** Checked against the operation's schema before the handler runs. */
  readonly body: unknown;
}

export type Handler = (call: Call) => Response | Promise<Response>;

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

/** A JSON response with an ETag, or 304 when the client already has that content. */
export function sendTagged(
  context: Context,
  value: unknown,
  headers: Record<string, string> = {},
  status = 200,
): Response {
  const text = JSON.stringify(value);
  const { version } = value as { version?: number }; // cast: only issues have one
  const tag = createTag(text, version === undefined ? '' : versionPrefix(version));
  // no-cache lets a browser store the response but makes it revalidate each time, so nothing stale is shown
  const common = { vary: 'accept-encoding', ...headers, 'cache-control': 'private, no-cache' };
  const known = status === 200 ? findMatch(context.req.header('if-none-match'), tag) : undefined;
  if (known !== undefined) return new Response(null, { status: 304, headers: { ...common, etag: known } });
  return new Response(text, {
    status,
    headers: { ...common, etag: tag, 'content-type': 'application/json' },
  });
}

export function sendJson(value: unknown, status = 200): Response {
  return new Response(JSON.stringify(value), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  });
}

/** Refuses a write made against another version than the stored one. */
export function requireMatch(context: Context, { version }: { version: number }): void {
  const header = context.req.header('if-match');
  if (header !== undefined && !hasVersion(header, version)) {
    throw new Problem(412, 'It changed since you read it. Read it again and repeat the change.');
  }
}

export function requireActor(sessions: SessionStore, context: Context): Actor {
  const userId = sessions.readWriter(readTokens(context).access);
  if (userId === undefined) {
    throw new Problem(401, 'Sign in first: PUT /api/session, or POST /api/session/refresh to go on.');
  }
  return {
    userId,
    clientId: context.req.header('client-id'),
    requestKey: context.req.header('idempotency-key'),
    requestTarget: `${context.req.method} ${context.req.path}`,
  };
}
