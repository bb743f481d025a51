// The targets, one row per claim, each with the figure that this run measured beside it.
import { readGrowth } from '../growth/result.ts';
import { formatBytes, formatRatio, formatTime, trim } from '../support/format.ts';
import { OURS } from './measured.ts';
import type { Measured } from './measured.ts';

export interface TargetRow {
  readonly id: string;
  readonly claim: string;
  readonly figure: string;
  /** Undefined when nothing was measured. */
  readonly isMet: boolean | undefined;
}

type Rows = (measured: Measured) => TargetRow[];

export const NEWER = 'data-client 0.18';
export const OLDER = 'data-client 0.10';

function judge(id: string, claim: string, value: number, figure: string, isMet: boolean): TargetRow {
  return {
    id,
    claim,
    figure: Number.isNaN(value) ? '–' : figure,
    isMet: Number.isNaN(value) ? undefined : isMet,
  };
}

/** At least so many times faster than a contestant; the other line of data-client is told, not judged. */
function faster(id: string, least: number, contestant: string, variant = ''): Rows {
  return (measured) => {
    const ratio = measured.ratio(id, contestant, variant);
    const other = measured.ratio(id, OLDER, variant);
    const aside = contestant === NEWER && !Number.isNaN(other) ? ` (${OLDER}: ${formatRatio(other)})` : '';
    const where = variant && `, ${variant}`;
    const claim = `at least ${trim(least)}x faster than ${contestant}${where}`;
    return [judge(id, claim, ratio, formatRatio(ratio) + aside, ratio >= least)];
  };
}

/** Takes at most this share of what a floor or contestant takes. */
function atMostOf(id: string, most: number, contestant: string, variant = ''): Rows {
  return (measured) => {
    const share = 1 / measured.ratio(id, contestant, variant);
    return [
      judge(
        id,
        `at most ${most}x of ${contestant}${variant && `, ${variant}`}`,
        share,
        formatRatio(share),
        share <= most,
      ),
    ];
  };
}

function under(id: string, most: number, variant = ''): Rows {
  return (measured) => {
    const time = measured.time(id, variant);
    return [
      judge(id, `under ${formatTime(most)}${variant && `, ${variant}`}`, time, formatTime(time), time < most),
    ];
  };
}

/** One variant of ours against another: growth inside a scenario. */
function within(id: string, most: number, larger: string, smaller: string): Rows {
  return (measured) => {
    const ratio = measured.time(id, larger) / measured.time(id, smaller);
    const figure = `${formatRatio(ratio)} (${formatTime(measured.time(id, smaller))} → ${formatTime(measured.time(id, larger))})`;
    return [judge(id, `${larger} at most ${most}x of ${smaller}`, ratio, figure, ratio <= most)];
  };
}

function exactly(id: string, name: string, wanted: number, variant = ''): Rows {
  return (measured) => {
    const count = measured.count(id, name, variant);
    return [judge(id, `${name}: ${wanted}`, count, `${count}`, count === wanted)];
  };
}

function atMost(id: string, name: string, most: number, variant: string): Rows {
  return (measured) => {
    const count = measured.count(id, name, variant);
    return [judge(id, `${name}: at most ${trim(most)}, ${variant}`, count, trim(count), count <= most)];
  };
}

function deep(measured: Measured): TargetRow[] {
  const wanted = 100_000;
  const depth = measured.engine
    .flatMap((result) => result.depths)
    .find(({ contestant }) => contestant === OURS);
  return (['nested', 'references'] as const).map((kind) => {
    const reached = depth?.[kind] ?? Number.NaN;
    return judge(
      'S2',
      `${kind === 'nested' ? 'entities nested' : 'a chain of references'} ${trim(wanted)} deep can be stored and read back`,
      reached,
      trim(reached),
      reached >= wanted,
    );
  });
}

function memory(measured: Measured): TargetRow[] {
  const shares = (['flat', 'nested'] as const).map((shape) => {
    const share = measured.bytes(OURS, shape) / measured.bytes(NEWER, shape);
    const figure = `${formatRatio(share)} (${formatBytes(measured.bytes(OURS, shape))} against ${formatBytes(measured.bytes(NEWER, shape))})`;
    return judge(
      'M1',
      `${shape}: at most 0.6x of the bytes per row of ${NEWER}`,
      share,
      figure,
      share <= 0.6,
    );
  });
  const large = measured.memory?.largeResponse.find(({ contestant }) => contestant === OURS);
  const timeShare = large ? large.storeAndReadMs / large.parseMs : Number.NaN;
  const heapShare = large ? large.keptBytes / large.textBytes : Number.NaN;
  return [
    ...shares,
    judge(
      '50 MB',
      'store + read at most 3x of JSON.parse',
      timeShare,
      formatRatio(timeShare),
      timeShare <= 3,
    ),
    judge('50 MB', 'heap kept at most 5x of the text', heapShare, formatRatio(heapShare), heapShare <= 5),
  ];
}

/** Faster than every other library by at least this factor; 0.95 leaves 5 %. */
function beatsAll(id: string, least: number, claim: string): Rows {
  return (measured) => {
    const next = measured.nextBest(id);
    return [judge(id, claim, next, `next best takes ${formatRatio(next)}`, next >= least)];
  };
}

function rendered(id: string, kind: 'rows' | 'hooks', wanted: number): Rows {
  return (measured) => {
    const count = measured.rendering(id, OURS)?.[kind] ?? Number.NaN;
    return [
      judge(
        id,
        `${kind === 'rows' ? 'rows rendered' : 'hooks run'}: ${wanted}`,
        count,
        `${count}`,
        count === wanted,
      ),
    ];
  };
}

function fasterRendering(id: string, least: number): Rows {
  return (measured) => {
    const ratio = measured.rendering(id, OLDER)?.timesReference.median ?? Number.NaN;
    return [judge(id, `at least ${least}x faster than ${OLDER}`, ratio, formatRatio(ratio), ratio >= least)];
  };
}

function sizes(measured: Measured): TargetRow[] {
  return measured.size.flatMap(({ name, gzip, target }) =>
    target === undefined
      ? []
      : [
          judge(
            'size',
            `${name}: at most ${formatBytes(target)} gzip`,
            gzip,
            formatBytes(gzip),
            gzip <= target,
          ),
        ],
  );
}

function types(measured: Measured): TargetRow[] {
  const find = (program: string) => measured.types?.checks.find((check) => check.program === program);
  const ours = find('library');
  const byHand = find('by-hand');
  const ratio = ours && byHand ? ours.totalSeconds / byHand.totalSeconds : Number.NaN;
  const figure = `${formatRatio(ratio)} (${ours?.totalSeconds} s against ${byHand?.totalSeconds} s; ${ours?.instantiations} against ${byHand?.instantiations} instantiations)`;
  const lines = Math.max(
    Number.NEGATIVE_INFINITY,
    ...(measured.types?.hovers.map((hover) => hover.lines) ?? []),
  );
  const longest = Number.isFinite(lines) ? lines : Number.NaN;
  return [
    judge(
      'types',
      '200 resources type-check in at most 2x of plain fetch with types by hand',
      ratio,
      figure,
      ratio <= 2,
    ),
    judge('types', 'editor hover at most 5 lines', longest, `longest ${longest}`, longest <= 5),
  ];
}

function growth(measured: Measured): TargetRow[] {
  const ours = measured.growth
    .filter(({ contestant }) => contestant === OURS)
    .map((result) => ({ ...result, ...readGrowth(result) }))
    .toSorted((left, right) => readExcess(right) - readExcess(left));
  const steep = ours.filter(({ isSteep }) => isSteep);
  const unfinished = ours.filter(({ points }) => points.some(({ time }) => time === undefined));
  const shown = (steep.length > 0 ? steep : ours.slice(0, 1)).map(
    ({ operation, exponent, expected }) => `${operation} (rows^${exponent?.toFixed(2)}, work ${expected})`,
  );
  const figure = `${steep.length} of ${ours.length}; ${steep.length > 0 ? '' : 'steepest: '}${shown.join(', ')}`;
  const gaps = unfinished.map(({ operation }) => `; not at every size: ${operation}`).join('');
  return [
    judge(
      'growth',
      'no operation grows faster than its work',
      ours.length > 0 ? steep.length : Number.NaN,
      figure + gaps,
      steep.length === 0 && unfinished.length === 0,
    ),
  ];
}

/** How far an exponent is above what the work asks for. */
function readExcess(result: { readonly exponent: number | undefined; readonly expected: number }): number {
  return (result.exponent ?? Infinity) - result.expected;
}

const rows: readonly Rows[] = [
  faster('N1', 3, NEWER),
  atMostOf('N1', 0.4, 'JSON.parse'),
  faster('N2', 3, NEWER),
  atMostOf('N2', 0.7, 'JSON.parse'),
  faster('N3', 5, NEWER),
  faster('N3', 2, 'TanStack Query'),
  exactly('N3', 'references changed', 0),
  exactly('N3', 'readers woken', 0),
  faster('D1', 6, NEWER),
  under('D2', 1000, '10,000 rows'),
  within('D2', 1.5, '10,000 rows', '100 rows'),
  faster('W1', 500, NEWER),
  faster('W1', 20, 'TanStack Query'),
  atMostOf('W1', 6, 'hand-written loop'),
  faster('W2', 25, NEWER),
  faster('W3', 1000, NEWER),
  exactly('W3', 'readers woken', 1),
  within('W4', 5, '100,000 rows', '1,000 rows'),
  within('W5', 3, '10,000 readers', '10 readers'),
  faster('W5', 1, 'TanStack Query', '10 readers'),
  faster('W5', 1, 'TanStack Query', '10,000 readers'),
  atMost('W5', 'bytes allocated', 4000, '10 readers'),
  exactly('E1', 'readers woken', 1),
  within('E2', 12, '500 calls', '50 calls'),
  faster('C1', 200, OLDER),
  within('C2', 2, '1,000 lists', '10 lists'),
  faster('O1', 500, OLDER, '20 in flight'),
  within('O1', 1.5, '20 in flight', 'none in flight'),
  under('Q1', 1000, 'nothing changed'),
  exactly('Q1', 'references changed, nothing written', 0, 'nothing changed'),
  atMostOf('Q1', 1.3, 'hand-written loop', 'one row changed'),
  faster('L1', 20, 'hand-written loop', 'insert'),
  faster('L1', 20, 'hand-written loop', 'move'),
  exactly('L2', 'requests per page', 1),
  exactly('L2', 'references changed', 0),
  exactly('L2', 'readers woken', 0),
  faster('K1', 3, OLDER),
  within('G1', 1.5, '10,000 rows', '100 rows'),
  under('B1', 100e6, '5,000 rows'),
  within('B1', 5, '20,000 rows', '5,000 rows'),
  within('B2', 10, '400 changes', '50 changes'),
  within('B3', 5, '1,000 changes', '250 changes'),
  within('B3', 5, '200 joined changes', '50 joined changes'),
  memory,
  faster('S1', 4, NEWER, 'store and read'),
  faster('S1', 50, NEWER, 'one change and read'),
  deep,
  beatsAll('R1', 0.95, 'within 5 % of the fastest peer'),
  beatsAll('R2', 1, 'fastest'),
  beatsAll('R3', 1, 'fastest'),
  fasterRendering('R3', 8),
  rendered('R3', 'hooks', 1),
  beatsAll('R4', 3, 'at least 3x faster than the next'),
  rendered('R4', 'hooks', 50),
  beatsAll('R5', 1, 'fastest'),
  rendered('R5', 'rows', 1),
  beatsAll('R6', 1, 'fastest'),
  rendered('R7', 'hooks', 1),
  sizes,
  types,
  growth,
];

export function readTargets(measured: Measured): TargetRow[] {
  return rows.flatMap((row) => row(measured));
}
