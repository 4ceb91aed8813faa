// Trading shows in the catalog as volume and liquidity, by which lists can be sorted.
import t from 'tap';
import { NEG_RISK_DOMAIN, shareTestExchange } from '../../http/exchange-fixture.ts';
import { until } from '../../persistence/store-fixture.ts';

interface Shown {
  readonly conditionId: string;
  readonly volume: string;
  readonly volumeNum: number;
  readonly volume24hr: number;
  readonly liquidityNum: number;
}

const share = await shareTestExchange(t);

t.test('volume and resting orders show in the catalog, and lists sort by them', async (t) => {
  const exchange = share();
  // No other test of this exchange trades in this event.
  const { negRisk: market, send } = exchange;
  const [alice, bob] = [await exchange.trader(1), await exchange.trader(2)];
  const domain = NEG_RISK_DOMAIN;
  const [tokenId, other] = market.tokenIds;
  // 100 tokens of YES at 0.40 meet 60 of NO at 0.60: the taker pays 36, and 40 at 0.40 rest.
  t.equal((await alice.place({ tokenId, priceTicks: 4_000, lots: 10_000, domain })).status, 200);
  t.equal(
    (await bob.place({ tokenId: other, priceTicks: 6_000, lots: 6_000, domain })).status,
    200,
  );
  const first = async (order: string): Promise<Shown | undefined> => {
    const { body } = await send('GET', `/markets?order=${order}&limit=1`);
    // Safe: a list of markets.
    return (body as unknown as Shown[])[0];
  };
  // No other test of this exchange trades as much in one market.
  await until(async () => (await first('volume'))?.conditionId === market.conditionId);
  const shown = await first('volume');
  const recent = { volume24hr: 36, volume1wk: 36, volume1mo: 36, volume1yr: 36 };
  t.match(shown, { conditionId: market.conditionId, volumeNum: 36, volume: '36', ...recent });
  t.match(shown, { volumeClob: 36, volume1wkClob: 36, umaResolutionStatuses: '[]' });
  t.equal(shown?.liquidityNum, 16);
  t.equal((await first('liquidity'))?.conditionId, market.conditionId);
  for (const order of ['volume24hr', 'volume_24hr', 'volume1wk', 'volume_1yr', 'volumeClob']) {
    t.equal((await first(order))?.conditionId, market.conditionId, order);
  }
  const { eventId } = exchange.running.services.exchange.catalog.lookup.marketByCondition(
    market.conditionId,
  ) ?? { eventId: '' };
  const event = (await send('GET', `/events/${eventId}`)).body;
  t.match(event, { volume: 36, ...recent, liquidity: 16, liquidityClob: 16 });
  const events = (await send('GET', '/events?order=volume&limit=1')).body;
  t.match(events, [{ id: eventId }]);
});
