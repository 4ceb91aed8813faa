/**
 * Compares the fills that the journal stored with those of its replay, column by column. Recovery
 * refuses a journal where they differ; `verify` reports it.
 */
import type { Fill } from '../../engine/index.ts';
import { FILL_COLUMNS, type FillRow } from '../journal/batch.ts';
import type { FillValues } from '../journal/part.ts';
import type { DurableCommand } from '../shared/index.ts';

/** `what` continues the sentence "the journal's command <seq>: ...". */
export interface FillDifference {
  readonly seq: number;
  readonly what: string;
}

/** Whether the stored fills are those of the same commands, both in order. */
export function areFillsOf(
  stored: readonly FillValues[],
  replayed: readonly DurableCommand[],
): boolean {
  let compared = 0;
  for (const { seq, events } of replayed) {
    let ordinal = 0;
    for (const event of events) {
      if (event.kind !== 'fill') continue;
      const values = stored[compared];
      if (values === undefined || !isFillOf(values, seq, ordinal, event)) return false;
      compared += 1;
      ordinal += 1;
    }
  }
  return compared === stored.length;
}

/** Compares in the order of `FillValues`. */
function isFillOf(values: FillValues, seq: number, ordinal: number, fill: Fill): boolean {
  const [names, fees] = [namesText(fill), fill.fees];
  return (
    values[0] === seq &&
    values[1] === ordinal &&
    values[2] === names &&
    values[3] === fill.bucket &&
    values[4] === fill.match &&
    values[5] === fill.takerOutcome &&
    values[6] === fill.takerSide &&
    values[7] === fill.makerOutcome &&
    values[8] === fill.makerSide &&
    values[9] === fill.takerPriceTicks &&
    values[10] === fill.makerPriceTicks &&
    values[11] === fill.lots &&
    values[12] === (fees?.takerMicros ?? 0) &&
    values[13] === (fees?.makerMicros ?? 0) &&
    values[14] === (fees?.takerBuilderMicros ?? 0) &&
    values[15] === (fees?.makerBuilderMicros ?? 0) &&
    values[16] === (fees?.takerFeeBps ?? 0) &&
    values[17] === (fees?.makerFeeBps ?? 0)
  );
}

function namesText(fill: Fill): string {
  const { conditionId, takerOrderId, makerOrderId, takerAccount, makerAccount } = fill;
  const orders = `${conditionId.slice(2)} ${takerOrderId.slice(2)} ${makerOrderId.slice(2)}`;
  return `${orders} ${takerAccount.slice(2)} ${makerAccount.slice(2)}`.toUpperCase();
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
