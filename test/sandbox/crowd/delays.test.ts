/** The crowd in a market that delays orders which would trade at once. */
import t from 'tap';
import { startTestExchange } from '../../http/exchange-fixture.ts';
import { MOST_ORDERS, ownCrowd } from './own-crowd.ts';

t.test('quotes that their market delays are not placed again, and leave the book', async (t) => {
  const exchange = await startTestExchange(t, { monotonicMs: () => 0 });
  const { operator, plain, running } = exchange;
  const { state } = running.services.exchange;
  const { crowd, fill, turns } = ownCrowd(exchange);
  const openOrders = (): number =>
    crowd.participants
      .flatMap(({ wallet }) => state.owner(wallet.address).orders)
      .filter(({ conditionId }) => conditionId === plain.conditionId).length;
  await crowd.setMode('', 'off');
  await crowd.setMode(plain.conditionId, 'live');
  await fill();
  // An offer that the makers' bids would take, again and again while they wait for their delay.
  const trader = await exchange.trader(1);
  const offer = { tokenId: plain.tokenIds[1], priceTicks: 9_900, lots: 300_000 };
  const offered = await trader.place(offer);
  t.equal(offered.status, 200);
  const path = `/markets/${plain.conditionId}/terms`;
  t.equal((await operator('POST', path, { seconds_delay: 30 })).status, 200);
  const delayed = (): string[] =>
    crowd.participants
      .flatMap(({ wallet }) => state.delayedOrders(wallet.address))
      .map(({ orderId }) => orderId);
  await turns(30);
  const makers = crowd.participants.filter(({ role }) => role === 'maker');
  const waiting = makers.flatMap(({ wallet }) => state.delayedOrders(wallet.address)).length;
  t.ok(waiting > 0 && waiting <= MOST_ORDERS, `${waiting} wait`);
  await trader.cancel(offered.body.orderID);
  t.equal((await operator('POST', '/time', { seconds: 31 })).status, 200);
  await turns(60);
  t.ok(openOrders() - delayed().length <= MOST_ORDERS, `${openOrders()} orders`);
});
