/** The portfolio in a browser: what it shows after others acted, and what it does. */
import type { Page } from 'playwright-core';
import t from 'tap';
import type { MarketEntry } from '../../../../http/views/registry.ts';
import { checkAppearance } from '../../../browser/appearance.ts';
import type { TestExchange, Trader } from '../../../http/exchange-fixture.ts';
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

/** Lets one trader buy YES from another, who sells by buying NO. */
async function trade(buyer: Trader, seller: Trader, market: MarketEntry, lots: number) {
  const [yes, no] = market.tokenIds;
  await seller.place({ tokenId: no, priceTicks: 6_000, lots });
  const { text } = await buyer.place({ tokenId: yes, priceTicks: 4_000, lots });
  if (!text.includes('matched')) throw new Error(text);
}

function tab(page: Page, name: string) {
  return page.getByRole('tab', { name });
}

function figure(page: Page, name: string) {
  return page.locator('.figures > div', { hasText: name }).locator('dd');
}

t.test('nobody is asked to sign in, and an account without anything says so', async (t) => {
  const page = await open(t, 'portfolio');
  await page.getByRole('button', { name: 'Choose an account' }).waitFor();
  await checkAppearance(t, page, 'portfolio-nobody');
  const own = await openAs(t, 8, 'portfolio');
  await own.getByText('There are no open positions.', { exact: false }).waitFor();
  for (const [name, text] of [
    ['Open orders', 'There are no open orders.'],
    ['Fills', 'This account has not traded yet.'],
    ['Activity', 'Deposit'],
    ['Closed positions', 'No position is closed yet.'],
    ['Notices', 'There is nothing new.'],
  ] as const) {
    await tab(own, name).click();
    await own.getByText(text, { exact: false }).waitFor();
  }
  await checkAppearance(t, own, 'portfolio-empty');
});

t.test('a trade of another client is shown at once, on both sides', async (t) => {
  const market = marketAt(0);
  const [buyer, seller] = [await exchange.trader(1), await exchange.trader(2)];
  const page = await openAs(t, 1, 'portfolio');
  await page.getByText('There are no open positions.', { exact: false }).waitFor();
  await trade(buyer, seller, market, 1_250);
  const row = page.getByRole('row', { name: /Sell Yes/ });
  await row.getByText('12.5').waitFor();
  t.match(await row.textContent(), /40¢.*\$5\.00/);
  t.equal(await figure(page, 'Free cash').textContent(), '$9,995.00');

  await trade(seller, buyer, market, 500);
  await page.getByRole('row', { name: /Sell No/ }).waitFor();
  await tab(page, 'Fills').click();
  const fills = page.getByRole('region', { name: 'Fills' }).locator('tbody tr');
  await fills.nth(1).waitFor();
  t.match(await fills.nth(0).textContent(), /Buy No60¢5.*maker/, 'in the own terms of a maker');
  t.match(await fills.nth(1).textContent(), /Buy Yes40¢12\.5.*taker/);
  await checkAppearance(t, page, 'portfolio-fills');
  await tab(page, 'Activity').click();
  await page.getByRole('region', { name: 'Activity' }).getByText('Buy Yes').waitFor();
  await checkAppearance(t, page, 'portfolio-activity');

  const public_ = await open(t, `portfolio/${seller.address}`);
  await public_.getByRole('region', { name: 'Positions' }).getByText('No').first().waitFor();
  t.equal(await public_.getByRole('button', { name: /Merge|Redeem|Split|Cancel/ }).count(), 0);
  await checkAppearance(t, public_, 'portfolio-of-another');

  const leaders = await open(t, 'leaderboard?order=VOL');
  const places = leaders.getByRole('region', { name: 'Leaders' }).locator('tbody tr');
  await places.nth(1).waitFor();
  const leading = '/v1/leaderboard?timePeriod=DAY&orderBy=VOL&limit=2&excludeCrowd=true';
  const answer = await fetch(`${exchange.running.url}${leading}`);
  const [first, second] = (await answer.json()) as readonly { readonly userName: string }[];
  t.match((await places.allTextContents()).slice(0, 2), [
    new RegExp(`^1${first?.userName}.*[1-9]\\d*\\.\\d\\d`),
    new RegExp(`^2${second?.userName}`),
  ]);
  await checkAppearance(t, leaders, 'leaderboard');

  await page.getByRole('tab', { name: 'Positions', exact: true }).click();
  await page.getByRole('link', { name: /^Sell No/ }).click();
  const ticket = page.getByRole('region', { name: 'Ticket' });
  await ticket.getByRole('radio', { name: 'Sell' }).and(ticket.locator(':checked')).waitFor();
  await ticket.getByText('You can sell 5 tokens.').waitFor();
});

async function orderCount(trader: Trader): Promise<number> {
  return (await trader.signed('GET', '/data/orders')).body.data.length;
}

t.test('one, some and all orders are canceled, also those of one market', async (t) => {
  const trader = await exchange.trader(3);
  const page = await openAs(t, 3, 'portfolio?tab=orders');
  await page.getByText('There are no open orders.').waitFor();
  for (const lots of [500, 600, 700, 800, 900]) {
    await trader.place({ tokenId: marketAt(1).tokenIds[0], priceTicks: 1_000, lots });
    await trader.place({ tokenId: marketAt(2).tokenIds[0], priceTicks: 2_000, lots });
  }
  await tab(page, 'Open orders (10)').waitFor();
  await checkAppearance(t, page, 'portfolio-orders');
  await page.getByRole('button', { name: 'Cancel: Buy 9 Harbour Alliance at 20¢' }).click();
  await page.getByText('1 order is canceled.').waitFor();
  t.equal(await orderCount(trader), 9);

  await page.getByRole('checkbox', { name: 'Select: Buy 5 Yes at 10¢' }).check();
  await page.getByRole('checkbox', { name: 'Select: Buy 6 Harbour Alliance at 20¢' }).check();
  await page.getByRole('button', { name: 'Cancel selected (2)' }).click();
  await page.getByText('2 orders are canceled.').waitFor();
  await tab(page, 'Open orders (7)').waitFor();

  await page.getByLabel('Market', { exact: true }).selectOption(marketAt(1).conditionId);
  await page.getByRole('button', { name: 'Cancel all of this market' }).click();
  await page.getByText('4 orders are canceled.').waitFor();
  await tab(page, 'Open orders (3)').waitFor();

  await page.getByRole('button', { name: 'Cancel all', exact: true }).click();
  await page.getByText('3 orders are canceled.').waitFor();
  await page.getByText('There are no open orders.').waitFor();
  t.equal(await orderCount(trader), 0);
});

t.test('an order that is gone meanwhile is named with the reason', async (t) => {
  const trader = await exchange.trader(3);
  const page = await openAs(t, 3, 'portfolio?tab=orders');
  await trader.place({ tokenId: marketAt(3).tokenIds[0], priceTicks: 1_100, lots: 500 });
  await exchange.operator('POST', `/markets/${marketAt(3).conditionId}/state`, { state: 'halted' });
  await page.getByRole('button', { name: 'Cancel: Buy 5 Yes at 11¢' }).click();
  await page.getByText('1 order is not canceled:').waitFor();
  await page.getByText('Buy 5 Yes at 11¢: the market is halted', { exact: false }).waitFor();
  await checkAppearance(t, page, 'portfolio-not-canceled');
});

t.test('cash is split and merged, and refusals stand beside the field', async (t) => {
  const page = await openAs(t, 4, 'portfolio', { allows: [/POST .*split got 400/] });
  await figure(page, 'Free cash').getByText('$10,000.00').waitFor();
  await page.getByRole('button', { name: 'Split cash into tokens' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Market').fill('rain oslo');
  await form.getByRole('radio').first().check();
  await form.getByLabel('Amount').fill('1.234');
  await form.getByText('The amount must be a number with at most 2 decimals.').waitFor();
  await form.getByLabel('Amount').fill('10000000');
  await form.getByRole('button', { name: 'Split' }).click();
  await form
    .locator('.field .fault')
    .getByText('not enough balance / allowance. At most 10,000 sets.')
    .waitFor();
  await checkAppearance(t, page, 'portfolio-split');
  await form.getByLabel('Amount').fill('20');
  await form.getByText('You pay $20.00 and get 20 tokens', { exact: false }).waitFor();
  await form.getByRole('button', { name: 'Split' }).click();
  await page.getByText('Split: 20 of each outcome.').waitFor();
  await figure(page, 'Free cash').getByText('$9,980.00').waitFor();

  await page.getByRole('button', { name: /^Merge Yes/ }).click();
  t.equal(await form.getByLabel('Amount').inputValue(), '20', 'all sets');
  await form.getByLabel('Amount').fill('5');
  await checkAppearance(t, page, 'portfolio-merge');
  await form.getByRole('button', { name: 'Merge', exact: true }).click();
  await page.getByText('Merged: $5 for 5 sets.').waitFor();
  await figure(page, 'Free cash').getByText('$9,985.00').waitFor();
  await page
    .getByRole('region', { name: 'Positions' })
    .getByText('15', { exact: true })
    .nth(1)
    .waitFor();
});

t.test('what a resolution pays is redeemed', async (t) => {
  const market = marketAt(4);
  const [winner, loser] = [await exchange.trader(5), await exchange.trader(2)];
  await trade(winner, loser, market, 1_000);
  const page = await openAs(t, 5, 'portfolio');
  await page.getByRole('row', { name: /Sell Yes/ }).waitFor();
  await exchange.operator('POST', `/markets/${market.conditionId}/resolve`, { payout: '1' });
  await page.getByRole('button', { name: /^Redeem Yes/ }).waitFor();
  await figure(page, 'Unrealized').getByText('+$6.00').waitFor();
  await checkAppearance(t, page, 'portfolio-redeemable');
  await page.getByRole('button', { name: /^Redeem Yes/ }).click();
  await page.getByText('Redeemed 10 Yes for $10.').waitFor();
  await figure(page, 'Free cash').getByText('$10,006.00').waitFor();
  await figure(page, 'Realized').getByText('+$6.00').waitFor();
  await tab(page, 'Closed positions').click();
  await page.getByText('+$6.00 (+150.0%)').waitFor();
  await checkAppearance(t, page, 'portfolio-closed');
});

/** The markets of the neg-risk event, which the operator opens. */
async function negRiskMarkets(of: TestExchange): Promise<readonly MarketEntry[]> {
  const { eventId } = of.negRisk;
  const all = [...registry.markets()].filter((market) => market.eventId === eventId);
  await of.operator('POST', `/events/${eventId}/open`, {});
  return all;
}

t.test('No tokens of an event become cash and Yes tokens', async (t) => {
  const [first, second] = await negRiskMarkets(exchange);
  if (first === undefined || second === undefined) throw new Error('the event has no markets');
  const trader = await exchange.trader(6);
  for (const { conditionId } of [first, second]) {
    await trader.signed('POST', '/sets/split', {
      ...{ market: conditionId, amount: '10', key: conditionId.slice(0, 60) },
    });
  }
  const page = await openAs(t, 6, 'portfolio');
  await page
    .getByRole('button', { name: /^Convert No/ })
    .first()
    .click();
  const form = page.getByRole('dialog');
  await form.getByRole('checkbox').nth(1).waitFor();
  for (const box of await form.getByRole('checkbox').all()) await box.check();
  await form.getByRole('button', { name: 'All' }).click();
  await form.getByText('You get $10.00', { exact: false }).waitFor();
  await checkAppearance(t, page, 'portfolio-convert');
  await form.getByRole('button', { name: 'Convert', exact: true }).click();
  await page.getByText('Converted 10 of each No; cash: $10.').waitFor();
  await page
    .getByRole('button', { name: /^Convert No/ })
    .first()
    .waitFor({ state: 'detached' });
});
