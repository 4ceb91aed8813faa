/** A page whose code is not there any more, because the exchange was updated meanwhile. */
import t from 'tap';
import { openBrowser } from '../../../browser/browser.ts';
import { shareTestExchange } from '../../../http/exchange-fixture.ts';

const share = await shareTestExchange(t);
const browser = await openBrowser(t);

t.test('a part that is missing offers to reload the page', async (t) => {
  const { running } = share();
  const page = await browser.openPage(t, {
    url: `${running.url}/ui/`,
    allows: [/\/part-\w+\.js got 404$/],
  });
  const parts = '**/ui/part-*.js';
  await page.route(parts, (route) => route.fulfill({ status: 404, body: '' }));
  await page.getByRole('link', { name: 'Developer' }).click();
  const alert = page.getByRole('alert');
  await alert.getByText('The exchange was updated after you opened the page').waitFor();
  await page.unroute(parts);
  await alert.getByRole('button', { name: 'Reload', exact: true }).click();
  await page.getByRole('heading', { name: 'Commands', exact: true }).waitFor();
  t.equal(await alert.count(), 0);
});
