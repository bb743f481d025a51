// The last step of `npm run build -w demo`: a brotli and a gzip copy beside each text file of the built page, at the highest
// compression. The server sends these copies unchanged.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const ASSETS = resolve(import.meta.dirname, 'dist/assets');
const TEXT = /\.(js|css|svg)$/;

for (const name of readdirSync(ASSETS).filter((file) => TEXT.test(file))) {
  const file = resolve(ASSETS, name);
  const content = readFileSync(file);
  writeFileSync(`${file}.br`, brotliCompressSync(content));
  writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
}
