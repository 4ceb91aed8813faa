/** What a market page shows when something is not as usual, and that it stays correct. */
import t from 'tap';
import type { MarketEntry } from '../../../../http/views/registry.ts';
import { checkAppearance } from '../../../browser/appearance.ts';
import { openLink } from '../../../browser/link.ts';
import { marketBody } from '../../../http/admin/markets/race.ts';
import { bookShows, quote, startMarketPages, ticketOf } from './market-fixture.ts';

const { share, open } = await startMarketPages(t);

t.test('a lost connection is shown, and the book is correct when it is back', async (t) => {
  const { plain: market, trader, running } = share();
  const maker = await trader(1);
  await quote(maker, market, [
    [4_000, 2_000],
    [5_500, 1_000],
  ]);
  const link = await openLink(t, running.url);
  const page = await open(t, market, { origin: link.url, allows: [/WebSocket connection/] });
  await bookShows(page, ['55¢ 10 10', '40¢ 20 20']);
  link.loseSockets();
  await page.getByText('The connection is lost. What you see is from').waitFor();
  await page.getByText('disconnected', { exact: true }).waitFor();
  await checkAppearance(t, page, 'market-disconnected');
  // What the page misses: a new level, a trade, and a level that goes.
  await quote(maker, market, [[3_900, 700]]);
  const taker = await trader(2);
  await taker.place({ tokenId: market.tokenIds[0], priceTicks: 5_500, lots: 600 });
  await bookShows(page, ['55¢ 10 10', '40¢ 20 20']);
  link.restore();
  const button = page.getByRole('button', { name: 'Connect now' });
  // The page may connect by itself just before the click: then the button is gone.
  await Promise.race([button.click(), button.waitFor({ state: 'detached' })]);
  await bookShows(page, ['55¢ 4 4', '40¢ 20 20', '39¢ 7 27']);
  await page.getByText('live', { exact: true }).waitFor();
  t.equal(await page.getByText('The connection is lost').count(), 0);
  await page.getByRole('cell', { name: 'Buy Yes' }).waitFor();
  t.equal(await page.getByRole('cell', { name: 'Buy Yes' }).count(), 1, 'once');
});

t.test('a paused market takes no order, and a resolved one says who won', async (t) => {
  const { plain: market, trader, operator } = share();
  await quote(await trader(1), market, [[4_000, 2_000]]);
  const path = `/markets/${market.conditionId}`;
  await operator('POST', `${path}/state`, { state: 'cancel_only' });
  const page = await open(t, market, { account: 1 });
  await page.getByText('paused', { exact: true }).waitFor();
  await ticketOf(page).getByText('This market is paused: it takes no orders now.').waitFor();
  await operator('POST', `${path}/resolve`, { payout: '0' });
  await page.getByText('Resolved: No won and pays $1.').waitFor();
  await page.getByText('Trading in this market has ended.').waitFor();
  await page.getByRole('link', { name: 'Redeem tokens in your portfolio' }).waitFor();
  await bookShows(page, []);
  await checkAppearance(t, page, 'market-resolved');
});

t.test('nobody is told that there is a market where there is none', async (t) => {
  const { running } = share();
  // Safe: the page reads only the id.
  const missing = { conditionId: `0x${'ab'.repeat(32)}` } as MarketEntry;
  const { plain } = share();
  const page = await open(t, plain, { allows: [/GET .*\/markets\/0x(ab)+ got 404/] });
  for (const id of [missing.conditionId, 'nonsense', '']) {
    await page.goto(`${running.url}/ui/#/market/${id}`);
    await page.getByText('There is no such market.').waitFor();
  }
});

const HOSTILE = '<img src=x onerror="document.title=1"><script>alert(1)</script>‮';

t.test('texts of users are text', async (t) => {
  const { operator, trader, running } = share();
  const made = await operator('POST', '/events', {
    slug: 'hostile-event',
    title: `${HOSTILE} title`,
    description: HOSTILE,
    endDate: '2030-06-01T12:00:00Z',
    tags: [],
    markets: [
      marketBody('hostile-market', {
        question: `Is ${HOSTILE} a question?`,
        outcomes: [`<b>up</b>`, `<i>${'w'.repeat(60)}</i>`],
        description: `${HOSTILE} rules ${'long'.repeat(80)}`,
      }),
    ],
  });
  // Safe: the schema of the answer is proved by the examples.
  const { event_id, markets } = made.body as unknown as {
    readonly event_id: string;
    readonly markets: readonly { readonly condition_id: string }[];
  };
  const market = running.services.registry.market(markets[0]?.condition_id ?? '');
  if (market === undefined) throw new Error(`not made: ${made.text}`);
  const author = await trader(1);
  const parent = { parent_entity_type: 'Event', parent_entity_id: event_id };
  await author.signed('POST', '/comments', { body: '<svg onload=alert(2)>', ...parent });
  await quote(author, market, [[4_000, 2_000]]);
  const page = await open(t, market, { account: 2 });
  await page.getByRole('heading', { level: 1, name: '<img src=x onerror' }).waitFor();
  await ticketOf(page).getByRole('button', { name: 'Buy <b>up</b>' }).waitFor();
  await page.getByRole('tab', { name: 'Rules and terms' }).click();
  await page.getByText('<script>alert(1)</script>').first().waitFor();
  await checkAppearance(t, page, 'market-hostile');
  await page.getByRole('tab', { name: 'Comments' }).click();
  await page.getByText('<svg onload=alert(2)>').waitFor();
  await page.getByLabel('Your comment').fill('I <b>disagree</b>.');
  await page.getByRole('button', { name: 'Write it' }).click();
  await page.getByText('I <b>disagree</b>.').first().waitFor();
  await checkAppearance(t, page, 'market-comments');
  t.equal(await page.locator('[onerror], [onload], main script').count(), 0);
});
