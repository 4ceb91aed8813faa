/**
 * The fills that the journal stored beside those that its replay brought about: they must be the
 * same, column by column. Recovery refuses a journal where they are not; `verify` tells it.
 */
import type { Fill } from '../../engine/index.ts';
import type { DurableCommand } from '../shared/index.ts';
import type { FillRow } from './batch.ts';

/** In words that go on after "the journal's command <seq>". */
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
      if (row !== undefined && isBefore(row, seq, ordinal)) return unplayed(row);
      if (row === undefined || row[0] !== seq || row[1] !== ordinal) {
        return { seq, what: `fill ${ordinal} was replayed and is not stored` };
      }
      const what = differenceOf(row, fillFields(seq, ordinal, event));
      if (what !== undefined) return { seq, what: `fill ${ordinal} has ${what}` };
      compared += 1;
      ordinal += 1;
    }
  }
  const left = stored[compared];
  return left === undefined ? undefined : unplayed(left);
}

function isBefore(row: FillRow, seq: number, ordinal: number): boolean {
  return row[0] < seq || (row[0] === seq && row[1] < ordinal);
}

function unplayed([seq, ordinal]: FillRow): FillDifference {
  return {
    seq,
    what: `fill ${ordinal} is stored and was not replayed`,
  };
}

type Field = readonly [name: string, value: number | string];

/** In the order of the columns of `fills`. */
function fillFields(seq: number, ordinal: number, fill: Fill): readonly Field[] {
  return [
    ['seq', seq],
    ['ordinal', ordinal],
    ['bucket', fill.bucket],
    ['match', fill.match],
    ['conditionId', fill.conditionId],
    ['takerOrderId', fill.takerOrderId],
    ['makerOrderId', fill.makerOrderId],
    ['takerAccount', fill.takerAccount],
    ['makerAccount', fill.makerAccount],
    ['takerOutcome', fill.takerOutcome],
    ['takerSide', fill.takerSide],
    ['makerOutcome', fill.makerOutcome],
    ['makerSide', fill.makerSide],
    ['takerPriceTicks', fill.takerPriceTicks],
    ['makerPriceTicks', fill.makerPriceTicks],
    ['lots', fill.lots],
    ['takerFeeMicros', fill.fees?.takerMicros ?? 0],
    ['makerFeeMicros', fill.fees?.makerMicros ?? 0],
    ['takerBuilderMicros', fill.fees?.takerBuilderMicros ?? 0],
    ['makerBuilderMicros', fill.fees?.makerBuilderMicros ?? 0],
    ['takerFeeBps', fill.fees?.takerFeeBps ?? 0],
    ['makerFeeBps', fill.fees?.makerFeeBps ?? 0],
  ];
}

function differenceOf(stored: FillRow, replayed: readonly Field[]): string | undefined {
  for (const [index, [name, value]] of replayed.entries()) {
    const column = stored[index];
    const was = Buffer.isBuffer(column) ? `0x${column.toString('hex')}` : column;
    if (was !== value) return `${name} ${was} stored and ${value} replayed`;
  }
  return undefined;
}
