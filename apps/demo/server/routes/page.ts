// The built page: its hashed files, which never change under one name, and the document, which is the response for every other
// address.
import type { HttpBindings } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import type { Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { existsSync, readFileSync } from 'node:fs';
import type { Services } from '../operations.ts';
import { SIGNED_IN_COOKIE, writeTokens } from '../session-cookies.ts';
import { createTag, findMatch } from '../tags.ts';

/** The user of a first-time visitor: nobody should meet a sign-in form before seeing the application. */
const FIRST_VISITOR = 'mira';
const VISITED_COOKIE = 'demo_visited';
const YEAR_SECONDS = 31_536_000;

export function mountPage(
  app: Hono<{ Bindings: HttpBindings }>,
  { db, sessions }: Services,
  folder: string,
): void {
  const databaseId = String(db.get("select value from about where name = 'id'")?.['value']);

  app.use('/assets/*', async (context, next) => {
    await next();
    if (!context.res.ok) return;
    context.header('cache-control', `public, max-age=${YEAR_SECONDS}, immutable`);
    context.header('vary', 'accept-encoding');
  });
  if (existsSync(folder)) app.use('/assets/*', serveStatic({ root: folder, precompressed: true }));
  app.all('/assets/*', (context) => context.notFound());

  // the library as the build has packed it, for npm
  app.get('/holdfast.tgz', (context) =>
    existsSync(`${folder}/holdfast.tgz`)
      ? context.body(readFileSync(`${folder}/holdfast.tgz`), 200, { 'content-type': 'application/gzip' })
      : context.notFound(),
  );

  app.get('/*', (context) => {
    // with other data the visitor is new again: the sessions were removed with the old data
    const isNew = getCookie(context, VISITED_COOKIE) !== databaseId;
    if (isNew) {
      const options = { path: '/', httpOnly: true, sameSite: 'Strict', maxAge: YEAR_SECONDS } as const;
      setCookie(context, VISITED_COOKIE, databaseId, options);
      writeTokens(context, sessions.start(FIRST_VISITOR));
    }
    // every address belongs to the page, which has its own routing. The first screen is painted already, unless a sign-in form
    // will follow
    const isKnown = isNew || getCookie(context, SIGNED_IN_COOKIE) !== undefined;
    const isPainted = context.req.path === '/' && isKnown && existsSync(`${folder}/home.html`);
    const file = `${folder}/${isPainted ? 'home' : 'index'}.html`;
    if (!existsSync(file)) return context.text('The page is not built yet: npm run build -w demo', 503);
    const text = readFileSync(file, 'utf8');
    const known = findMatch(context.req.header('if-none-match'), createTag(text));
    context.header('cache-control', 'no-cache');
    context.header('vary', 'accept-encoding, cookie');
    context.header('etag', known ?? createTag(text));
    return known === undefined ? context.html(text) : context.body(null, 304);
  });
}
