// Seeded random traders of one market, for tests that follow it by the streams.
import type { MarketEntry } from '../../../http/views/registry.ts';
import type { Trader } from '../exchange-fixture.ts';
import type { Random } from './seeded-random.ts';

/** One step of the life of a market: several requests at once, so that batches have several. */
export async function tradeAtRandom(
  market: MarketEntry,
  traders: readonly Trader[],
  random: Random,
): Promise<void> {
  const live: Promise<unknown>[] = [];
  for (let count = 1 + random(4); count > 0; count -= 1) {
    const trader = traders[random(traders.length)];
    const tokenId = market.tokenIds[random(2)] ?? '';
    const priceTicks = 100 * (40 + random(20));
    const lots = 500 + 100 * random(20);
    const orderType = random(5) === 0 ? 'FAK' : 'GTC';
    if (random(8) === 0) live.push(trader?.signed('DELETE', '/cancel-all') ?? Promise.resolve());
    else live.push(trader?.place({ tokenId, priceTicks, lots, orderType }) ?? Promise.resolve());
  }
  await Promise.all(live);
}
