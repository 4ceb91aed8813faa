/**
 * The table at the end of a run: what was measured, the exchange's figure, the figure of the
 * reference in the same run, the ratio, the budget, and whether it is met. Each benchmark returns
 * its rows.
 *
 * Invariant: the verdict is computed from the text of the budget, so the two cannot differ. A
 * figure that was not measured has not met its budget.
 */
import { ratioText, tableLines } from './print.ts';
import type { Spread } from './statistics.ts';

export interface SummaryRow {
  readonly what: string;
  readonly ours: string;
  readonly reference: string;
  readonly ratio: string;
  readonly budget: string;
  readonly met: 'yes' | 'no' | '-';
}

/** Omitted fields are shown as `-`. */
interface Finding {
  readonly what: string;
  readonly ours: string;
  readonly reference?: string;
  readonly ratio?: Spread | string;
  /** The budget as the table shows it: `at least 20 times`, `under 25 ms`. */
  readonly budget?: string;
  /** The number to compare with the budget, in the same unit. */
  readonly value?: number;
}

const BUDGET = /^(at least|under) (\d+(?:\.\d+)?)(?![\d.,])/;

function isMet(budget: string, value: number): boolean {
  const [found, direction, number] = BUDGET.exec(budget) ?? [];
  if (found === undefined) {
    throw new Error(`the budget '${budget}' must begin like 'at least 2' or 'under 2'`);
  }
  const limit = Number(number);
  return direction === 'at least' ? value >= limit : value < limit;
}

export function summaryRow({ what, ours, budget, ...finding }: Finding): SummaryRow {
  const { reference = '-', ratio = '-', value = Number.NaN } = finding;
  return {
    what,
    ours,
    reference,
    ratio: typeof ratio === 'object' ? ratioText(ratio) : ratio,
    budget: budget ?? '-',
    met: budget === undefined ? '-' : isMet(budget, value) ? 'yes' : 'no',
  };
}

/** The row of a benchmark that failed and therefore has no figures. */
export function failedRow(name: string): SummaryRow {
  return { ...summaryRow({ what: name, ours: 'failed' }), met: 'no' };
}

/** The row of a benchmark for which this machine lacks something. */
export function skippedRow(name: string): SummaryRow {
  return summaryRow({ what: name, ours: 'skipped' });
}

/** On a machine that is not quiet, a budget without a reference that is not met says nothing. */
export function summaryLines(rows: readonly SummaryRow[], isQuiet = true): string[] {
  const shown = ({ met, reference, ours }: SummaryRow): string =>
    met === 'no' && reference === '-' && ours !== 'failed' && !isQuiet ? 'busy' : met;
  return tableLines([
    ['what', 'ours', 'reference', 'ratio', 'budget', 'met'],
    ...rows.map((row) => [row.what, row.ours, row.reference, row.ratio, row.budget, shown(row)]),
  ]);
}
