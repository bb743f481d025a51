// Prints what each entry costs an application: bundled for production, minified, React outside, gzip and brotli.
// The targets stand beside the figures; a figure above its limit fails: what a change adds is taken out in the same change.
// The limits only fall.
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { bundle, cases } from './size-cases.ts';

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(2)} kB`.padStart(10);

console.log(
  `${'what'.padEnd(28)}${['minified', 'gzip', 'brotli'].map((name) => name.padStart(10)).join('')}  target`,
);
let failed = 0;
const gzipped = new Map<string, number>();
for (const { name, code, target, limit = Infinity, above = '' } of cases) {
  try {
    const text = await bundle(code);
    const sizes = [
      Buffer.byteLength(text),
      gzipSync(text, { level: 9 }).length,
      brotliCompressSync(text).length,
    ];
    console.log(`${name.padEnd(28)}${sizes.map(kilobytes).join('')}  ${target ?? ''}`);
    const [, whole = 0] = sizes;
    gzipped.set(name, whole);
    const gzip = whole - (gzipped.get(above) ?? 0);
    if (above) console.log(`${' '.repeat(28)} ${gzip} B more than ${above}`);
    if (gzip <= limit) continue;
    failed += 1;
    console.log(`${' '.repeat(28)} more than its limit of ${kilobytes(limit).trim()} gzip`);
  } catch (error) {
    failed += 1;
    console.log(
      `${name.padEnd(28)} cannot be bundled: ${error instanceof Error ? error.message.split('\n').slice(0, 3).join(' ') : String(error)}`,
    );
  }
}
process.exitCode = failed > 0 ? 1 : 0;
