// Markdown tables.

/** A markdown table; columns of figures to the right. */
export function writeTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const isNumber = (column: number) => column > 0 && rows.every((row) => /^-?[\d–]/.test(row[column] ?? '–'));
  const rule = head.map((_, column) => (isNumber(column) ? '---:' : '---'));
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}
