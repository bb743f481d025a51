// Puts the server together: bad network, API, the built page. It knows nothing of ports and processes, which listen.ts handles.
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { ChangeLog } from './changes.ts';
import { CommentStore } from './comment-store.ts';
import { createCompression } from './compression.ts';
import type { Database } from './database.ts';
import { IssueStore } from './issue-store.ts';
import { Journal } from './journal.ts';
import { createNetwork } from './network.ts';
import { document } from './openapi/document.ts';
import { mount } from './operations.ts';
import type { Services } from './operations.ts';
import { Problem } from './problem.ts';
import { createCommentRoutes } from './routes/comments.ts';
import { createIssueRoutes } from './routes/issues.ts';
import { mountPage } from './routes/page.ts';
import { createPeopleRoutes } from './routes/people.ts';
import { createSessionRoutes } from './routes/session.ts';
import { mountStages } from './routes/stages.ts';
import { createStreamRoutes } from './routes/stream.ts';
import { SessionStore } from './session-store.ts';
import type { SessionOptions } from './session-store.ts';

const WEB = `${import.meta.dirname}/../web/dist`;

export interface AppOptions extends SessionOptions {
  /** Draws delays and failures of the bad network. Default: Math.random. */
  readonly random?: (() => number) | undefined;
  /** The folder of the built page. Default: where `npm run build -w demo` puts it. */
  readonly web?: string | undefined;
}

export function createApp(db: Database, options: AppOptions = {}): Hono<{ Bindings: HttpBindings }> {
  const changes = new ChangeLog(db);
  const journal = new Journal(db, changes);
  const services: Services = {
    db,
    changes,
    issues: new IssueStore(db, journal),
    comments: new CommentStore(db, journal),
    sessions: new SessionStore(db, options),
  };
  const app = new Hono<{ Bindings: HttpBindings }>();

  app.onError((error) => {
    if (error instanceof Problem) return error.toResponse();
    console.error(error);
    return new Problem(500, 'Something went wrong on our side.').toResponse();
  });
  app.use(createCompression());
  app.use('/api/*', createNetwork(options.random ?? Math.random));
  app.get('/api/openapi.json', (context) => context.json(document));
  mount(app, {
    ...createIssueRoutes(services),
    ...createCommentRoutes(services),
    ...createPeopleRoutes(services),
    ...createSessionRoutes(services),
    ...createStreamRoutes(services),
  });
  app.all('/api/*', (context) => new Problem(404, `There is no ${context.req.path}.`).toResponse());

  mountStages(app, db);
  mountPage(app, services, options.web ?? WEB);
  return app;
}
