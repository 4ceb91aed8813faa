/** The explorer in a browser: a walk along its links, and what it computes again. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { checkAppearance } from '../../../browser/appearance.ts';
import { openBrowser, type PageOptions } from '../../../browser/browser.ts';
import { marketBody } from '../../../http/admin/markets/race.ts';
import { shareTestExchange, startTestExchange } from '../../../http/exchange-fixture.ts';
import type { Scope } from '../../../temporary-folder.ts';

const share = await shareTestExchange(t);
const exchange = share();
const browser = await openBrowser(t);
const { plain: market, trader, running } = exchange;

/** A taker meets two makers: one command, one order, two trades of different prices. */
const [maker, taker] = [await trader(1), await trader(2)];
await maker.place({ tokenId: market.tokenIds[1], priceTicks: 5_500, lots: 600 });
await maker.place({ tokenId: market.tokenIds[1], priceTicks: 5_400, lots: 725 });
const placed = await taker.place({ tokenId: market.tokenIds[0], priceTicks: 4_600, lots: 1_000 });
const orderId = placed.body.orderID;
const [tradeId = ''] = placed.body.tradeIDs;
const { accepted_seq: seq } = JSON.parse(
  (await exchange.send('GET', `/explorer/orders/${orderId}`)).text,
);

function open(scope: Scope, path: string, options: Partial<PageOptions> = {}): Promise<Page> {
  return browser.openPage(scope, { url: `${running.url}/ui/#/explorer${path}`, ...options });
}

async function goes(page: Page, path: string): Promise<void> {
  await page.waitForFunction((wanted) => location.hash === wanted, `#/explorer${path}`);
}

function panel(page: Page, name: string) {
  return page.getByRole('region', { name, exact: true });
}

/** The first link of a panel to a record of some kind. */
async function follow(page: Page, name: string, path: string): Promise<void> {
  await panel(page, name).locator(`a[href="#/explorer${path}"]`).first().click();
  await goes(page, path);
}

t.test('links lead from a command to its order, trade and account, and back', async (t) => {
  const page = await open(t, '');
  await page.getByRole('link', { name: String(seq), exact: true }).click();
  await goes(page, `/command/${seq}`);
  const asked = panel(page, 'What was asked');
  await asked.getByText('0.46 4,600 ticks').waitFor();
  await asked.getByText('10 tokens 1,000 lots').waitFor();
  const signed = panel(page, 'What was signed');
  await signed.getByText('The digest matches').waitFor();
  await signed.getByText('The signer matches').waitFor();
  await signed.getByText('4600000 $4.60').waitFor();
  await checkAppearance(t, page, 'explorer-command');
  await follow(page, 'What was asked', `/order/${orderId}`);
  await page.getByRole('heading', { name: 'Order: BUY Yes' }).waitFor();
  await page.getByText('$4.54 4,540,000 micros').waitFor();
  await checkAppearance(t, page, 'explorer-order');
  await follow(page, 'Fills', `/trade/${tradeId}`);
  await page.getByText('The id matches').waitFor();
  await page.getByText('The transaction hash matches').waitFor();
  await checkAppearance(t, page, 'explorer-trade');
  await follow(page, 'Participants', `/account/${taker.address}`);
  await panel(page, 'Positions').getByText('10 tokens').waitFor();
  await checkAppearance(t, page, 'explorer-account');
  await follow(page, 'Commands that concern it', `/command/${seq}`);
  await follow(page, 'What it did', `/market/${market.conditionId}`);
  await panel(page, 'Tokens').getByText('1,000 lots').first().waitFor();
  await checkAppearance(t, page, 'explorer-market');
  await page.goBack();
  await goes(page, `/command/${seq}`);
});

t.test('what is entered is found', async (t) => {
  const allows = [/explorer\/(orders|markets|trades|accounts|commands)\/\w+(-\w+)* got 40[04]$/];
  const page = await open(t, '', { allows });
  const find = async (text: string): Promise<void> => {
    await page.getByLabel('Find').fill(text);
    await page.getByRole('button', { name: 'Find' }).click();
  };
  const rows = [
    [String(seq), `/command/${seq}`],
    [orderId, `/order/${orderId}`],
    [` ${market.conditionId} `, `/market/${market.conditionId}`],
    [tradeId, `/trade/${tradeId}`],
    [taker.address, `/account/${taker.address}`],
    [market.tokenIds[1], `/token/${market.tokenIds[1]}`],
  ] as const;
  for (const [text, path] of rows) {
    await find(text);
    await goes(page, path);
  }
  await panel(page, 'Tokens').waitFor();
  await find(`0x${'12'.repeat(32)}`);
  await page.getByText('No order and no market has this id.').waitFor();
  await find('<b>nothing</b>');
  await page.getByText('This is no number of a command').waitFor();
  await find('999999999');
  await page.getByText(/^command not found; the journal has 1\.\./).waitFor();
  await page.goto(`${running.url}/ui/#/explorer/<b>/7`);
  await page.getByText('The explorer has no <b>.').waitFor();
  await page.goto(`${running.url}/ui/#/explorer/token/1234567890123456`);
  await page.getByText('No market of the catalog has the token').waitFor();
});

t.test('commands are listed by kind and page by page, and new ones appear', async (t) => {
  const page = await open(t, '?kind=create_market&before=8');
  const rows = page.getByRole('table').getByRole('row');
  await page.getByRole('cell', { name: 'Create market' }).first().waitFor();
  t.equal(await page.getByRole('cell', { name: 'Place order' }).count(), 0);
  await checkAppearance(t, page, 'explorer-commands');
  await page.clock.install();
  await page.getByRole('link', { name: 'Newest' }).click();
  await page.getByLabel('Kind').selectOption('Place order');
  await page.getByRole('cell', { name: 'Place order' }).first().waitFor();
  const before = await rows.count();
  await maker.place({ tokenId: market.tokenIds[0], priceTicks: 100, lots: 600 });
  await page.clock.runFor(10_000);
  await page.waitForFunction(
    (count) => document.querySelectorAll('tbody tr').length === count,
    before,
  );
  await page.goto(`${running.url}/ui/#/explorer?before=3`);
  await page.getByRole('link', { name: 'Newest' }).waitFor();
  t.equal(await rows.count(), 3, 'a head, and the commands 2 and 1');
});

/** Changes the answers to a path of the explorer before the page gets them. */
async function manipulate(
  page: Page,
  path: string,
  change: (answer: Record<string, unknown>) => void,
): Promise<void> {
  await page.route(`**/explorer/${path}`, async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    change(answer);
    await route.fulfill({ response, json: answer });
  });
}

t.test('a receipt that is not of its trade does not match', async (t) => {
  const page = await open(t, '');
  await manipulate(page, 'trades/*', (trade) => {
    Object.assign(trade, { time_ms: Number(trade.time_ms) + 1 });
  });
  await page.goto(`${running.url}/ui/#/explorer/trade/${tradeId}`);
  await page.getByText('The id does not match').waitFor();
  await page.getByText('The transaction hash does not match').waitFor();
  await checkAppearance(t, page, 'explorer-trade-manipulated');
});

t.test('an order that was not signed by its owner does not match', async (t) => {
  const page = await open(t, '');
  await manipulate(page, 'commands/*', ({ signed }) => {
    Object.assign(signed as object, { signer: maker.address });
  });
  await page.goto(`${running.url}/ui/#/explorer/command/${seq}`);
  await page.getByText('The digest matches').waitFor();
  await page.getByText('The signer does not match').waitFor();
  await page.unroute('**/explorer/commands/*');
  await manipulate(page, 'commands/*', ({ signed }) => {
    const { message } = (signed as { typed_data: { message: object } }).typed_data;
    Object.assign(message, { makerAmount: '1' });
  });
  await page.reload();
  await page.getByText('The digest does not match').waitFor();
  await page.getByText('The signer does not match').waitFor();
});

const HOSTILE = '<img src=x onerror="document.title=1"><script>alert(1)</script>';

t.test('texts of users and operators are text', async (t) => {
  const made = await exchange.operator('POST', '/events', {
    ...{ slug: 'explored-event', title: 'Explored', endDate: '2030-06-01T12:00:00Z', tags: [] },
    markets: [
      marketBody('explored-market', { question: `Is ${HOSTILE}?`, outcomes: ['<b>up</b>', 'no'] }),
    ],
    reason: HOSTILE,
  });
  t.equal(made.status, 200, made.text);
  const page = await open(t, '');
  await page.getByRole('cell', { name: 'Create market' }).first().waitFor();
  await page.locator('tbody tr').first().getByRole('link').last().click();
  await page.getByRole('heading', { name: `Is ${HOSTILE}?` }).waitFor();
  await page.getByRole('cell', { name: '<b>up</b>' }).waitFor();
  t.equal(await page.locator('main img, main script, main b').count(), 0);
  await panel(page, 'Commands that concern it').locator('tbody a').first().click();
  await panel(page, 'What was asked').getByText(HOSTILE).waitFor();
  await checkAppearance(t, page, 'explorer-hostile');
});

t.test('without a sandbox the public listener has no explorer, and operators do', async (t) => {
  const strict = await startTestExchange(t, { funding: 'ledger', paperMicros: 0 });
  const { url, adminPort, adminToken } = strict.running;
  const allows = [/GET .*\/explorer\/commands.* got 403$/];
  const page = await browser.openPage(t, { url: `${url}/ui/#/explorer`, allows });
  await page.getByRole('heading', { name: 'The explorer is not public here' }).waitFor();
  await checkAppearance(t, page, 'explorer-closed');
  const operator = `http://127.0.0.1:${adminPort}/ui/#/explorer`;
  const own = await browser.openPage(t, { url: operator });
  await own.getByLabel('Token').fill(adminToken);
  await own.getByRole('button', { name: 'Sign in' }).click();
  await own.getByRole('cell', { name: 'Create market' }).first().waitFor();
  await own.locator('tbody a').first().click();
  await panel(own, 'What it did').getByText('Market created').waitFor();
  await panel(own, 'What was asked').locator('a[href*="/token/"]').first().click();
  await panel(own, 'Terms').waitFor();
  await own.getByRole('link', { name: 'Requests' }).click();
  await own.getByRole('link', { name: 'GET /explorer/commands/' }).first().click();
  await own.getByText('authorization: (secret)').waitFor();
  t.notOk((await own.content()).includes(adminToken), 'the token is nowhere on the page');
});
