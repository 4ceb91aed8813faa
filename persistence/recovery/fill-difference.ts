/**
 * Compares the fills that the journal stored with those of its replay, column by column. Recovery
 * refuses a journal where they differ; `verify` reports it.
 */
import { type FillValues, fillFields, fillValues } from '../journal/fills.ts';
import type { DurableCommand } from '../shared/index.ts';

/** `what` continues the sentence "the journal's command <seq>: ...". */
export interface FillDifference {
  readonly seq: number;
  readonly what: string;
}

/** The first difference between the fills of the same commands, both in order. */
export function fillDifference(
  stored: readonly FillValues[],
  replayed: readonly DurableCommand[],
): FillDifference | undefined {
  let compared = 0;
  for (const { seq, events } of replayed) {
    let ordinal = 0;
    for (const event of events) {
      if (event.kind !== 'fill') continue;
      const row = stored[compared];
      if (row !== undefined && isBefore(row, seq, ordinal)) return notReplayed(row);
      if (row === undefined || row[0] !== seq || row[1] !== ordinal) {
        return { seq, what: `fill ${ordinal} was replayed and is not stored` };
      }
      const values = fillValues(seq, ordinal, event);
      if (values.some((value, index) => value !== row[index])) {
        return { seq, what: `fill ${ordinal} has ${differenceOf(row, values)}` };
      }
      compared += 1;
      ordinal += 1;
    }
  }
  const left = stored[compared];
  return left === undefined ? undefined : notReplayed(left);
}

function isBefore(row: FillValues, seq: number, ordinal: number): boolean {
  return row[0] < seq || (row[0] === seq && row[1] < ordinal);
}

function notReplayed([seq, ordinal]: FillValues): FillDifference {
  return { seq, what: `fill ${ordinal} is stored and was not replayed` };
}

function differenceOf(stored: FillValues, replayed: FillValues): string {
  const [was, is] = [fillFields(stored), fillFields(replayed)];
  const name = Object.keys(is).find((one) => was[one] !== is[one]) ?? '';
  return `${name} ${was[name]} stored and ${is[name]} replayed`;
}
