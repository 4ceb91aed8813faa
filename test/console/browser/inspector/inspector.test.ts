/** The request log and the stream inspector in a browser. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { DEV_KEYS } from '../../../../cli/options/dev-keys.ts';
import { checkAppearance } from '../../../browser/appearance.ts';
import { openBrowser, type PageOptions } from '../../../browser/browser.ts';
import { shareTestExchange } from '../../../http/exchange-fixture.ts';
import type { Scope } from '../../../temporary-folder.ts';

// Browsers sign with the time of day.
const share = await shareTestExchange(t, { devKeys: DEV_KEYS.slice(0, 2), now: Date.now });
const exchange = share();
const { plain: market, trader, running } = exchange;
const browser = await openBrowser(t);

function open(scope: Scope, path: string, options: Partial<PageOptions> = {}): Promise<Page> {
  return browser.openPage(scope, { url: `${running.url}/ui/#/${path}`, ...options });
}

/** Without a new page, which would begin with an empty log. */
async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate(`location.hash = '#/${path}'`);
}

async function signIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: /^Dev 0 / }).click();
  await page.getByRole('button', { name: /^Dev 0 .*\$/ }).waitFor();
}

t.test('each request of the page is listed, with its answer, curl and code', async (t) => {
  const page = await open(t, 'requests', { allows: [/orders\/0x(12)+ got 404$/] });
  await signIn(page);
  await goTo(page, `explorer/order/0x${'12'.repeat(32)}`);
  await page.getByText('order not found').waitFor();
  await goTo(page, 'requests');
  const requests = page.getByRole('region', { name: 'List of requests' });
  // The page may have given up an earlier one: the one with an answer is opened.
  const answered = requests.getByRole('row', { name: /GET \/balance-allowance.* 200 / }).first();
  await answered.getByRole('link').click();
  await page.getByText('SERVICE_SIGNATURE: (secret)').waitFor();
  // Files that run in one process share an exchange, so the amount depends on what they traded.
  await page
    .getByText(/"available": "[0-9]+"/)
    .first()
    .waitFor();
  await page.getByText('-H "SERVICE_API_KEY: $SERVICE_API_KEY"').waitFor();
  await page.getByText('client.getBalanceAllowance({"asset_type":"COLLATERAL"})').waitFor();
  await checkAppearance(t, page, 'requests');
  await page.getByLabel('Failed only').check();
  await requests.getByRole('link', { name: 'GET /explorer/orders/' }).click();
  t.equal(await requests.getByRole('row').count(), 2, 'the head, and one that failed');
  await page.getByText('"code": "order_not_found"').waitFor();
  await page.getByLabel('Failed only').uncheck();
  await page.getByLabel('Filter').fill('FACTS');
  await requests.getByRole('link', { name: 'GET /ui/facts.json' }).first().click();
  await page.getByText('"privateKey": "(secret)"').first().waitFor();
  const shown = await page.content();
  for (const key of DEV_KEYS) t.notOk(shown.includes(key.slice(2)), 'no key is in the log');
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByText('There is no such request.').waitFor();
  await page.getByText('"listener": "public"').waitFor();
  await goTo(page, 'requests/77777');
  await page.getByText('This request is no longer in the log.').waitFor();
});

t.test('what is copied is the text that is shown', async (t) => {
  const page = await open(t, 'requests');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('link', { name: 'GET /ui/facts.json' }).click();
  await page.getByRole('button', { name: 'Copy as curl' }).click();
  await page.getByText('✓').waitFor();
  const copied = await page.evaluate<string>('navigator.clipboard.readText()');
  t.equal(copied, `curl -X GET '${running.url}/ui/facts.json'`);
});

t.test('a paused log stays as it is', async (t) => {
  const page = await open(t, 'requests');
  const rows = page.getByRole('region', { name: 'List of requests' }).getByRole('row');
  await rows.nth(1).waitFor();
  await page.getByLabel('Pause').check();
  const count = await rows.count();
  await signIn(page);
  t.equal(await rows.count(), count);
  await page.getByLabel('Pause').uncheck();
  await page.getByRole('link', { name: 'GET /balance-allowance' }).first().waitFor();
  t.ok((await rows.count()) > count);
});

function messages(page: Page) {
  return page.locator('details.message');
}

t.test('the messages of a market are shown as they are sent and received', async (t) => {
  const page = await open(t, 'streams');
  await page.getByText('There is no such message.').waitFor();
  await page.getByLabel('Condition id or token id').fill(market.tokenIds[1]);
  await page.getByRole('button', { name: 'Follow the market' }).click();
  await messages(page).filter({ hasText: '"event_type":"book"' }).first().waitFor();
  await page.getByLabel('Direction').selectOption('Sent');
  await messages(page).filter({ hasText: market.tokenIds[0] }).click();
  await page.getByText('"custom_feature_enabled": true').waitFor();
  await checkAppearance(t, page, 'streams');
  await page.getByLabel('Direction').selectOption('Received');
  await page.getByLabel('Filter').fill('price_change');
  await page.getByText('There is no such message.').waitFor();
  const maker = await trader(1);
  await maker.place({ tokenId: market.tokenIds[0], priceTicks: 1_000, lots: 700 });
  await messages(page).first().waitFor();
  await page.getByLabel('Pause').check();
  await maker.place({ tokenId: market.tokenIds[0], priceTicks: 1_100, lots: 700 });
  await page.getByRole('button', { name: `Stop market ${market.conditionId}` }).click();
  t.equal(await page.getByRole('list', { name: 'Followed' }).count(), 0);
  t.equal(await messages(page).count(), 1);
  await page.getByLabel('Pause').uncheck();
  await messages(page).nth(1).waitFor();
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByText('There is no such message.').waitFor();
  await page.getByLabel('Condition id or token id').fill('<b>');
  await page.getByRole('button', { name: 'Follow the market' }).click();
  await page.getByText('A market is named by its condition id').waitFor();
});

const HOSTILE = '<img src=x onerror="document.title=1">';

t.test('trades and comments of everybody are shown, and texts are text', async (t) => {
  const page = await open(t, 'streams');
  await page.getByText('Live data').click();
  await page.getByRole('button', { name: 'Follow trades' }).click();
  await page.getByRole('button', { name: 'Follow comments' }).click();
  await page.getByRole('listitem').filter({ hasText: 'all comments' }).waitFor();
  await page
    .locator('dd')
    .filter({ hasText: /^live$/ })
    .waitFor();
  const author = await trader(1);
  const [{ id }] = JSON.parse((await exchange.send('GET', '/events?limit=1')).text);
  const body = { body: HOSTILE, parent_entity_type: 'Event', parent_entity_id: Number(id) };
  const written = await author.signed('POST', '/comments', body);
  t.ok(written.status < 300, written.text);
  await messages(page).filter({ hasText: 'comment_created' }).click();
  await page.getByText('"payload": {').waitFor();
  t.equal(await page.locator('main img').count(), 0);
});

t.test('the user channel shows the orders of the account, and no secret', async (t) => {
  const page = await open(t, 'streams');
  await page.getByText('User', { exact: true }).click();
  await page.getByRole('button', { name: 'Choose an account' }).click();
  await page.getByRole('button', { name: /^Dev 0 / }).click();
  await messages(page).filter({ hasText: '"event_type":"snapshot"' }).waitFor();
  await page.getByLabel('Filter').fill('passphrase');
  await messages(page).first().click();
  await page.getByText('"passphrase": "(hidden)"').waitFor();
  await page.getByText('"secret": "(hidden)"').waitFor();
});
