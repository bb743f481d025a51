// Puts the server together: bad network, API, the built page. Pure of ports and processes, which
// are listen.ts's business.
import type { HttpBindings } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { ChangeLog } from './changes.ts';
import type { Database } from './database.ts';
import { IssueStore } from './issue-store.ts';
import { createNetwork } from './network.ts';
import { document } from './openapi/document.ts';
import { mount, SESSION_COOKIE } from './operations.ts';
import type { Services } from './operations.ts';
import { Problem } from './problem.ts';
import { createCommentRoutes } from './routes/comments.ts';
import { createIssueRoutes } from './routes/issues.ts';
import { createPeopleRoutes } from './routes/people.ts';
import { createStreamRoutes } from './routes/stream.ts';

const WEB = `${import.meta.dirname}/../web/dist`;
/** Who a first-time visitor is: nobody should meet a sign-in form before seeing the application. */
const FIRST_VISITOR = 'mira';
const VISITED_COOKIE = 'demo_visited';

export function createApp(
  db: Database,
  random: () => number = Math.random,
): Hono<{ Bindings: HttpBindings }> {
  const changes = new ChangeLog(db);
  const services: Services = { db, changes, issues: new IssueStore(db, changes) };
  const app = new Hono<{ Bindings: HttpBindings }>();

  app.onError((error) => {
    if (error instanceof Problem) return error.toResponse();
    console.error(error);
    return new Problem(500, 'Something went wrong on our side.').toResponse();
  });
  app.use('/api/*', createNetwork(random));
  app.get('/api/openapi.json', (context) => context.json(document));
  mount(app, {
    ...createIssueRoutes(services),
    ...createCommentRoutes(services),
    ...createPeopleRoutes(services),
    ...createStreamRoutes(services),
  });
  app.all('/api/*', (context) => new Problem(404, `There is no ${context.req.path}.`).toResponse());

  if (existsSync(WEB)) app.use('/assets/*', serveStatic({ root: relative(process.cwd(), WEB) }));
  app.all('/assets/*', (context) => context.notFound());
  app.get('/*', (context) => {
    if (getCookie(context, VISITED_COOKIE) === undefined) {
      const options = { path: '/', httpOnly: true, sameSite: 'Strict' } as const;
      setCookie(context, VISITED_COOKIE, '1', { ...options, maxAge: 31_536_000 });
      setCookie(context, SESSION_COOKIE, FIRST_VISITOR, options);
    }
    // every address is the page's: it routes on its own
    const page = `${WEB}/index.html`;
    if (!existsSync(page)) return context.text('The page is not built yet: npm run build -w demo', 503);
    context.header('cache-control', 'no-cache');
    return context.html(readFileSync(page, 'utf8'));
  });
  return app;
}
