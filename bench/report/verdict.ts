// The first section of the report: every target with its figure, then those missed with the reason that
// report/notes.md gives.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { benchFolder } from '../support/paths.ts';
import type { Measured } from './measured.ts';
import { writeTable } from './table.ts';
import { readTargets } from './targets.ts';

/** Reasons by row: a paragraph `- **N1, N2.** Because.` speaks for both. */
export function readNotes(text: string): Map<string, string> {
  const notes = new Map<string, string>();
  for (const paragraph of text.split(/^- (?=\*\*)/m).slice(1)) {
    const [, ids = '', reason = ''] = /^\*\*(.+?)\.\*\*\s+([^]+)$/.exec(paragraph) ?? [];
    for (const id of ids.split(', ')) notes.set(id, reason.trim().replaceAll(/\s*\n\s*/g, ' '));
  }
  return notes;
}

/** Rows that were missed, by row id: what was claimed and measured, and why. */
function listMisses(measured: Measured): { id: string; misses: string[]; reason: string | undefined }[] {
  const notes = readNotes(readFileSync(join(benchFolder, 'report/notes.md'), 'utf8'));
  const missed = readTargets(measured).filter(({ isMet }) => isMet === false);
  return [...new Set(missed.map(({ id }) => id))].map((id) => ({
    id,
    misses: missed.filter((row) => row.id === id).map(({ claim, figure }) => `${claim}: ${figure}`),
    reason: notes.get(id),
  }));
}

/** Rows that were missed and about which report/notes.md says nothing. */
export function listUnexplained(measured: Measured): string[] {
  return listMisses(measured).flatMap(({ id, reason }) => (reason === undefined ? [id] : []));
}

function writeMisses(measured: Measured): string[] {
  const told = new Map<string, string>();
  const rows = listMisses(measured).map(({ id, misses, reason = 'no reason is written down yet' }) => {
    const first = told.get(reason);
    if (first === undefined) told.set(reason, id);
    return [id, misses.join('; '), first === undefined ? reason : `as ${first}`];
  });
  return rows.length === 0 ? [] : ['### Missed, and why', writeTable(['', 'missed', 'why'], rows)];
}

export function writeVerdict(measured: Measured): string {
  const targets = readTargets(measured);
  const verdict = (isMet: boolean | undefined) =>
    isMet === undefined ? 'not measured' : isMet ? 'met' : '**missed**';
  const rows = targets.map(({ id, claim, figure, isMet }, index) => [
    id,
    targets[index - 1]?.id === id ? '' : measured.title(id),
    claim,
    figure,
    verdict(isMet),
  ]);
  const count = (isMet: boolean | undefined) => targets.filter((row) => row.isMet === isMet).length;
  return [
    '## Targets',
    `${count(true)} of ${targets.length} met, ${count(false)} missed, ${count(undefined)} not measured. A ratio is the median of interleaved rounds. ` +
      'References changed, readers woken, rows rendered and hooks run are counted, so they are exact on any machine.',
    writeTable(['', 'what happens', 'claim', 'measured', ''], rows),
    ...writeMisses(measured),
  ].join('\n\n');
}
