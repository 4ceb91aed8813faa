/** The one place where benchmarks write to the terminal. */

/** Writes one line to standard output. */
export function printLine(line = ''): void {
  process.stdout.write(`${line}\n`);
}

/** Writes what is going on to standard error, where it does not mix with the tables. */
export function printProgress(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Writes rows of text as a table: the first row is the head, the first column is text. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  for (const [index, row] of rows.entries()) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
    );
    printLine(`  ${cells.join('  ')}`);
    if (index === 0) printLine(`  ${widths.map((width) => '-'.repeat(width)).join('  ')}`);
  }
}

/** 1234567.8 as `1,234,568`. */
export const whole = (value: number): string => Math.round(value).toLocaleString('en-US');

/** A number with a fixed count of decimals. */
export const fixed = (value: number, decimals: number): string => value.toFixed(decimals);
