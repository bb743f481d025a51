// The handlers of /api/session: signing in and out, renewing, and the counts that the demo shows.
import type { Context } from 'hono';
import { sendJson } from '../operations.ts';
import type { Handler, Services } from '../operations.ts';
import { invalid } from '../problem.ts';
import { readUser } from '../representation.ts';
import { clearTokens, readTokens, writeTokens } from '../session-cookies.ts';
import type { Tokens } from '../session-store.ts';

export function createSessionRoutes({ db, sessions }: Services): Record<string, Handler> {
  const send = (context: Context, tokens: Tokens): Response => {
    writeTokens(context, tokens);
    context.header('cache-control', 'no-store');
    return context.json({ user: readUser(db, tokens.userId), expiresAt: tokens.expiresAtMs });
  };

  return {
    readSession({ context }) {
      const session = sessions.read(readTokens(context));
      const user = session && readUser(db, session.userId);
      return sendJson({ user: user ?? null, expiresAt: user ? session.expiresAtMs : null });
    },

    signIn({ context, body }) {
      const user = readUser(db, (body as { userId: string }).userId);
      if (!user) throw invalid([{ field: 'userId', message: 'names no user' }]);
      return send(context, sessions.start(user.id, readTokens(context)));
    },

    renewSession({ context }) {
      const key = context.req.header('idempotency-key');
      return send(context, sessions.renew(readTokens(context).refresh, key));
    },

    readSessionLog: ({ context }) => sendJson(sessions.readLog(readTokens(context))),

    signOut({ context }) {
      sessions.end(readTokens(context));
      clearTokens(context);
      return context.body(null, 204);
    },
  };
}
