/**
 * Compares the fills that the journal stored with those of its replay, column by column. Recovery
 * refuses a journal where they differ; `verify` reports it.
 */
import type { Fill } from '../../engine/index.ts';
import { FILL_COLUMNS, type FillRow } from '../journal/index.ts';
import type { DurableCommand } from '../shared/index.ts';

/** `what` continues the sentence "the journal's command <seq>: ...". */
export interface FillDifference {
  readonly seq: number;
  readonly what: string;
}

/** The first difference between the fills of the same commands, both in order. */
export function fillDifference(
  stored: readonly FillRow[],
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
      const what = differenceOf(row, fillValues(seq, ordinal, event));
      if (what !== undefined) return { seq, what: `fill ${ordinal} has ${what}` };
      compared += 1;
      ordinal += 1;
    }
  }
  const left = stored[compared];
  return left === undefined ? undefined : notReplayed(left);
}

function isBefore(row: FillRow, seq: number, ordinal: number): boolean {
  return row[0] < seq || (row[0] === seq && row[1] < ordinal);
}

function notReplayed([seq, ordinal]: FillRow): FillDifference {
  return {
    seq,
    what: `fill ${ordinal} is stored and was not replayed`,
  };
}

/** The values of a fill in the order of FILL_COLUMNS. */
function fillValues(seq: number, ordinal: number, fill: Fill): readonly (number | string)[] {
  const { bucket, match, conditionId, takerOrderId, makerOrderId, fees } = fill;
  return [
    ...[seq, ordinal, bucket, match, conditionId, takerOrderId, makerOrderId],
    ...[fill.takerAccount, fill.makerAccount, fill.takerOutcome, fill.takerSide],
    ...[fill.makerOutcome, fill.makerSide, fill.takerPriceTicks, fill.makerPriceTicks, fill.lots],
    ...[fees?.takerMicros ?? 0, fees?.makerMicros ?? 0],
    ...[fees?.takerBuilderMicros ?? 0, fees?.makerBuilderMicros ?? 0],
    ...[fees?.takerFeeBps ?? 0, fees?.makerFeeBps ?? 0],
  ];
}

function differenceOf(stored: FillRow, replayed: readonly (number | string)[]): string | undefined {
  for (const [index, name] of FILL_COLUMNS.entries()) {
    const column = stored[index];
    const was = Buffer.isBuffer(column) ? `0x${column.toString('hex')}` : column;
    if (was !== replayed[index]) return `${name} ${was} stored and ${replayed[index]} replayed`;
  }
  return undefined;
}
