// Figures as people read them.

/** 12.3 ms, 4.56 µs, 17 ns: three significant digits. */
export function formatTime(nanoseconds: number): string {
  if (!Number.isFinite(nanoseconds)) return '–';
  if (nanoseconds >= 1e9) return `${(nanoseconds / 1e9).toPrecision(3)} s`;
  if (nanoseconds >= 1e6) return `${trim(nanoseconds / 1e6)} ms`;
  if (nanoseconds >= 1e3) return `${trim(nanoseconds / 1e3)} µs`;
  return `${trim(nanoseconds)} ns`;
}

/** 3.4x, 1,200x, 0.31x. */
export function formatRatio(ratio: number): string {
  return Number.isFinite(ratio) ? `${trim(ratio)}x` : '–';
}

/** Three significant digits without exponents, thousands grouped. */
export function trim(value: number): string {
  if (value >= 100) return Math.round(Number(value.toPrecision(3))).toLocaleString('en-US');
  return String(Number(value.toPrecision(3)));
}

export function formatBytes(bytes: number): string {
  return bytes >= 10_000
    ? `${(bytes / 1000).toFixed(1)} kB`
    : `${Math.round(bytes).toLocaleString('en-US')} B`;
}

/** A plain text table, figures to the right. The first row is the head. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const columns = (rows[0] ?? []).map((_, column) => rows.map((row) => row[column] ?? ''));
  const widths = columns.map((cells) => Math.max(...cells.map((cell) => cell.length)));
  const isFigures = columns.map((cells) => cells.slice(1).every((cell) => /^[-(]*[\d–]|^$/.test(cell)));
  const pad = (cell: string, column: number) =>
    isFigures[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
  return rows.map((row) => row.map(pad).join('  ').trimEnd()).join('\n');
}
