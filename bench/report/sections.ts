// The report's sections as markdown: tables first, then a plot of the same figures.
import { TOLERANCE } from '../growth/result.ts';
import { formatBytes, formatRatio, formatTime, trim } from '../support/format.ts';
import { OURS } from './measured.ts';
import type { Measured } from './measured.ts';
import { plotBars, plotLines } from './plot.ts';
import { readTargets } from './targets.ts';

/** A markdown table; figures to the right. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const isNumber = (column: number) => column > 0 && rows.every((row) => /^[\d–]/.test(row[column] ?? '–'));
  const rule = head.map((_, column) => (isNumber(column) ? '---:' : '---'));
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}

const strong = (contestant: string) => (contestant === OURS ? `**${contestant}**` : contestant);

export function writeTargets(measured: Measured): string {
  const rows = readTargets(measured);
  const verdict = (isMet: boolean | undefined) =>
    isMet === undefined ? 'not measured' : isMet ? 'met' : '**missed**';
  const met = rows.filter(({ isMet }) => isMet).length;
  return [
    `## Targets\n\n${met} of ${rows.length} met. Ratios are medians of interleaved rounds; what remains is explained below the table.\n`,
    table(
      ['', 'claim', 'measured', ''],
      rows.map((row) => [row.id, row.claim, row.figure, verdict(row.isMet)]),
    ),
  ].join('\n');
}

export function writeEngine(measured: Measured): string {
  const parts = measured.engine.map((result) => {
    const heading = `### ${result.id}: ${result.title}\n`;
    if (result.depths.length > 0) {
      const rows = result.depths.map((depth) => [
        strong(depth.contestant),
        trim(depth.nested),
        trim(depth.references),
      ]);
      return [heading, table(['', 'nested entities', 'chain of references'], rows)].join('\n');
    }
    const variants = [...new Set(result.entries.map((entry) => entry.variant))];
    const blocks = variants.map((variant) => {
      const entries = result.entries.filter((entry) => entry.variant === variant);
      const rows = entries.map((entry) => [
        strong(entry.contestant),
        formatRatio(entry.timesReference.median),
        `${formatRatio(entry.timesReference.lower)}–${formatRatio(entry.timesReference.upper)}`,
        formatTime(entry.nanoseconds.median),
        Object.entries(entry.counts)
          .map(([name, count]) => `${name}: ${count.toLocaleString('en-US')}`)
          .join('; '),
      ]);
      const title = variant ? `${result.id}, ${variant}: time per run` : `${result.id}: time per run`;
      const plot = plotBars(
        title,
        entries.map(({ contestant, nanoseconds }) => ({
          label: contestant,
          value: nanoseconds.median,
          text: formatTime(nanoseconds.median),
          isOurs: contestant === OURS,
        })),
      );
      const head = [variant, 'of holdfast', 'quartiles', 'per run', 'counts (at 500 rows or fewer)'];
      return `${table(head, rows)}\n\n${plot}`;
    });
    return [heading, ...blocks].join('\n');
  });
  const remarks = new Map(
    measured.engine.flatMap(({ entries }) => entries.map((entry) => [entry.contestant, entry.remark])),
  );
  const notes = [...remarks].filter(([, remark]) => remark).map(([name, remark]) => `${name}: ${remark}`);
  parts.unshift(`Not like for like: ${notes.join('; ')}.`);
  return `## Engine\n\nNode, production builds, all contestants of a table in one process. "of holdfast" is how many times longer it takes.\n\n${parts.join('\n\n')}`;
}

export function writeGrowth(measured: Measured): string {
  const sizes = measured.growth[0]?.points.map(({ size }) => size.toLocaleString('en-US')) ?? [];
  const rows = measured.growth.map((result) => [
    `${result.operation}: ${strong(result.contestant)}`,
    ...result.points.map(({ time }) => formatTime(time)),
    result.exponent.toFixed(2),
    result.exponent > result.expected + TOLERANCE ? `**above ${result.expected}**` : `${result.expected}`,
  ]);
  const operations = [...new Set(measured.growth.map(({ operation }) => operation))];
  const plots = operations.map((operation) =>
    plotLines(
      operation,
      measured.growth
        .filter((result) => result.operation === operation)
        .map(({ contestant, points }) => ({
          label: contestant,
          isOurs: contestant === OURS,
          points: points.map(({ size, time }) => ({ x: size, y: time })),
        })),
      formatTime,
    ),
  );
  return [
    '## Growth\n\nTime by number of rows, and the exponent b of time ≈ rows^b: 0 is constant, 1 is linear. The last column is what the work itself asks for.\n',
    table(['', ...sizes, 'exponent', 'work'], rows),
    '',
    ...plots,
  ].join('\n');
}

export function writeRender(measured: Measured): string {
  const parts = measured.render.map((result) => {
    const rows = result.entries.map((entry) => [
      strong(entry.contestant),
      formatRatio(entry.timesReference.median),
      `${trim(entry.milliseconds.median)} ms`,
      `${trim(entry.milliseconds.lower)}–${trim(entry.milliseconds.upper)}`,
      `${entry.rows}`,
      `${entry.hooks}`,
    ]);
    const plot = plotBars(
      `${result.id}: ${result.title}`,
      result.entries.map(({ contestant, milliseconds }) => ({
        label: contestant,
        value: milliseconds.median,
        text: `${trim(milliseconds.median)} ms`,
        isOurs: contestant === OURS,
      })),
    );
    const head = ['', 'of holdfast', 'until the DOM', 'quartiles', 'rows rendered', 'hooks run'];
    return `### ${result.id}: ${result.title}\n\n${table(head, rows)}\n\n${plot}`;
  });
  return `## Rendering\n\nHeadless Chromium, React 19, production builds. Wall time from the write to the DOM mutation; how many rows rendered and how many components with an own hook ran.\n\n${parts.join('\n\n')}`;
}

export function writeMemory(measured: Measured): string {
  if (!measured.memory) return '';
  const shapes = (['flat', 'nested'] as const).map((shape) => {
    const entries = measured.memory?.perEntity.filter((entry) => entry.shape === shape) ?? [];
    const rows = entries.map((entry) => [
      strong(entry.contestant),
      formatBytes(entry.stored),
      formatBytes(entry.read),
    ]);
    const plot = plotBars(
      `M1, ${shape}: bytes per entity, list read once`,
      entries.map(({ contestant, read }) => ({
        label: contestant,
        value: read,
        text: formatBytes(read),
        isOurs: contestant === OURS,
      })),
    );
    return `${table([`M1, ${shape}`, 'stored', 'read once'], rows)}\n\n${plot}`;
  });
  const large = measured.memory.largeResponse.map((entry) => [
    strong(entry.contestant),
    `${Math.round(entry.parseMs)} ms`,
    `${Math.round(entry.storeAndReadMs)} ms`,
    `${(entry.keptBytes / entry.textBytes).toFixed(2)}x of the text`,
  ]);
  return [
    '## Memory\n\nHeap kept after garbage collection, one process per contestant, input dropped.\n',
    ...shapes,
    `\n${table(['250,000 rows, about 50 MB of text', 'JSON.parse', 'store and read', 'heap kept'], large)}`,
  ].join('\n');
}

export function writeSize(measured: Measured): string {
  const rows = measured.size.map((entry) => [
    entry.isOurs ? `**${entry.name}**` : entry.name,
    formatBytes(entry.minified),
    formatBytes(entry.gzip),
    formatBytes(entry.brotli),
  ]);
  return `## Size\n\nesbuild, minified, React outside.\n\n${table(['', 'minified', 'gzip', 'brotli'], rows)}`;
}

export function writeTypes(measured: Measured): string {
  if (!measured.types) return '';
  const checks = measured.types.checks.map((check) => [
    check.program,
    trim(check.lines),
    check.types.toLocaleString('en-US'),
    check.instantiations.toLocaleString('en-US'),
    `${check.checkSeconds} s`,
    `${check.totalSeconds} s`,
  ]);
  const hovers = measured.types.hovers.map((hover) => [hover.symbol, `${hover.lines}`]);
  return [
    '## Types\n\nA generated program of 200 resources, each with an extension and hooks, against the same requests with plain fetch and types by hand.\n',
    table(['program', 'lines', 'types', 'instantiations', 'check', 'total'], checks),
    `\n${table(['editor hover over', 'lines'], hovers)}`,
  ].join('\n');
}
