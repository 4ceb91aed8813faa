/** The portfolio when something is in the way, and the public page of the sandbox. */
import t from 'tap';
import type { MarketEntry } from '../../../../http/views/registry.ts';
import { checkAppearance } from '../../../browser/appearance.ts';
import { openLink } from '../../../browser/link.ts';
import { openConsoles } from './portfolio-fixture.ts';

const { exchange, open, openAs } = await openConsoles(t);
const { registry } = exchange.running.services;
const markets = [...registry.markets()].filter(
  ({ tickTicks, minimumLots, negRisk }) => tickTicks === 100 && minimumLots === 500 && !negRisk,
);

function marketAt(place: number): MarketEntry {
  const market = markets[place];
  if (market === undefined) throw new Error(`the built-in catalog has no market ${place}`);
  return market;
}

t.test('a delayed order is marked, and cannot be chosen or canceled', async (t) => {
  const market = marketAt(0);
  const terms = { seconds_delay: 60 };
  const changed = await exchange.operator('POST', `/markets/${market.conditionId}/terms`, terms);
  t.equal(changed.status, 200, changed.text);
  const [trader, maker] = [await exchange.trader(1), await exchange.trader(2)];
  await maker.place({ tokenId: market.tokenIds[1], priceTicks: 6_000, lots: 1_000 });
  await trader.place({ tokenId: market.tokenIds[0], priceTicks: 4_000, lots: 600 });
  await trader.place({ tokenId: market.tokenIds[0], priceTicks: 1_000, lots: 500 });
  const page = await openAs(t, 1, 'portfolio?tab=orders');
  await page.getByRole('tab', { name: 'Open orders (2)' }).waitFor();
  t.ok(await page.getByRole('checkbox', { name: 'Select: Buy 6 Yes at 40¢' }).isDisabled());
  t.ok(await page.getByRole('button', { name: 'Cancel: Buy 6 Yes at 40¢' }).isDisabled());
  await page.getByRole('checkbox', { name: 'Select all' }).check();
  await page.getByRole('button', { name: 'Cancel selected (1)' }).click();
  await page.getByText('1 order is canceled.').waitFor();
  await page.getByRole('button', { name: 'Cancel all', exact: true }).click();
  await page.getByText('Buy 6 Yes at 40¢: the order is delayed by its market').waitFor();
  await checkAppearance(t, page, 'portfolio-delayed');
});

const HOSTILE = '<img src=x onerror="document.title=1"><script>document.title=1</script>';

t.test('titles and outcomes of strangers are text', async (t) => {
  const long = `${'W'.repeat(90)} ${HOSTILE}`;
  const event = {
    ...{ slug: 'hostile', title: long, description: '', resolutionSource: '' },
    markets: [{ slug: 'hostile-market', question: long, outcomes: [HOSTILE, 'W'.repeat(40)] }],
  };
  const created = await exchange.operator('POST', '/events', event);
  t.equal(created.status, 200, created.text);
  const conditionId = JSON.parse(created.text).markets[0].condition_id;
  const [first] = registry.market(conditionId)?.tokenIds ?? [''];
  const trader = await exchange.trader(3);
  await trader.signed('POST', '/sets/split', { market: conditionId, amount: '10', key: 'hostile' });
  await trader.place({ tokenId: first, side: 'SELL', priceTicks: 9_000, lots: 500 });
  const page = await openAs(t, 3, 'portfolio');
  await page.getByRole('region', { name: 'Positions' }).getByText(HOSTILE).first().waitFor();
  await checkAppearance(t, page, 'portfolio-hostile');
  for (const name of ['Open orders (1)', 'Activity']) {
    await page.getByRole('tab', { name }).click();
    await page.getByRole('tabpanel').getByText(HOSTILE).first().waitFor();
  }
  t.equal(await page.locator('main img, main script').count(), 0);
  t.equal(await page.title(), 'Portfolio · outcome-exchange');
});

t.test('a lost connection is said, and what was missed is there when it is back', async (t) => {
  const link = await openLink(t, exchange.running.url);
  const page = await openAs(t, 4, 'portfolio?tab=orders', {
    url: `${link.url}/ui/#/portfolio?tab=orders`,
    allows: [/failed: net::ERR/, /WebSocket connection/],
  });
  await page.getByText('There are no open orders.').waitFor();
  link.loseAll();
  await page.getByText('The connection is lost.', { exact: false }).waitFor();
  await checkAppearance(t, page, 'portfolio-disconnected');
  const trader = await exchange.trader(4);
  await trader.place({ tokenId: marketAt(1).tokenIds[0], priceTicks: 1_000, lots: 500 });
  link.restore();
  await page.getByRole('button', { name: 'Cancel: Buy 5 Yes at 10¢' }).waitFor();
  await page.getByText('The connection is lost.', { exact: false }).waitFor({ state: 'detached' });
});

t.test('notices tell what happened, until they are dismissed', async (t) => {
  const [trader, taker] = [await exchange.trader(5), await exchange.trader(6)];
  const [yes, no] = marketAt(2).tokenIds;
  await trader.place({ tokenId: yes, priceTicks: 3_000, lots: 1_000 });
  await taker.place({ tokenId: no, priceTicks: 7_000, lots: 600 });
  const page = await openAs(t, 5, 'portfolio?tab=notices');
  await page.getByText(/^Filled: buy .* 6 at 30¢; 4 left$/).waitFor();
  await exchange.operator('POST', `/markets/${marketAt(2).conditionId}/resolve`, { payout: '0' });
  await page.getByText(/^Canceled: buy .* at 30¢: its market was resolved$/).waitFor();
  await page.getByText(/^Resolved: .* pays 100¢$/).waitFor();
  await checkAppearance(t, page, 'portfolio-notices');
  await page.getByRole('button', { name: 'Dismiss all 3' }).click();
  await page.getByText('There is nothing new.', { exact: false }).waitFor();
  t.equal((await trader.signed('GET', '/notifications')).body.length, 0);
});

t.test('what is no address has no portfolio', async (t) => {
  const page = await open(t, 'portfolio/0x12');
  await page.getByText('An address of an account is 0x and 40 hex digits.').waitFor();
});

t.test('the faucet pays, and the page says where the rest of the sandbox is', async (t) => {
  const page = await openAs(t, 7, 'sandbox');
  await page.getByRole('button', { name: 'Get play money' }).click();
  await page.getByText('1,000 units were added.', { exact: false }).waitFor();
  const { adminPort } = exchange.running;
  t.equal(
    await page.getByRole('link', { name: /operator's page/ }).getAttribute('href'),
    `http://127.0.0.1:${adminPort}/ui/#/sandbox`,
  );
  await checkAppearance(t, page, 'sandbox-public');
});
