import t from 'tap';
import { Registry } from '../../../http/views/registry.ts';
import { tradesOf } from '../../../persistence/index.ts';
import { FAULT_BOUNDS } from '../../../sandbox/faults/bounds.ts';
import { FaultRegistry } from '../../../sandbox/faults/registry.ts';
import { TRADE_STATUS } from '../../../sandbox/faults/stream-kinds.ts';
import { TradeWalks } from '../../../sandbox/stream-faults/trade-walks.ts';
import { fill, happened } from '../../http/durable-commands.ts';

const { toldTrades } = FAULT_BOUNDS;

t.test('a bounded number of trades is told another status, and truth makes room', async (t) => {
  const faults = new FaultRegistry(() => 0);
  const told: unknown[] = [];
  const streams = { tellTrade: (_: unknown, status: string) => told.push(status) };
  const walks = new TradeWalks({ faults, registry: new Registry(), streams: () => streams });
  const fault = faults.add({
    kind: TRADE_STATUS,
    match: {},
    probability: 1,
    count: undefined,
    skip: 0,
    seed: 1,
    afterSeconds: 0,
    forSeconds: undefined,
    parameters: { steps: [{ status: 'FAILED' }] },
  });
  const trade = (seq: number): string => {
    const command = happened(seq, 0, [fill({})]);
    walks.begin([command], () => 'key');
    return tradesOf(command)[0]?.tradeId ?? '';
  };
  const ids = Array.from({ length: toldTrades + 1 }, (_, index) => trade(index + 1));
  t.equal(fault.fired, toldTrades);
  t.match(walks.toldOf(ids[toldTrades - 1] ?? ''), { status: 'FAILED' });
  t.equal(walks.toldOf(ids[toldTrades] ?? ''), undefined, 'the true status');
  walks.end(fault.id, 5);
  t.strictSame(
    told,
    Array.from({ length: toldTrades }, () => 'CONFIRMED'),
  );
  t.ok(walks.isEmpty);
  t.match(walks.toldOf(trade(toldTrades + 2)), { status: 'FAILED' });
});
