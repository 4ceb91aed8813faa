/** The page of a market in a browser: from the ticket to the fill, by mouse and by keyboard. */
import type { Locator, Route } from 'playwright-core';
import t from 'tap';
import { checkAppearance } from '../../../browser/appearance.ts';
import { NARROW } from '../../../browser/browser.ts';
import { bookShows, quote, startMarketPages, ticketOf } from './market-fixture.ts';

const { share, open } = await startMarketPages(t);

t.test('an order goes from the ticket to a fill that both sides see', async (t) => {
  const { plain: market } = share();
  const [maker, taker] = await Promise.all([
    open(t, market, { account: 1 }),
    open(t, market, { account: 2 }),
  ]);
  const offer = ticketOf(maker);
  await offer.getByLabel('Price').fill('40');
  await offer.getByLabel('Size').fill('30');
  await offer.getByText('Rests on the book').waitFor();
  await offer.getByText('As the exchange would carry it out now.').waitFor();
  await offer.getByRole('button', { name: 'Buy 30 Yes at 40¢' }).click();
  await offer.getByText('30 tokens rest at 40¢.').waitFor();
  await offer.getByRole('button', { name: 'Buy Yes', exact: true }).click();
  await offer.getByText('Enter how much.').waitFor();
  await bookShows(maker, ['40¢ 30 30 *']);
  await bookShows(taker, ['40¢ 30 30']);

  // A bid for Yes at 40 is an ask for No at 60.
  await taker.getByRole('group', { name: 'Outcome of the book' }).getByText('No').click();
  await bookShows(taker, ['60¢ 30 30']);
  await taker.getByRole('button', { name: 'Buy at 60¢' }).click();
  const ticket = ticketOf(taker);
  t.equal(await ticket.getByLabel('Price').inputValue(), '60');
  t.equal(await ticket.getByLabel('Size').inputValue(), '30');
  await ticket.getByLabel('Size').fill('20');
  await ticket.getByText('As the exchange would carry it out now.').waitFor();
  t.match(await ticket.locator('.ticket-summary').innerText(), /20 tokens.*\$12\.00.*\$20\.00/s);
  await ticket.getByLabel('Size').press('Enter');
  await ticket.getByText('Bought 20 tokens at 60¢ on average for $12.00.').waitFor();

  await bookShows(maker, ['40¢ 10 10 *']);
  await maker.getByRole('tab', { name: 'My orders' }).click();
  await maker.getByRole('cell', { name: '20 of 30' }).waitFor();
  await maker.getByRole('cell', { name: '$8.00' }).waitFor();
  const own = maker.getByRole('region', { name: 'My position and orders' });
  await own.getByText('20 Yes', { exact: true }).waitFor();
  await own.getByText('Buy 10 Yes at 40¢, first in the queue').waitFor();
  // What the taker bought and paid, whatever the other page looks at.
  await taker.getByRole('cell', { name: 'Buy No' }).waitFor();
  await taker.getByRole('cell', { name: '$12.00' }).waitFor();
  await checkAppearance(t, maker, 'market-orders');

  await maker.getByRole('button', { name: 'Cancel: BUY Yes at 40¢' }).click();
  await maker.getByText('You have no open orders in this market.').waitFor();
  await bookShows(taker, []);
  await taker.getByText('The book is empty.').first().waitFor();
});

/** Whether a person sees the middle of an element: nothing clips or covers it. */
function isInSight(element: Element): boolean {
  const { left, top, width, height } = element.getBoundingClientRect();
  const shown = document.elementFromPoint(left + width / 2, top + height / 2);
  return shown !== null && element.contains(shown);
}

async function boxOf(locator: Locator): Promise<{ readonly top: number; readonly bottom: number }> {
  return locator.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return { top, bottom };
  });
}

// History: the preview was up to five seconds old and said "now", a second click on the filled
// ticket doubled the order, and its confirmation stood below the edge of the ticket.
t.test('the preview is of the book that is shown, and no click sends an order twice', async (t) => {
  const { plain: market, trader } = share();
  const maker = await trader(1);
  await quote(maker, market, [[5_500, 1_000]]);
  const page = await open(t, market, { account: 1, allows: [/POST .*\/order/, /ERR_FAILED/] });
  const ticket = ticketOf(page);
  await ticket.getByLabel('Price').fill('60');
  await ticket.getByLabel('Size').fill('10');
  await ticket.getByText('As the exchange would carry it out now.').waitFor();
  const summary = ticket.locator('.ticket-summary');
  t.match(await summary.innerText(), /10 tokens.*55¢.*\$5\.50/s);

  const held: Route[] = [];
  await page.route('**/debug/order', (route) => held.push(route));
  await quote(maker, market, [[5_200, 500]]);
  await bookShows(page, ['55¢ 10 15', '52¢ 5 5']);
  await ticket.getByText('Estimated from the book on this page.').waitFor();
  t.match(await summary.innerText(), /10 tokens.*53\.5¢.*\$5\.35/s);
  await page.unroute('**/debug/order');
  for (const route of held) await route.continue();
  await ticket.getByText('As the exchange would carry it out now.').waitFor();
  t.match(await summary.innerText(), /10 tokens.*53\.5¢.*\$5\.35/s);

  const isOrder = ({ pathname }: URL): boolean => pathname === '/order';
  const loseAnswer = (route: Route) => route.fetch().then(() => route.abort());
  await page.route(isOrder, loseAnswer, { times: 1 });
  const button = ticket.getByRole('button', { name: 'Buy 10 Yes at 60¢' });
  await button.click();
  await ticket.getByText('The order may have been carried out.').waitFor();
  await page.setViewportSize({ width: NARROW, height: 320 });
  await button.click();
  const status = ticket.getByRole('status');
  await status.getByText('Bought 10 tokens at 53.5¢ on average for $5.35.').waitFor();
  t.ok(await status.evaluate(isInSight), 'the confirmation is in sight');
  const sides = ticket.getByRole('button', { name: 'Buy Yes', exact: true });
  const [told, next] = [await boxOf(status), await boxOf(sides)];
  const height = Math.max(told.bottom, next.bottom) - Math.min(told.top, next.top);
  t.ok(height < 200, `and beside the button: both take ${height} pixels`);
  t.equal(await ticket.getByLabel('Size').inputValue(), '', 'a second click sends nothing');
  await bookShows(page, ['55¢ 5 5']);
});

t.test('a market order has a budget, and parts of the means fill its field', async (t) => {
  const { plain: market, trader } = share();
  await quote(await trader(1), market, [
    [4_000, 2_000],
    [5_500, 1_000],
    [6_000, 5_000],
  ]);
  const page = await open(t, market, { account: 1 });
  await bookShows(page, ['60¢ 50 60', '55¢ 10 10', '40¢ 20 20']);
  const ticket = ticketOf(page);
  await ticket.getByLabel('Type').selectOption('FAK');
  await ticket.getByLabel('Amount to spend').fill('10');
  t.equal(await ticket.getByLabel('Worst price').getAttribute('placeholder'), '62');
  await ticket.getByText('As the exchange would carry it out now.').waitFor();
  // 10 tokens for $5.50, and 7.5 for $4.50.
  const summary = await ticket.locator('.ticket-summary').innerText();
  t.match(summary, /17\.5 tokens.*57\.14¢.*60¢.*\$10\.00.*\$17\.50/s);
  await ticket.getByRole('button', { name: 'Buy Yes for $10.00' }).click();
  await ticket.getByText('Bought 17.5 tokens at 57.14¢ on average for $10.00.').waitFor();
  await bookShows(page, ['60¢ 42.5 42.5', '40¢ 20 20']);

  await ticket.getByText('Sell', { exact: true }).click();
  await ticket.getByText('You can sell 17.5 tokens.').waitFor();
  t.equal(await ticket.getByLabel('Size').inputValue(), '', 'cash did not become tokens');
  await ticket.getByRole('button', { name: '50%' }).click();
  t.equal(await ticket.getByLabel('Size').inputValue(), '8.75');
  await ticket.getByRole('button', { name: 'Sell 8.75 Yes at 39¢' }).click();
  await ticket.getByText('Sold 8.75 tokens at 40¢ on average for $3.50.').waitFor();
});

t.test('everything can be done by keyboard, and keys are letters where one types', async (t) => {
  const { plain: market, trader } = share();
  await quote(await trader(1), market, [
    [4_000, 2_000],
    [3_900, 1_000],
    [5_500, 1_000],
  ]);
  const page = await open(t, market, { account: 1 });
  await bookShows(page, ['55¢ 10 10', '40¢ 20 20', '39¢ 10 30']);
  const ticket = ticketOf(page);
  const { keyboard } = page;
  await page.getByRole('heading', { level: 1 }).click();
  await keyboard.press('s');
  t.ok(await ticket.getByLabel('Sell', { exact: true }).isChecked());
  await keyboard.press('b');
  t.ok(await ticket.getByLabel('Buy', { exact: true }).isChecked());
  await keyboard.press('2');
  await bookShows(page, ['61¢ 10 30', '60¢ 20 20', '45¢ 10 10']);
  await keyboard.press('1');

  await keyboard.press('o');
  const focused = () => page.evaluate<string>('document.activeElement.textContent');
  t.match(await focused(), /^Buy at 55¢/, 'the best ask can be reached first');
  await keyboard.press('ArrowDown');
  await keyboard.press('ArrowDown');
  t.match(await focused(), /^Sell at 39¢/);
  await keyboard.press('Home');
  t.match(await focused(), /^Buy at 55¢/);
  await keyboard.press('End');
  await keyboard.press('Enter');
  t.ok(await ticket.getByLabel('Sell', { exact: true }).isChecked());
  t.equal(await ticket.getByLabel('Size').inputValue(), '30', 'all tokens up to the level');

  await keyboard.press('p');
  const price = ticket.getByLabel('Price');
  t.equal(await price.inputValue(), '39', 'p is not typed');
  await keyboard.press('ArrowUp');
  await keyboard.press('ArrowUp');
  t.equal(await price.inputValue(), '41');
  await keyboard.press('Shift+ArrowDown');
  t.equal(await price.inputValue(), '31');
  await keyboard.press('b');
  t.equal(await price.inputValue(), '31b', 'a letter in a field is a letter');
  await ticket.getByText('The price is 31b¢. It must be from 1¢ to 99¢ in steps of 1¢.').waitFor();
  await keyboard.press('Escape');
  t.equal(await price.inputValue(), '');

  await page.getByRole('heading', { level: 1 }).click();
  await keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keys' });
  await help.waitFor();
  await checkAppearance(t, page, 'market-keys');
  await help.getByLabel('Letters and digits are shortcuts').uncheck();
  await keyboard.press('Escape');
  await help.waitFor({ state: 'detached' });
  await page.getByRole('heading', { level: 1 }).click();
  await keyboard.press('b');
  t.ok(await ticket.getByLabel('Sell', { exact: true }).isChecked(), 'letters are off');
});

t.test(
  'refusals stand beside the field that they name, in the words of the exchange',
  async (t) => {
    const { plain: market, trader } = share();
    await quote(await trader(1), market, [[5_500, 100_000]]);
    const page = await open(t, market, { account: 1, allows: [/POST .*\/order got 400/] });
    const ticket = ticketOf(page);
    await ticket.getByRole('button', { name: 'Buy Yes' }).click();
    await ticket.getByText('Enter a price.').waitFor();
    await ticket.getByText('Enter how much.').waitFor();
    await ticket.getByLabel('Price').fill('55.5');
    await ticket.getByText('The price is 55.5¢. It must be from 1¢ to 99¢ in steps').waitFor();
    await ticket.getByLabel('Price').fill('55');
    await ticket.getByLabel('Size').fill('1');
    await ticket.getByText('The size is 1. It must be at least 5 tokens.').waitFor();
    await ticket.getByLabel('Size').fill('10');
    await ticket.getByLabel('Post-only: refuse it').check();
    const crosses = ticket.getByText(/limit 0.55/);
    await crosses.waitFor();
    await checkAppearance(t, page, 'market-refused');
    await ticket.getByRole('button', { name: 'Buy 10 Yes at 55¢' }).click();
    await ticket.getByText('post_only_would_cross').waitFor();
    await ticket.getByLabel('Post-only: refuse it').uncheck();
    await crosses.waitFor({ state: 'detached' });
    await ticket.getByLabel('Size').fill('90000000');
    await ticket
      .getByText(/not enough balance/)
      .first()
      .waitFor();
  },
);

t.test(
  'orders until a date, all or nothing, and what somebody sees who has no account',
  async (t) => {
    const { plain: market, trader } = share();
    await quote(await trader(1), market, [
      [4_000, 2_000],
      [5_500, 1_000],
    ]);
    const visitor = await open(t, market);
    const free = ticketOf(visitor);
    await free.getByLabel('Price').fill('55');
    await free.getByLabel('Size').fill('15');
    await free.getByText('Estimated from the book on this page.').waitFor();
    const estimated = await free.locator('.ticket-summary').innerText();
    t.match(estimated, /10 of 15 tokens.*55¢.*5 at 55¢.*\$5\.50.*\$2\.75.*\$8\.25.*\$15\.00/s);
    await free.getByRole('button', { name: 'Choose an account to trade' }).click();
    await visitor.getByRole('dialog', { name: 'Sign in' }).waitFor();

    const page = await open(t, market, { account: 2 });
    const ticket = ticketOf(page);
    await ticket.getByLabel('Type').selectOption('FOK');
    await ticket.getByLabel('Worst price').fill('55');
    await ticket.getByLabel('Amount to spend').fill('5.51');
    await ticket.getByText(/FOK orders/).waitFor();
    await ticket.getByLabel('Type').selectOption('GTD');
    t.equal(await ticket.getByLabel('Price').inputValue(), '', 'a worst price is no limit');
    await ticket.getByRole('button', { name: 'Best 55¢' }).click();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('ArrowDown');
    await ticket.getByLabel('Size').fill('10');
    await ticket.getByLabel('Expires').fill('2001-01-01T00:00');
    await ticket.getByText(/invalid expiration/).waitFor();
    await ticket.getByLabel('Expires').fill('2099-01-01T00:00');
    await ticket.getByRole('button', { name: 'Buy 10 Yes at 54¢' }).click();
    await ticket.getByText('10 tokens rest at 54¢.').waitFor();
    await page.getByRole('tab', { name: 'My orders' }).click();
    await page.getByRole('cell', { name: /^until in \d+ yr/ }).waitFor();
  },
);
