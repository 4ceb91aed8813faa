// Tables of Markdown that are made from code.

/** A cell; undefined keeps what is written in the row of the same first cell. */
export type Cell = string | undefined;

function lineOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function cellsOf(line: string): string[] {
  return line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());
}

/** A text with the rows of its table with these columns made again. Throws if it has none. */
export function withTable(
  text: string,
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
): string {
  const lines = text.split('\n');
  const start = lines.findIndex(
    (line) => line.startsWith('|') && cellsOf(line).join() === columns.join(),
  );
  if (start < 0) throw new Error(`there is no table with the columns ${columns.join(', ')}`);
  let end = start + 2;
  while (lines[end]?.startsWith('|')) end += 1;
  const written = new Map(
    lines.slice(start + 2, end).map((line) => {
      const cells = cellsOf(line);
      return [cells[0], cells];
    }),
  );
  const made = rows.map((row) => {
    const known = written.get(row[0]);
    return lineOf(row.map((cell, index) => cell ?? known?.[index] ?? ''));
  });
  const head = [lineOf(columns), lineOf(columns.map(() => '---'))];
  return [...lines.slice(0, start), ...head, ...made, ...lines.slice(end)].join('\n');
}
