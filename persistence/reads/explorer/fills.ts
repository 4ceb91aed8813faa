/** Rows of the journal's fills as the engine's events. */
import type { Fill } from '../../../engine/index.ts';
import { lots, micros, ticks } from '../../../engine/model/index.ts';
import type { FillRow } from '../../journal/batch.ts';

/** Where neither order was charged anything, the row does not say whether it had fees. */
export function fillEventOf(row: FillRow): Fill {
  const [, , bucket, match, conditionId, takerOrderId, makerOrderId] = row;
  const fees = {
    takerMicros: micros(row[16]),
    makerMicros: micros(row[17]),
    takerBuilderMicros: micros(row[18]),
    makerBuilderMicros: micros(row[19]),
    takerFeeBps: row[20],
    makerFeeBps: row[21],
  };
  return {
    kind: 'fill',
    conditionId: hexOf(conditionId),
    match,
    takerOrderId: hexOf(takerOrderId),
    makerOrderId: hexOf(makerOrderId),
    takerAccount: hexOf(row[7]),
    makerAccount: hexOf(row[8]),
    takerOutcome: row[9],
    takerSide: row[10],
    makerOutcome: row[11],
    makerSide: row[12],
    takerPriceTicks: ticks(row[13]),
    makerPriceTicks: ticks(row[14]),
    lots: lots(row[15]),
    bucket,
    ...(Object.values(fees).some((value) => value !== 0) && { fees }),
  };
}

function hexOf(bytes: Buffer): string {
  return `0x${bytes.toString('hex')}`;
}
