/**
 * The one table at the end of a run: what was measured, ours, the reference of the same run, the
 * ratio, the budget, met or not. Each bench returns its rows.
 *
 * Invariant: whether a budget is met is found from the text of the budget that is shown, so the two
 * can't differ; what was not measured has not met its budget.
 */
import { fixed, printLine, tableLines, whole } from './print.ts';
import type { Spread } from './statistics.ts';

export interface SummaryRow {
  readonly what: string;
  readonly ours: string;
  readonly reference: string;
  readonly ratio: string;
  readonly budget: string;
  readonly met: 'yes' | 'no' | '-';
}

/** What every bench is: it gets the words behind its name and gives the rows of the table. */
export type Bench = (options: readonly string[]) => Promise<readonly SummaryRow[]>;

/** What a bench knows of a row; what is left out is shown as `-`. */
interface Finding {
  readonly what: string;
  readonly ours: string;
  readonly reference?: string;
  readonly ratio?: Spread | string;
  /** As it is shown: `at least 2 million/s`, `under 25 ms`. */
  readonly budget?: string;
  /** What is held against the budget, in its unit; in whole units where it says million. */
  readonly value?: number;
}

interface Budget {
  readonly isLeast: boolean;
  readonly limit: number;
}

const BUDGET = /^(at least|under) (\d+(?:\.\d+)?)( million)?(?![\d.,])/;

function budgetOf(text: string): Budget {
  const [found, direction, limit, million] = BUDGET.exec(text) ?? [];
  if (found === undefined) {
    throw new Error(`the budget '${text}' says neither 'at least 2' nor 'under 2'`);
  }
  return { isLeast: direction === 'at least', limit: Number(limit) * (million ? 1e6 : 1) };
}

function verdict(text: string, value: number): 'yes' | 'no' {
  const { isLeast, limit } = budgetOf(text);
  return (isLeast ? value >= limit : value < limit) ? 'yes' : 'no';
}

export function summaryRow({ what, ours, budget, ...finding }: Finding): SummaryRow {
  const { reference = '-', ratio, value = Number.NaN } = finding;
  return {
    what,
    ours,
    reference,
    ratio: typeof ratio === 'object' ? ratioText(ratio) : (ratio ?? '-'),
    budget: budget ?? '-',
    met: budget === undefined ? '-' : verdict(budget, value),
  };
}

/** The median, the lowest and the highest; of a single round its figure alone. */
function spreadText({ median, lowest, highest }: Spread, text: (value: number) => string) {
  return lowest === highest ? text(median) : `${text(median)} (${text(lowest)}..${text(highest)})`;
}

/** `0.93 (0.88..0.97)`, for ratios. */
export function ratioText(spread: Spread): string {
  return spreadText(spread, (one) => fixed(one, 2));
}

/** `9,120 (8,800..9,400)`, for what is counted a second. */
export function speedText(spread: Spread): string {
  return spreadText(spread, whole);
}

/** A bench that has failed has no figures. */
export function failedRow(name: string): SummaryRow {
  return {
    ...summaryRow({ what: name, ours: 'failed' }),
    met: 'no',
  };
}

function claimed(what: string, reference: string): SummaryRow {
  return summaryRow({
    what: `claimed by its authors, not measured here: ${what}`,
    ours: '-',
    reference,
  });
}

/** Context: what others publish of theirs. */
export const CLAIMED_ROWS: readonly SummaryRow[] = [
  claimed('exchange-core', '5 million operations/s'),
  claimed('exchange-core, p99', '4 us at 1 million/s'),
  claimed('liquibook', '2.1 to 2.5 million inserts/s'),
];

/** What those figures leave out. */
export const CLAIMED_NOTES: readonly string[] = [
  'exchange-core: on dedicated cores, without network or journal. liquibook: a book alone. Both on',
  'machines that are not this one; a speed of engine.apply is what stands nearest to theirs.',
];

const HEAD = ['what', 'ours', 'reference', 'ratio', 'budget', 'met'];

export function summaryLines(rows: readonly SummaryRow[]): string[] {
  return tableLines([
    HEAD,
    ...rows.map((row) => [row.what, row.ours, row.reference, row.ratio, row.budget, row.met]),
  ]);
}

export function printSummary(rows: readonly SummaryRow[]): void {
  for (const line of summaryLines(rows)) printLine(line);
}
