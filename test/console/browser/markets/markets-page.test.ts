/** The first page and the page of an event, in a browser. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { checkAppearance } from '../../../browser/appearance.ts';
import { openBrowser } from '../../../browser/browser.ts';
import { openLink } from '../../../browser/link.ts';
import { startTestExchange } from '../../../http/exchange-fixture.ts';
import type { Scope } from '../../../temporary-folder.ts';

// Its clock moves, and titles of its events are changed.
const exchange = await startTestExchange(t);
const { url } = exchange.running;
const browser = await openBrowser(t);

function pageOf(t: Scope, hash = ''): Promise<Page> {
  return browser.openPage(t, { url: `${url}/ui/${hash}` });
}

function titles(page: Page): Promise<readonly string[]> {
  return page.locator('tbody .event a').allTextContents();
}

function hashOf(page: Page): string {
  return new URL(page.url()).hash;
}

t.test('a search follows what is typed, with one entry in the history', async (t) => {
  const page = await pageOf(t);
  await page.getByRole('link', { name: 'Rain in Oslo' }).waitFor();
  await page.getByLabel('Search').pressSequentially('hottest year');
  await page.getByText('1 of 1 event').waitFor();
  t.strictSame(await titles(page), ['Will 2027 be the hottest year on record?']);
  t.match(hashOf(page), /q=hottest\+year$/);
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('End, soonest first');
  await page.waitForURL(/sort=end/);
  await page.goBack();
  t.match(hashOf(page), /q=hottest\+year$/);
  t.equal(await page.getByLabel('Search').inputValue(), 'hottest year');
  await page.getByLabel('Search').fill('no event has this');
  await page.getByText('No event matches.').waitFor();
  await page.getByRole('link', { name: 'Markets' }).click();
  await page.getByRole('link', { name: 'Rain in Oslo' }).waitFor();
  t.equal(await page.getByLabel('Search').inputValue(), '', 'the field follows the address');
});

t.test('only the newest search is shown, and older ones are given up', async (t) => {
  const page = await pageOf(t);
  await page.getByRole('link', { name: 'Rain in Oslo' }).waitFor();
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/q=rain/, async (route) => {
    await gate;
    await route.continue();
  });
  await page.getByLabel('Search').fill('rain');
  await page.waitForRequest(/q=rain/);
  const givenUp = page.waitForEvent('requestfailed');
  await page.getByLabel('Search').fill('bitcoin');
  await page.getByText('3 of 3 events').waitFor();
  t.match((await givenUp).url(), /q=rain/);
  release();
  t.ok((await titles(page)).every((title) => title.startsWith('Bitcoin')));
});

t.test('categories, sorting, state and pages are in the address', async (t) => {
  const page = await pageOf(t);
  await page.getByText('20 of 22 events').waitFor();
  await page.getByRole('button', { name: 'Show more' }).click();
  await page.getByText('22 of 22 events').waitFor();
  t.equal(new Set(await titles(page)).size, 22);
  t.equal(hashOf(page), '#/?pages=2');
  await page.reload();
  await page.getByText('22 of 22 events').waitFor();

  await page.getByRole('link', { name: 'Weather', exact: true }).click();
  await page.getByText('3 of 3 events').waitFor();
  t.equal(hashOf(page), '#/markets?tag=weather');
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('End, soonest first');
  await page.waitForURL(/tag=weather&sort=end/);
  await page.locator('tbody tr:first-child', { hasText: 'Oslo' }).waitFor();
  t.match(await titles(page), [/Rain in Oslo/, /temperature in London/, /hottest year/]);
  await page.getByText('Closed', { exact: true }).click();
  await page.getByText('No event matches.').waitFor();
  t.equal(hashOf(page), '#/markets?tag=weather&sort=end&state=closed');
  await page.goBack();
  await page.getByText('3 of 3 events').waitFor();
});

t.test('an address by hand is taken as far as it is possible', async (t) => {
  const page = await pageOf(t, '#/markets?sort=nothing&pages=-3&state=x&tag=weather');
  await page.getByText('3 of 3 events').waitFor();
  t.equal(await page.getByRole('combobox', { name: 'Sort by' }).inputValue(), 'day');
});

interface Market {
  readonly conditionId: string;
  readonly tokenIds: readonly [string, string];
}

/** The only market of an event, by the event's slug. */
async function marketOf(slug: string): Promise<Market> {
  const { text } = await exchange.send('GET', `/events/slug/${slug}`);
  const [{ conditionId, clobTokenIds }] = JSON.parse(text).markets;
  return { conditionId, tokenIds: JSON.parse(clobTokenIds) };
}

/** A trader who puts a bid and an ask into the book of a market. */
async function quoter(number: number) {
  const trader = await exchange.trader(number);
  return async ({ tokenIds: [yes, no] }: Market, bidTicks: number, askTicks: number) => {
    await trader.send('DELETE', '/cancel-all');
    await trader.place({ tokenId: yes, priceTicks: bidTicks, lots: 1_000 });
    await trader.place({ tokenId: no, priceTicks: 10_000 - askTicks, lots: 1_000 });
  };
}

t.test('prices change while the page is open, and lists are sorted by movement', async (t) => {
  const quote = await quoter(1);
  const market = await marketOf('euro-area-recession-2027');
  // Before the page opens: it fetches the history once, which must not end between bid and ask.
  await quote(market, 4000, 4400);
  const page = await pageOf(t);
  const row = page.locator('tr', { hasText: 'Euro area recession' });
  await row.getByText('42%').waitFor();
  t.strictSame(
    (await row.locator('td').allTextContents()).slice(4, 7),
    ['40¢', '44¢', '4¢'],
    'bid, ask, spread',
  );

  exchange.clock.ms += 3_600_000;
  await quote(market, 6000, 6200);
  await row.getByText('61%').waitFor();
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Movement in 24 hours');
  await page.locator('tbody tr:first-child', { hasText: 'Euro area' }).waitFor();
  await row.getByText('+19¢').waitFor();
  t.match(await row.locator('path').getAttribute('d'), /^M1 23L87 1$/, 'a line that rises');
});

t.test('outcomes of an event are one table, in its list and on its page', async (t) => {
  const page = await pageOf(t, '#/markets?q=coastal');
  await page.getByRole('button', { name: '8 outcomes' }).click();
  t.equal(await page.locator('tbody tr').count(), 8);
  await page.getByRole('link', { name: 'Coastal League champion' }).click();
  await page.getByRole('heading', { name: 'Coastal League champion' }).waitFor();
  t.equal(hashOf(page), '#/event/coastal-league-champion-2028');
  const links = page.getByRole('region', { name: 'Outcomes' }).getByRole('link');
  // The market, Buy Yes and Buy No of each.
  t.equal(await links.count(), 24);
  for (const link of await links.all()) {
    t.match(await link.getAttribute('href'), /^#\/market\/0x[0-9a-f]{64}(\?outcome=[01])?$/);
  }
  await checkAppearance(t, page, 'event');
});

const HOSTILE = [
  '<img src=x onerror="document.title=1"><script>document.title=1</script>',
  `${'W'.repeat(120)} and ${'long '.repeat(60)}`,
  '\u202e\u0627\u0644\u0633\u0648\u0642 {{1+1}}',
];

t.test('titles, pictures and descriptions of strangers are text', async (t) => {
  for (const [index, title] of HOSTILE.entries()) {
    const slug = [
      'us-inflation-december-2027',
      'highest-grossing-film-2027',
      'oslo-rain-2027-06-01',
    ];
    const { text } = await exchange.send('GET', `/events/slug/${slug[index]}`);
    const { id, markets } = JSON.parse(text);
    const texts = { title, description: title, image: 'https://example.com/x.png' };
    const edit = await exchange.operator('PUT', `/events/${id}`, texts);
    t.equal(edit.status, 200, edit.text);
    for (const { id: market } of markets) {
      await exchange.operator('PUT', `/markets/${market}`, { question: title });
    }
  }
  const page = await pageOf(t, '#/markets?pages=2');
  await page.getByText('22 of 22 events').waitFor();
  const shown = await titles(page);
  for (const title of HOSTILE) t.ok(shown.includes(title.trim()) || shown.includes(title), title);
  t.equal(await page.locator('td script, td img[onerror]').count(), 0);
  t.equal(await page.title(), 'Markets · outcome-exchange');
  await checkAppearance(t, page, 'markets-hostile');
  await page.getByRole('link', { name: HOSTILE[0] ?? '' }).click();
  await page.getByRole('heading', { name: HOSTILE[0] ?? '' }).waitFor();
  await checkAppearance(t, page, 'event-hostile');
});

t.test('everybody can read and use the first page', async (t) => {
  const page = await pageOf(t, '#/markets?tag=economy');
  await page.locator('path[d^=M]').first().waitFor({ state: 'attached' });
  await checkAppearance(t, page, 'markets');
});

t.test(
  'an exchange that is gone is missed, and what it says is read when it is back',
  async (t) => {
    const link = await openLink(t, url);
    const page = await browser.openPage(t, {
      url: `${link.url}/ui/#/markets?tag=crypto`,
      allows: [/failed: net::ERR/, /WebSocket connection/],
    });
    await page.getByText('4 of 4 events').waitFor();
    link.loseAll();
    await page.getByRole('link', { name: 'Weather', exact: true }).click();
    await page.getByText('The exchange does not answer.', { exact: false }).waitFor();
    t.equal(await page.locator('tbody tr').count(), 4, 'what was there stays');
    await checkAppearance(t, page, 'markets-disconnected');
    link.restore();
    await page.getByText('3 of 3 events').waitFor();
    await page.getByText('The exchange does not answer.').waitFor({ state: 'detached' });
  },
);

t.test('an exchange that is starting says so', async (t) => {
  const page = await browser.openPage(t, { url: `${url}/ui/`, allows: [/got 425/] });
  await page.getByText('20 of 22 events').waitFor();
  let isStarting = true;
  const refusal = { error: 'service not ready', code: 'service_not_ready' };
  await page.route(/pagination|facts/, (route) =>
    isStarting ? route.fulfill({ status: 425, json: refusal }) : route.continue(),
  );
  await page.getByRole('link', { name: 'Weather', exact: true }).click();
  await page.getByText('The exchange is starting.', { exact: false }).waitFor();
  isStarting = false;
  await page.getByText('3 of 3 events').waitFor();
});
