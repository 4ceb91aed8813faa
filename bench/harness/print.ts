/** The one place where benchmarks write to the terminal. */

/** Where a run hands its beginning to the processes of its benches, in ms of the wall clock. */
export const BEGAN_VARIABLE = 'BENCH_BEGAN_MS';

/** When the run began that this process is a part of, in ms of the wall clock. */
export const beganMs = Number(process.env[BEGAN_VARIABLE] ?? performance.timeOrigin);

/** Writes one line to standard output. */
export function printLine(line = ''): void {
  process.stdout.write(`${line}\n`);
}

/** Writes what is wrong to standard error. */
export function printError(line: string): void {
  process.stderr.write(`${line}\n`);
}

/**
 * Writes what is going on, and how many seconds after the beginning of the run, to standard error,
 * where it does not mix with the tables.
 */
export function printProgress(line: string): void {
  const seconds = whole((Date.now() - beganMs) / 1_000);
  printError(`${seconds.padStart(5)} s  ${line}`);
}

/** Rows of text as the lines of a table: the first row is the head, the first column is text. */
export function tableLines(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  const lines = rows.map((row) => {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
    );
    return `  ${cells.join('  ')}`;
  });
  const rule = `  ${widths.map((width) => '-'.repeat(width)).join('  ')}`;
  return [...lines.slice(0, 1), rule, ...lines.slice(1)];
}

/** Writes such a table. */
export function printTable(rows: readonly (readonly string[])[]): void {
  for (const line of tableLines(rows)) printLine(line);
}

/** 1234567.8 as `1,234,568`. */
export function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** A number with a fixed count of decimals. */
export function fixed(value: number, decimals: number): string {
  return value.toFixed(decimals);
}
