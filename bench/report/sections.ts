// The report's sections as markdown: tables first, then a plot of the same figures.
import { readGrowth } from '../growth/result.ts';
import { formatBytes, formatRatio, formatTime, trim } from '../support/format.ts';
import { OURS } from './measured.ts';
import type { Measured } from './measured.ts';
import { plotBars, plotPanels } from './plot.ts';
import type { Line } from './plot.ts';
import { writeTable } from './table.ts';
import { NEWER, OLDER } from './targets.ts';

/** Keeps a picture beside the page and gives the markdown that shows it. */
export type AddPicture = (name: string, title: string, svg: string) => string;

const strong = (contestant: string) => (contestant === OURS ? `**${contestant}**` : contestant);

/** The scenario that the page begins with, and who is in its picture: those that applications choose between. */
const FIRST = 'W1';
const CHOICES: ReadonlySet<string> = new Set([
  OURS,
  OLDER,
  'TanStack Query',
  'RTK entity adapter',
  'Apollo Client',
]);

/** One picture before all tables. */
export function writeOverview(measured: Measured, addPicture: AddPicture): string {
  const scenario = measured.engine.find(({ id }) => id === FIRST);
  if (!scenario) return '';
  const bars = scenario.entries
    .filter(({ contestant }) => CHOICES.has(contestant))
    .toSorted((one, other) => one.nanoseconds.median - other.nanoseconds.median)
    .map(({ contestant, nanoseconds }) => ({
      label: contestant,
      value: nanoseconds.median,
      text: formatTime(nanoseconds.median),
      isOurs: contestant === OURS,
    }));
  const title = 'Change one of 10,000 rows, and read the list again';
  const picture = addPicture('overview', title, plotBars([{ title, bars }]));
  return `${picture}\n\nThis is one of the cases that Holdfast is made for. Holdfast is not the fastest everywhere: [Missed, and why](#missed-and-why) says where.`;
}

/** A table behind a line that opens it. */
const fold = (table: string): string =>
  `<details>\n<summary>The figures as a table</summary>\n\n${table.trimEnd()}\n\n</details>\n`;

export function writeEngine(measured: Measured, addPicture: AddPicture): string {
  const parts = measured.engine.map((result) => {
    const heading = `### ${result.id}: ${result.title}\n`;
    if (result.depths.length > 0) {
      const rows = result.depths.map((depth) => [
        strong(depth.contestant),
        trim(depth.nested),
        trim(depth.references),
      ]);
      return [heading, writeTable(['', 'nested entities', 'chain of references'], rows)].join('\n');
    }
    const variants = [...new Set(result.entries.map((entry) => entry.variant))];
    const groups = variants.map((variant) => ({
      variant,
      entries: result.entries.filter((entry) => entry.variant === variant),
    }));
    const tables = groups.map(({ variant, entries }) => {
      const rows = entries.map((entry) => [
        strong(entry.contestant),
        formatRatio(entry.timesReference.median),
        `${formatRatio(entry.timesReference.lower)}–${formatRatio(entry.timesReference.upper)}`,
        formatTime(entry.nanoseconds.median),
        `${entry.nanoseconds.samples}`,
        Object.entries(entry.counts)
          .map(([name, count]) => `${name}: ${count.toLocaleString('en-US')}`)
          .join('; '),
      ]);
      const head = [
        variant,
        'of holdfast',
        'quartiles',
        'per run',
        'rounds',
        'work counted (with at most 500 rows)',
      ];
      return fold(writeTable(head, rows));
    });
    const bars = groups.map(({ variant, entries }) => ({
      title: variant ? `${result.id}, ${variant}: time per run` : `${result.id}: time per run`,
      bars: entries.map(({ contestant, nanoseconds }) => ({
        label: contestant,
        value: nanoseconds.median,
        text: formatTime(nanoseconds.median),
        isOurs: contestant === OURS,
      })),
    }));
    const picture = addPicture(result.id, `${result.id}: time per run`, plotBars(bars));
    return [heading, `${picture}\n`, ...tables].join('\n');
  });
  const remarks = new Map(
    measured.engine.flatMap(({ entries }) => entries.map((entry) => [entry.contestant, entry.remark])),
  );
  const notes = [...remarks].filter(([, remark]) => remark).map(([name, remark]) => `- ${name}: ${remark}`);
  parts.unshift(`Some contestants do not do the same work as Holdfast:\n\n${notes.join('\n')}`);
  return `## Engine\n\nAll contestants run in Node, as production builds, each in a process of its own. They take turns. The column "of holdfast" is the time of a contestant divided by the time of Holdfast. Slow peers take part in fewer rounds.\n\n${parts.join('\n\n')}`;
}

function toLineKind(contestant: string): Line['kind'] {
  if (contestant === OURS) return 'ours';
  if (contestant === NEWER) return 'rival';
  return contestant === OLDER ? 'older rival' : 'peer';
}

export function writeGrowth(measured: Measured, addPicture: AddPicture): string {
  if (measured.growth.length === 0) return '';
  const sizes = measured.growth[0]?.points.map(({ size }) => size.toLocaleString('en-US')) ?? [];
  const operations = [...new Set(measured.growth.map(({ operation }) => operation))].map((operation) => ({
    operation,
    results: measured.growth.filter((result) => result.operation === operation),
  }));
  const tables = operations.map(({ operation, results }) => {
    const rows = results.map((result) => {
      const { exponent, lastStep, isSteep } = readGrowth(result);
      return [
        strong(result.contestant),
        ...result.points.map(({ time = Number.NaN }) => formatTime(time)),
        exponent?.toFixed(2) ?? '–',
        lastStep?.toFixed(2) ?? '–',
        isSteep ? `**above ${result.expected}**` : `${result.expected}`,
        result.points.find(({ leftOut }) => leftOut)?.leftOut ?? '',
      ];
    });
    return writeTable([operation, ...sizes, 'exponent', 'last step', 'work', 'left out because'], rows);
  });
  const panels = operations.map(({ operation, results }) => ({
    title: operation,
    lines: results.map(({ contestant, points }) => ({
      kind: toLineKind(contestant),
      points: points.flatMap(({ size, time }) => (time === undefined ? [] : [{ x: size, y: time }])),
    })),
  }));
  const legend = [
    { kind: 'ours', label: OURS },
    { kind: 'rival', label: NEWER },
    { kind: 'older rival', label: OLDER },
    { kind: 'peer', label: 'others' },
  ] as const;
  const title = 'Time per run by number of rows';
  return [
    '## Growth',
    'These tables show how time grows with the number of rows. The exponent is b in time ≈ rows^b: 0 is constant, 1 is linear. The column "last ' +
      'step" is the exponent between the two largest sizes. The column "work" is the exponent that the work itself needs; it says "above" where the ' +
      'measured exponent is more than 0.3 higher. A contestant is left out at a size where filling its store and one run would take more than two seconds.',
    addPicture('growth', title, plotPanels(title, panels, legend, formatTime)),
    ...tables,
  ].join('\n\n');
}

export function writeRender(measured: Measured, addPicture: AddPicture): string {
  const parts = measured.render.map((result) => {
    const rows = result.entries.map((entry) => [
      strong(entry.contestant),
      formatRatio(entry.timesReference.median),
      `${trim(entry.milliseconds.median)} ms`,
      `${trim(entry.milliseconds.lower)}–${trim(entry.milliseconds.upper)}`,
      `${entry.rows}`,
      `${entry.hooks}`,
    ]);
    const title = `${result.id}: ${result.title}`;
    const bars = result.entries.map(({ contestant, milliseconds }) => ({
      label: contestant,
      value: milliseconds.median,
      text: `${trim(milliseconds.median)} ms`,
      isOurs: contestant === OURS,
    }));
    const picture = addPicture(result.id, title, plotBars([{ title, bars }]));
    const head = ['', 'of holdfast', 'until the DOM', 'quartiles', 'rows rendered', 'hooks run'];
    return `### ${title}\n\n${writeTable(head, rows)}\n\n${picture}`;
  });
  return `## Rendering\n\nThe pages run in headless Chromium with React 19, as production builds. The time is wall time from the write until the DOM has changed. "rows rendered" counts rows; "hooks run" counts the components with a hook of their own that ran.\n\n${parts.join('\n\n')}`;
}

export function writeMemory({ memory }: Measured, addPicture: AddPicture): string {
  if (!memory) return '';
  const shapes = (['flat', 'nested'] as const).map((shape) => ({
    title: `M1, ${shape}: bytes per entity, list read once`,
    shape,
    entries: memory.perEntity.filter((entry) => entry.shape === shape),
  }));
  const tables = shapes.map(({ shape, entries }) => {
    const rows = entries.map((entry) => [
      strong(entry.contestant),
      formatBytes(entry.stored),
      formatBytes(entry.read),
    ]);
    return `${writeTable([`M1, ${shape}`, 'stored', 'read once'], rows)}\n`;
  });
  const groups = shapes.map(({ title, entries }) => ({
    title,
    bars: entries.map(({ contestant, read }) => ({
      label: contestant,
      value: read,
      text: formatBytes(read),
      isOurs: contestant === OURS,
    })),
  }));
  const large = memory.largeResponse.map((entry) => [
    strong(entry.contestant),
    `${Math.round(entry.parseMs)} ms`,
    `${Math.round(entry.storeAndReadMs)} ms`,
    `${(entry.keptBytes / entry.textBytes).toFixed(2)}x of the text`,
  ]);
  return [
    '## Memory\n\nThe figures are the heap that is kept after garbage collection. Each contestant has a process of its own, and no longer has its input in memory.\n',
    ...tables,
    addPicture('memory', 'M1: bytes per entity', plotBars(groups)),
    `\n${writeTable(['250,000 rows, about 50 MB of text', 'JSON.parse', 'store and read', 'heap kept'], large)}`,
  ].join('\n');
}

export function writeSize(measured: Measured): string {
  const rows = measured.size.map((entry) => [
    entry.isOurs ? `**${entry.name}**` : entry.name,
    formatBytes(entry.minified),
    formatBytes(entry.gzip),
    formatBytes(entry.brotli),
  ]);
  const [application] = measured.size;
  return [
    `## Size\n\nWhat an application ships, bundled and minified by esbuild. React is not counted. Each program exports what it imports; the names of these exports add some tens of bytes to what \`npm run check -- size\` counts.\n`,
    writeTable(['', 'minified', 'gzip', 'brotli'], rows),
    application ? `\n${writeParts(application)}` : '',
  ].join('\n');
}

/** What the first entry is made of, by folder. */
function writeParts({ name, parts, minified }: Measured['size'][number]): string {
  const folders = new Map<string, number[]>();
  for (const { file, bytes } of parts) {
    const [folder = '', inside] = file.split('/');
    if (inside !== undefined) folders.set(folder, [...(folders.get(folder) ?? []), bytes]);
  }
  const rows = [...folders]
    .map(([folder, files]) => ({ folder, files, bytes: files.reduce((sum, bytes) => sum + bytes, 0) }))
    .toSorted((left, right) => right.bytes - left.bytes)
    .map(({ folder, files, bytes }) => [
      folder,
      String(files.length),
      formatBytes(bytes),
      `${Math.round((100 * bytes) / minified)} %`,
    ]);
  return `What "${name}" is made of:\n\n${writeTable(['folder', 'files', 'minified', 'share'], rows)}`;
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
    '## Types\n\nA generated program has 200 resources, each with an extension and hooks. It is compared with a program that makes the same requests with plain fetch and types written by hand.\n',
    writeTable(['program', 'lines', 'types', 'instantiations', 'check', 'total'], checks),
    `\n${writeTable(['editor hover over', 'lines'], hovers)}`,
  ].join('\n');
}
