// Plots as SVG files of their own, shown as pictures: a page that strips inline SVG still shows them. Text follows the
// reader's light or dark scheme, and the fills are readable on both grounds.

/** Of lines, which stand two beside each other. */
const WIDTH = 680;
/** Of bars: narrow enough that a phone shows their text in a size that can be read. */
const BARS_WIDTH = 480;

const STYLE = `<style>text{fill:#24292f;font:12px system-ui,sans-serif}.head{font-weight:600}.soft{fill:#636c76;font-size:11px}
.grid{stroke:#24292f;stroke-opacity:.14}.ours{fill:#2f9e77}.rival{fill:#c9772b}.peer{fill:#8b93a1}
.line{fill:none}.line.ours{stroke:#2f9e77;stroke-width:3}.line.rival{stroke:#c9772b;stroke-width:2}.line.peer{stroke:#8b93a1;stroke-width:1}
.dashed{stroke-dasharray:5 3}@media(prefers-color-scheme:dark){text{fill:#e6edf3}.soft{fill:#9198a1}.grid{stroke:#e6edf3}}</style>`;

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

interface Size {
  readonly width: number;
  readonly height: number;
}

function svg(title: string, { width, height }: Size, content: string): string {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" ` +
    `aria-label="${escape(title)}">${STYLE}\n${content}</svg>\n`
  );
}

export interface Bar {
  readonly label: string;
  readonly value: number;
  /** What is written at the end of the bar. */
  readonly text: string;
  readonly isOurs: boolean;
}

export interface BarGroup {
  readonly title: string;
  readonly bars: readonly Bar[];
}

const ROW_HEIGHT = 22;
const HEAD_HEIGHT = 30;
const LABEL_WIDTH = 170;
const BAR_WIDTH = BARS_WIDTH - LABEL_WIDTH - 72;

function drawBars({ title, bars }: BarGroup, top: number): string {
  const values = bars.map(({ value }) => value);
  const greatest = Math.max(...values);
  const least = Math.min(...values);
  const isLogarithmic = greatest / least > 100;
  const low = Math.floor(Math.log10(least));
  const share = (value: number) =>
    isLogarithmic ? (Math.log10(value) - low + 0.1) / (Math.log10(greatest) - low + 0.1) : value / greatest;
  const caption = isLogarithmic ? `${title} (logarithmic)` : title;
  const rows = bars.map(({ label, value, text, isOurs }, index) => {
    const y = top + HEAD_HEIGHT + index * ROW_HEIGHT;
    const length = Math.max(1, share(value) * BAR_WIDTH);
    return (
      `<text x="${LABEL_WIDTH - 8}" y="${y + 12}" text-anchor="end"${isOurs ? ' class="head"' : ''}>${escape(label)}</text>` +
      `<rect x="${LABEL_WIDTH}" y="${y}" width="${length.toFixed(1)}" height="15" rx="2" class="${isOurs ? 'ours' : 'peer'}"/>` +
      `<text x="${(LABEL_WIDTH + length + 6).toFixed(1)}" y="${y + 12}">${escape(text)}</text>`
    );
  });
  return [`<text x="0" y="${top + 14}" class="head">${escape(caption)}</text>`, ...rows].join('\n');
}

/** Horizontal bars, one group below the other; logarithmic where values span more than two powers of ten. */
export function plotBars(groups: readonly BarGroup[]): string {
  const parts: string[] = [];
  let height = 0;
  for (const { title, bars } of groups) {
    const shown = bars.filter(({ value }) => Number.isFinite(value) && value > 0);
    if (shown.length === 0) continue;
    parts.push(drawBars({ title, bars: shown }, height));
    height += HEAD_HEIGHT + shown.length * ROW_HEIGHT + 14;
  }
  const size = { width: BARS_WIDTH, height };
  return svg(groups.map(({ title }) => title).join('; '), size, parts.join('\n'));
}

export interface Line {
  readonly kind: 'ours' | 'rival' | 'older rival' | 'peer';
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

export interface Panel {
  readonly title: string;
  readonly lines: readonly Line[];
}

const PANEL = { width: WIDTH / 2 - 8, height: 190, left: 54, right: 26, top: 26, bottom: 26 };
const LINE_CLASS = { ours: 'ours', rival: 'rival', 'older rival': 'rival dashed', peer: 'peer' } as const;

function spanDecades(values: readonly number[]): { readonly low: number; readonly high: number } {
  const low = Math.floor(Math.log10(Math.min(...values)));
  return { low, high: Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values)))) };
}

function listDecades(low: number, high: number): number[] {
  return Array.from({ length: high - low + 1 }, (_, step) => 10 ** (low + step));
}

function drawPanel(panel: Panel, left: number, top: number, formatY: (value: number) => string): string {
  const points = panel.lines.flatMap((line) => line.points);
  const spanX = spanDecades(points.map(({ x }) => x));
  const spanY = spanDecades(points.map(({ y }) => y));
  const innerWidth = PANEL.width - PANEL.left - PANEL.right;
  const innerHeight = PANEL.height - PANEL.top - PANEL.bottom;
  const place = (value: number, { low, high }: typeof spanX) => (Math.log10(value) - low) / (high - low);
  const toX = (value: number) => (left + PANEL.left + place(value, spanX) * innerWidth).toFixed(1);
  const toY = (value: number) => (top + PANEL.top + (1 - place(value, spanY)) * innerHeight).toFixed(1);
  const axisX = listDecades(spanX.low, spanX.high).map(
    (value) =>
      `<text x="${toX(value)}" y="${top + PANEL.height - 8}" text-anchor="middle" class="soft">${value.toLocaleString('en-US')}</text>`,
  );
  const decades = listDecades(spanY.low, spanY.high);
  const everySecond = decades.length > 6 ? 2 : 1;
  const axisY = decades.map((value, index) => {
    const line = `<line x1="${left + PANEL.left}" x2="${left + PANEL.width - PANEL.right}" y1="${toY(value)}" y2="${toY(value)}" class="grid"/>`;
    if (index % everySecond !== 0) return line;
    const label = escape(formatY(value));
    return `${line}<text x="${left + PANEL.left - 6}" y="${Number(toY(value)) + 4}" text-anchor="end" class="soft">${label}</text>`;
  });
  const curves = panel.lines
    .toReversed() // ours comes first in the list and last, on top, in the picture
    .map(({ kind, points: path }) => {
      const at = path.map(({ x, y }) => `${toX(x)},${toY(y)}`).join(' ');
      return `<polyline points="${at}" class="line ${LINE_CLASS[kind]}"/>`;
    });
  const title = `<text x="${left}" y="${top + 14}" class="head">${escape(panel.title)}</text>`;
  return [title, ...axisX, ...axisY, ...curves].join('\n');
}

/** Small pictures side by side, both axes logarithmic: slope 1 is linear growth, a flat line is constant. */
export function plotPanels(
  title: string,
  panels: readonly Panel[],
  legend: readonly { readonly kind: Line['kind']; readonly label: string }[],
  formatY: (value: number) => string,
): string {
  const keys = legend.map(({ kind, label }, index) => {
    const x = index * 165;
    return `<line x1="${x}" x2="${x + 24}" y1="12" y2="12" class="line ${LINE_CLASS[kind]}"/><text x="${x + 30}" y="16">${escape(label)}</text>`;
  });
  const top = 34;
  const drawn = panels.map((panel, index) =>
    drawPanel(
      panel,
      (index % 2) * (WIDTH / 2 + 8),
      top + Math.floor(index / 2) * (PANEL.height + 12),
      formatY,
    ),
  );
  const height = top + Math.ceil(panels.length / 2) * (PANEL.height + 12);
  return svg(title, { width: WIDTH, height }, [...keys, ...drawn].join('\n'));
}
