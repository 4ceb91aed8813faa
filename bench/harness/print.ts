/**
 * The only place where benchmarks write to the terminal, and the formats of figures. Progress
 * goes to standard error, so that it does not mix with the tables.
 */
import type { Percentiles, Spread } from './statistics.ts';

/** Tells the processes of a run when it began, in ms since the epoch. */
const BEGAN_VARIABLE = 'BENCH_BEGAN_MS';
const began = process.env[BEGAN_VARIABLE] ?? String(performance.timeOrigin);
process.env[BEGAN_VARIABLE] = began;

/** Seconds since the run began. */
export function secondsSoFar(): number {
  return Math.round((Date.now() - Number(began)) / 1_000);
}

export function printLine(line = ''): void {
  process.stdout.write(`${line}\n`);
}

export function printError(line: string): void {
  process.stderr.write(`${line}\n`);
}

export function printProgress(line: string): void {
  printError(`${whole(secondsSoFar()).padStart(5)} s  ${line}`);
}

/** One part of a report: the rows of a table, or a paragraph. */
export type ReportPart = readonly (readonly string[])[] | string;

/** A title, then tables and paragraphs with a blank line after each. */
export function printReport(title: string, ...parts: readonly ReportPart[]): void {
  printLine(title);
  for (const part of parts) {
    printLine();
    if (typeof part !== 'string') for (const line of tableLines(part)) printLine(line);
    else for (const line of wrapped(part)) printLine(`  ${line}`);
  }
}

const COLUMNS = 96;

/** A text in lines of at most COLUMNS; its own line ends stay. */
function wrapped(text: string): string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines = [''];
    for (const word of paragraph.split(' ')) {
      const line = lines.at(-1)!;
      if (line === '') lines[lines.length - 1] = word;
      else if (line.length + 1 + word.length > COLUMNS) lines.push(word);
      else lines[lines.length - 1] = `${line} ${word}`;
    }
    return lines;
  });
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

/** 1234567.8 as `1,234,568`. */
export function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

export function fixed(value: number, decimals: number): string {
  return value.toFixed(decimals);
}

/** Nanoseconds as milliseconds. */
export function inMs(nanoseconds: number, decimals = 1): string {
  return fixed(nanoseconds / 1e6, decimals);
}

/** `1.6 / 11.3 / 15.9`, in milliseconds. */
export function percentilesText({ p50, p99, p999 }: Percentiles): string {
  return [p50, p99, p999].map((value) => inMs(value)).join(' / ');
}

/** The median, the lowest and the highest value; only the median if all are equal. */
export function spreadText(
  { median, lowest, highest }: Spread,
  text: (value: number) => string,
): string {
  return lowest === highest ? text(median) : `${text(median)} (${text(lowest)}..${text(highest)})`;
}

/** `0.93 (0.88..0.97)`, for ratios. */
export function ratioText(spread: Spread): string {
  return spreadText(spread, (one) => fixed(one, 2));
}

/** `9,120 (8,800..9,400)`, for counts a second. */
export function speedText(spread: Spread): string {
  return spreadText(spread, whole);
}
