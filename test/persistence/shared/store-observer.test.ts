import t from 'tap';
import type { EngineEvent } from '../../../engine/index.ts';
import { micros, ticks } from '../../../engine/index.ts';
import { commandOutcome } from '../../../persistence/shared/command-source.ts';

const changed: EngineEvent = {
  kind: 'market_resolved',
  conditionId: '0x1',
  payoutTicks: ticks(1),
};
const refused: EngineEvent = { kind: 'rejected', code: 'price_off_tick' };
const duplicate: EngineEvent = { kind: 'order_duplicate', orderId: '0x2', acceptedSeq: 1 };
const known: EngineEvent = { kind: 'known', command: 'redeem', amountMicros: micros(1) };

const outcomes: readonly (readonly [outcome: string, events: readonly EngineEvent[]])[] = [
  ['unchanged', []],
  ['changed', [changed, changed]],
  ['price_off_tick', [refused]],
  ['duplicate', [changed, duplicate]],
  ['known', [changed, known]],
  ['price_off_tick', [changed, refused, changed]],
];

for (const [outcome, events] of outcomes) {
  const kinds = events.map(({ kind }) => kind).join(', ');
  t.test(`a command with the events [${kinds}] is counted as ${outcome}`, async (t) => {
    t.equal(commandOutcome(events), outcome);
  });
}
