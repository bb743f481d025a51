// A step of `npm run build -w demo`: writes the first paint into dist/home.html, the document of the first screen, so that it can
// be read while the script is still loading. Its head preloads the requests that the script would send next.
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createElement } from 'react';
import type { FunctionComponent } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { createServer } from 'vite';
import type { Manifest } from 'vite';

const DIST = resolve(import.meta.dirname, 'dist');
const ROOT = '<div id="root"></div>';

const vite = await createServer({
  configFile: resolve(import.meta.dirname, 'vite.config.ts'),
  appType: 'custom',
  server: { middlewareMode: true, ws: false, watch: null },
});
const { FirstPaint } = (await vite.ssrLoadModule('/src/shell/first-paint.tsx')) as {
  FirstPaint: FunctionComponent;
}; // cast: what the file exports
const paint = renderToStaticMarkup(createElement(FirstPaint));
await vite.close();

const manifest = JSON.parse(readFileSync(`${DIST}/.vite/manifest.json`, 'utf8')) as Manifest; // cast: Vite wrote it
const inspector = Object.values(manifest).find(({ src }) => src?.endsWith('/inspector-module.ts'));
const document = readFileSync(`${DIST}/index.html`, 'utf8');
if (!inspector || !document.includes(ROOT)) throw new Error('the built page is not what it was');
const early = [
  ...[inspector.file, ...(inspector.imports ?? []).flatMap((name) => manifest[name]?.file ?? [])].map(
    (file) => `<link rel="modulepreload" crossorigin href="/${file}">`,
  ),
  '<link rel="preload" as="fetch" crossorigin href="/api/session">',
].filter((link) => !document.includes(link));
writeFileSync(
  `${DIST}/home.html`,
  document
    .replace('</head>', `${early.join('')}</head>`)
    .replace(ROOT, () => ROOT.replace('></', `>${paint}</`)),
);
