import t from 'tap';
import { type Ticks, ticks } from '../../../engine/model/index.ts';
import { readEnvelope } from '../../../sandbox/replay/envelope.ts';
import { FaultList } from '../../../sandbox/replay/faults.ts';
import { type MarketOptions, RecordedMarket } from '../../../sandbox/replay/recorded-market.ts';
import { MessageReader } from '../../../sandbox/replay/recorded-message.ts';
import { book, change, trade } from './recorded-messages.ts';
import { NO, YES } from './recorded-venue.ts';

/** Takes lines in; returns the market, what the exchange must do, and how many were of others. */
function taken(lines: readonly string[], changes: Partial<MarketOptions> = {}) {
  const faults = new FaultList({ isStrict: true, tell: () => {} });
  const reader = new MessageReader(faults);
  const tokenIds = ['1', '2'] as const;
  const market = new RecordedMarket({
    ...{ tokenIds, tickTicks: ticks(100), recordedMarket: undefined, yesAsset: undefined, faults },
    ...changes,
  });
  let others = 0;
  const steps = lines.flatMap((line) =>
    (readEnvelope(line)?.messages ?? []).flatMap((json) => {
      const message = reader.read(json);
      if (message === undefined) return [];
      if (!market.isOther(message)) return market.take(message);
      others += 1;
      return [];
    }),
  );
  return { market, steps, others };
}

function bids(market: RecordedMarket): readonly (readonly [Ticks, number])[] {
  return [...market.book.levels('bid')];
}

const FIRST = book([['0.48', '30']], []);
const OTHER = book([['0.1', '1']], [], { market: '0x77' });

t.test('the first asset is YES, unless it is told or the exchange knows it', async (t) => {
  t.strictSame(bids(taken([FIRST]).market), [[4_800, 3_000]]);
  t.strictSame(bids(taken([FIRST], { yesAsset: NO }).market), [], 'it is an ask of NO');
  t.strictSame(taken([FIRST], { yesAsset: NO }).market.book.best('ask'), 5_200);
  const tokens = taken([FIRST], { tokenIds: [NO, YES] });
  t.equal(tokens.market.book.best('ask'), 5_200, 'YES of the recording is NO of this market');
});

t.test('one of several recorded markets is played', async (t) => {
  const first = taken([FIRST, OTHER]);
  t.equal(first.others, 1);
  t.strictSame(bids(first.market), [[4_800, 3_000]]);
  const chosen = taken([FIRST, OTHER], { recordedMarket: '0x77' });
  t.equal(chosen.others, 1);
  t.strictSame(bids(chosen.market), [[1_000, 100]]);
});

t.test('the price step is the recorded one, or the one that the books need', async (t) => {
  const fine = book([['0.481', '30']], []);
  const toThousandths = { kind: 'tick', tickTicks: 10, oldTicks: 100 };
  t.strictSame(taken([FIRST, fine]).steps, [{ kind: 'book' }, toThousandths, { kind: 'book' }]);
  const told = book([['0.481', '30']], [], { tick_size: '0.0001' });
  t.match(taken([told]).steps, [{ kind: 'tick', tickTicks: 1 }, { kind: 'book' }]);
  const kept = book([['0.48', '30']], [], { tick_size: '0.01' });
  t.throws(() => taken([kept, fine]), /0.481 is not a multiple of 0.01/);
});

t.test('a trade is told once, though the recording has it for both assets', async (t) => {
  const level = { side: 'ask', priceTicks: 5_200, lots: 500 };
  const one = trade('BUY', '0.52', '5', { transaction_hash: '0xab' });
  const copy = trade('SELL', '0.48', '5', { transaction_hash: '0xab', asset_id: NO });
  t.strictSame(taken([one, copy]).steps, [{ kind: 'trade', level }]);
  const again = taken([one, copy, one, copy]).steps;
  t.equal(again.length, 2, 'a repeated hash is another trade of the same taker');
  const untold = taken([one, one]).steps;
  t.equal(untold.length, 2);
});

t.test('a message of both shapes sets the same level', async (t) => {
  const old = { event_type: 'price_change', asset_id: YES, market: '', timestamp: '1' };
  const changes = [{ side: 'buy', price: 0.48, size: 12.5 }];
  const inOldShape = taken([JSON.stringify({ ...old, changes })]).market;
  t.strictSame(bids(inOldShape), [[4_800, 1_250]]);
  t.strictSame(bids(taken([change('BUY', '.48', '12.50')]).market), [[4_800, 1_250]]);
});
