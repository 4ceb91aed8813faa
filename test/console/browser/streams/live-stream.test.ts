// Trades and comments of everybody on a page.
import t from 'tap';
import type { LiveTrade } from '../../../../console/browser/streams/messages.ts';
import { NEG_RISK_DOMAIN, shareTestExchange } from '../../../http/exchange-fixture.ts';
import { TestPage } from './page-fixture.ts';

const share = await shareTestExchange(t);
const PATH = '/ws/live';

t.test(
  'listeners hear the trades of their event once each, also after a lost connection',
  async (t) => {
    const exchange = share();
    const { plain, negRisk, running } = exchange;
    const [alice, bob] = [await exchange.trader(1), await exchange.trader(2)];
    const page = new TestPage(t, running.url);
    const { live } = page.streams;
    const { slug } = JSON.parse((await exchange.send('GET', `/events/${plain.eventId}`)).text);
    const all: LiveTrade[] = [];
    const own: LiveTrade[] = [];
    const stops = [
      live.onTrade(undefined, (trade) => all.push(trade)),
      live.onTrade(slug.toUpperCase(), (trade) => own.push(trade)),
      live.onTrade(slug, () => {}),
    ];
    await page.settled(PATH);
    const trade = async ({ tokenIds }: typeof plain, priceTicks: number) => {
      const [yes, no] = tokenIds;
      const domain = tokenIds === negRisk.tokenIds ? NEG_RISK_DOMAIN : undefined;
      const signing = domain === undefined ? {} : { domain };
      await alice.place({ tokenId: yes, priceTicks, lots: 500, ...signing });
      await bob.place({ tokenId: no, priceTicks: 10_000 - priceTicks, lots: 500, ...signing });
    };
    await trade(plain, 4000);
    await page.until(() => all.length === 1);
    t.match(own, [{ eventSlug: slug, price: 0.6 }]);
    page.socket(PATH).cut();
    page.advance(10_000);
    await page.settled(PATH);
    await trade(plain, 4100);
    await page.until(() => all.length === 2 && own.length === 2);
    await trade(negRisk, 4000);
    await page.until(() => all.length === 3);
    t.equal(own.length, 2, 'the trade of another event is not heard');
    stops[0]?.();
    stops[2]?.();
    stops[2]?.();
    t.equal(live.state.value.kind, 'live', 'the other listener is still there');
    await page.settled(PATH);
    await trade(plain, 4200);
    await page.until(() => own.length === 3);
    t.equal(all.length, 3);
    stops[1]?.();
    t.equal(live.state.value.kind, 'idle');
  },
);

t.test('listeners hear the comments on their subject', async (t) => {
  const exchange = share();
  const { plain, running } = exchange;
  const alice = await exchange.trader(1);
  const page = new TestPage(t, running.url);
  const id = Number(plain.eventId);
  const heard: string[] = [];
  const elsewhere: string[] = [];
  page.streams.live.onComment({ type: 'Event', id }, (change, comment) => {
    heard.push(`${change} ${comment.id}`);
  });
  page.streams.live.onComment({ type: 'Event', id: id + 1 }, (change) => elsewhere.push(change));
  await page.settled(PATH);
  const comment = async (parent: number) => {
    const { status, text } = await alice.signed('POST', '/comments', {
      body: `About ${parent}.`,
      parent_entity_type: 'Event',
      parent_entity_id: parent,
    });
    t.equal(status, 200, text);
    return JSON.parse(text).id as string;
  };
  const one = await comment(id);
  await comment(id + 1);
  await page.until(() => elsewhere.length === 1);
  t.strictSame(heard, [`comment_created ${one}`]);
  t.equal((await alice.signed('DELETE', `/comments/${one}`)).status, 200);
  await page.until(() => heard.length === 2);
  t.equal(heard[1], `comment_removed ${one}`);
});
