/** The pages of the documentation open in a browser without a fault. */
import t from 'tap';
import { shareTestExchange } from '../http/exchange-fixture.ts';
import { openBrowser } from './browser.ts';

const { running } = (await shareTestExchange(t))();
const browser = await openBrowser(t);

t.test('the page of the routes lists them', async (t) => {
  const page = await browser.openPage(t, { url: `${running.url}/docs` });
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
