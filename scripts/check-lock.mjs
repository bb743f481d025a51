// package-lock.json must name no registry host, and must lock every optional (per-platform) package:
// npm silently leaves out one it could not find while writing the lock, and then `npm ci` fails elsewhere.
import { readFileSync } from 'node:fs';

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const problems = [];
const locked = new Set(Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, '')));
for (const [path, entry] of Object.entries(packages)) {
  if (/^https?:/.test(entry.resolved ?? '')) problems.push(`${path} has a download address`);
  for (const name of Object.keys(entry.optionalDependencies ?? {})) {
    if (!locked.has(name)) problems.push(`${path || 'the root'} needs ${name}, which is not locked`);
  }
}
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
