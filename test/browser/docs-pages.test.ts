/** The pages of the documentation open in a browser without a fault. */
import t from 'tap';
import { shareTestExchange } from '../http/exchange-fixture.ts';
import { checkAppearance } from './appearance.ts';
import { openBrowser } from './browser.ts';

const { running } = (await shareTestExchange(t))();
const browser = await openBrowser(t);

t.test('the page of the routes lists them', async (t) => {
  const page = await browser.openPage(t, { url: `${running.url}/docs/routes.html` });
  await page.locator('.opblock-tag').first().click();
  await page.locator('.opblock-summary-control').first().click();
  await page.locator('.opblock-body').first().waitFor();
  t.match(await page.title(), /API/);
});

t.test('the page of the streams lists them, and leads to the routes', async (t) => {
  const page = await browser.openPage(t, { url: `${running.url}/docs/streams.html` });
  await page.locator('h2').first().waitFor();
  t.match(await page.title(), /streams/i);
  // Descriptions were shown as raw Markdown.
  t.match(await page.locator('li b').first().textContent(), /^A crash never takes/);
  t.notMatch(await page.locator('body').innerText(), /\*\*|\n- |`sequence`/);
});

t.test('documents are found by their words, without another server', async (t) => {
  const page = await browser.openPage(t, { url: `${running.url}/docs` });
  t.match(await page.title(), /documents of outcome-exchange/);
  await checkAppearance(t, page, 'document');
  await page.keyboard.press('/');
  await page.keyboard.type('dead man switch heartbeats');
  const first = page.locator('#found a').first();
  await first.waitFor();
  await checkAppearance(t, page, 'document-search');
  await first.click();
  await page.waitForURL(/\/docs\/.+\.html#/);
  t.match(await page.locator('main').innerText(), /dead man/i);
  await page.locator('#search').fill('no-such-word-anywhere');
  await page.getByText('No document has all these words.').waitFor();
});
