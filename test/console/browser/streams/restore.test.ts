// A page when the exchange returns to a checkpoint, or forgets what it kept for a resume.
import t, { type Test } from 'tap';
import {
  startTestExchange,
  type TestExchange,
  type Trader,
} from '../../../http/exchange-fixture.ts';
import { restBook, restSources, shownBook, TestPage } from './page-fixture.ts';

/** A page whose requests for earlier trades can fail. */
function pageOf(t: Test, exchange: TestExchange, trader: Trader) {
  const sources = restSources(exchange, trader);
  let isAnswering = true;
  const whenAnswering = <T>(fetched: Promise<T>) =>
    isAnswering ? fetched : Promise.reject(new Error('no answer'));
  const page = new TestPage(t, exchange.running.url, {
    fetchTrades: (conditionId) => whenAnswering(sources.fetchTrades(conditionId)),
    fetchOwnTrades: () => whenAnswering(sources.fetchOwnTrades()),
  });
  const setAnswering = (value: boolean) => {
    isAnswering = value;
  };
  return { page, setAnswering };
}

t.test(
  'after a restore the page shows the earlier state, and nothing of what is gone',
  async (t) => {
    const exchange = await startTestExchange(t);
    const { plain } = exchange;
    const [yes, no] = plain.tokenIds;
    const [alice, bob] = [await exchange.trader(1), await exchange.trader(2)];
    const trade = async (priceTicks: number) => {
      await alice.place({ tokenId: yes, priceTicks, lots: 500 });
      await bob.place({ tokenId: no, priceTicks: 10_000 - priceTicks, lots: 500 });
    };
    await trade(4000);
    await alice.place({ tokenId: yes, priceTicks: 1000, lots: 500 });
    const checkpoint = await exchange.operator('POST', '/checkpoints', { name: 'before' });
    const { id } = JSON.parse(checkpoint.text);

    const { page, setAnswering } = pageOf(t, exchange, alice);
    const { market, user } = page.streams;
    const { view } = market.follow({ conditionId: plain.conditionId, tokenIds: plain.tokenIds });
    user.signIn(alice.credentials);
    await trade(4100);
    await alice.place({ tokenId: yes, priceTicks: 2000, lots: 700 });
    await page.settled('/ws/market');
    await page.settled('/ws/user');
    await page.until(() => view.trades.value.length === 2 && user.trades.value.length === 2);
    t.equal(user.orders.value.size, 2);
    const path = `/markets/${plain.conditionId}/resolve`;
    t.equal((await exchange.operator('POST', path, { payout: '1' })).status, 200);
    await page.until(() => view.terms.value.winningTokenId === yes);

    t.equal((await exchange.operator('POST', `/checkpoints/${id}/restore`)).status, 200);
    await page.until(() => market.state.value.kind === 'disconnected');
    await page.until(() => user.state.value.kind === 'disconnected');
    t.match(market.state.value, {
      closeCode: 1012,
      reason: 'the exchange returns to a checkpoint',
    });
    setAnswering(false);
    page.advance(10_000);
    await page.settled('/ws/market');
    await page.settled('/ws/user');
    await page.until(() => view.history.value === 'failed' && user.history.value === 'failed');
    t.strictSame(view.trades.value, [], 'no trade that may be gone is shown');
    t.strictSame(user.trades.value, []);
    setAnswering(true);
    view.loadHistory();
    user.loadHistory();
    await page.until(() => view.history.value === 'loaded' && user.history.value === 'loaded');
    page.frame();
    for (const outcome of [0, 1] as const) {
      t.strictSame(shownBook(view, outcome), await restBook(exchange, plain.tokenIds[outcome]));
    }
    t.equal(view.state.value, 'live');
    t.equal(view.terms.value.winningTokenId, undefined, 'it is open again');
    t.strictSame(
      view.trades.value.map(({ priceTicks }) => priceTicks),
      [6000],
    );
    t.strictSame(
      [...user.orders.value.values()].map(({ price }) => price),
      ['0.1'],
    );
    t.equal(user.trades.value.length, 1);
    await alice.place({ tokenId: yes, priceTicks: 3000, lots: 500 });
    await page.settled('/ws/market');
    t.equal(view.book.best(0, 'bid'), 3000, 'and it goes on');
  },
);
