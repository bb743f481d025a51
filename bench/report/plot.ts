// Plots as inline SVG. Text is `currentColor` and the two fills are readable on both grounds, so the same
// picture serves a light and a dark page.

const OUR_FILL = '#2f9e77';
const PEER_FILL = '#8b93a1';
const WIDTH = 680;

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

export interface Bar {
  readonly label: string;
  readonly value: number;
  /** What is written at the end of the bar. */
  readonly text: string;
  readonly isOurs: boolean;
}

/** Horizontal bars; a logarithmic axis when values span more than two powers of ten, and then it says so. */
export function plotBars(title: string, bars: readonly Bar[]): string {
  const shown = bars.filter(({ value }) => Number.isFinite(value) && value > 0);
  if (shown.length === 0) return '';
  const values = shown.map(({ value }) => value);
  const greatest = Math.max(...values);
  const least = Math.min(...values);
  const isLogarithmic = greatest / least > 100;
  const low = Math.floor(Math.log10(least));
  const share = (value: number) =>
    isLogarithmic ? (Math.log10(value) - low + 0.1) / (Math.log10(greatest) - low + 0.1) : value / greatest;
  const labelWidth = 190;
  const barWidth = WIDTH - labelWidth - 110;
  const rowHeight = 22;
  const height = 30 + shown.length * rowHeight;
  const caption = isLogarithmic ? `${title} (logarithmic)` : title;
  const rows = shown.map(({ label, value, text, isOurs }, index) => {
    const y = 30 + index * rowHeight;
    const length = Math.max(1, share(value) * barWidth).toFixed(1);
    return (
      `<text x="${labelWidth - 8}" y="${y + 12}" text-anchor="end"${isOurs ? ' font-weight="600"' : ''}>${escape(label)}</text>` +
      `<rect x="${labelWidth}" y="${y}" width="${length}" height="15" rx="2" fill="${isOurs ? OUR_FILL : PEER_FILL}"/>` +
      `<text x="${labelWidth + Number(length) + 6}" y="${y + 12}">${escape(text)}</text>`
    );
  });
  return svg(caption, height, rows.join(''));
}

export interface Line {
  readonly label: string;
  readonly isOurs: boolean;
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

/** Lines on two logarithmic axes: a straight line of slope 1 is linear growth, a flat one is constant. */
export function plotLines(title: string, lines: readonly Line[], formatY: (value: number) => string): string {
  const points = lines.flatMap((line) => line.points).filter(({ y }) => Number.isFinite(y) && y > 0);
  if (points.length === 0) return '';
  const height = 210;
  const frame = { left: 70, right: 150, top: 34, bottom: 28 };
  const span = (values: readonly number[]) => {
    const low = Math.floor(Math.log10(Math.min(...values)));
    return { low, high: Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values)))) };
  };
  const spanX = span(points.map(({ x }) => x));
  const spanY = span(points.map(({ y }) => y));
  const toX = (value: number) =>
    frame.left +
    ((Math.log10(value) - spanX.low) / (spanX.high - spanX.low)) * (WIDTH - frame.left - frame.right);
  const toY = (value: number) =>
    height -
    frame.bottom -
    ((Math.log10(value) - spanY.low) / (spanY.high - spanY.low)) * (height - frame.top - frame.bottom);
  const axisX = Array.from({ length: spanX.high - spanX.low + 1 }, (_, step) => {
    const value = 10 ** (spanX.low + step);
    return `<text x="${toX(value)}" y="${height - 10}" text-anchor="middle" opacity="0.7">${value.toLocaleString('en-US')}</text>`;
  });
  const axisY = Array.from({ length: spanY.high - spanY.low + 1 }, (_, step) => {
    const value = 10 ** (spanY.low + step);
    const y = toY(value);
    return (
      `<line x1="${frame.left}" x2="${WIDTH - frame.right}" y1="${y}" y2="${y}" stroke="currentColor" opacity="0.15"/>` +
      `<text x="${frame.left - 6}" y="${y + 4}" text-anchor="end" opacity="0.7">${escape(formatY(value))}</text>`
    );
  });
  const curves = lines.map(({ label, isOurs, points: path }) => {
    const stroke = isOurs ? OUR_FILL : PEER_FILL;
    const last = path.at(-1);
    const at = path.map(({ x, y }) => `${toX(x).toFixed(1)},${toY(y).toFixed(1)}`).join(' ');
    const name = last ? `<text x="${toX(last.x) + 8}" y="${toY(last.y) + 4}">${escape(label)}</text>` : '';
    return `<polyline points="${at}" fill="none" stroke="${stroke}" stroke-width="2.5"/>${name}`;
  });
  return svg(title, height, [...axisX, ...axisY, ...curves].join(''));
}

function svg(title: string, height: number, content: string): string {
  return (
    `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escape(title)}" style="max-width:${WIDTH}px;width:100%;color:inherit" ` +
    `font-family="inherit" font-size="12" fill="currentColor"><text x="0" y="14" font-weight="600">${escape(title)}</text>${content}</svg>`
  );
}
