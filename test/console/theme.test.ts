/** The theme of the console follows the system until a person chooses one, which is then kept. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { whenDrawn } from '../browser/appearance.ts';
import { openBrowser } from '../browser/browser.ts';
import { shareTestExchange } from '../http/exchange-fixture.ts';

const { running } = (await shareTestExchange(t))();

async function drawnTheme(page: Page): Promise<string> {
  await whenDrawn(page);
  return page.evaluate<string>('document.documentElement.dataset.theme');
}

t.test('the theme follows the system until a person chooses one', async (t) => {
  const browser = await openBrowser(t);
  const page = await browser.openPage(t, { url: `${running.url}/ui/`, theme: 'dark' });
  t.equal(await drawnTheme(page), 'dark');
  await page.emulateMedia({ colorScheme: 'light' });
  t.equal(await drawnTheme(page), 'light');
  await page.getByRole('button', { name: 'Use the dark theme' }).click();
  t.equal(await drawnTheme(page), 'dark');
  await page.emulateMedia({ colorScheme: 'dark' });
  await drawnTheme(page);
  await page.emulateMedia({ colorScheme: 'light' });
  t.equal(await drawnTheme(page), 'dark');
  await page.reload();
  t.equal(await drawnTheme(page), 'dark', 'also when the page is opened again');
});
