import t from 'tap';
import { Compile } from 'typebox/compile';
import { getLiveActivity } from '../../../../http/routes/markets/live-activity.ts';
import { toChecksumAddress } from '../../../../http/signing/address.ts';
import { EARLIER } from '../../../default-settings.ts';
import { shareTestExchange, type TestExchange } from '../../exchange-fixture.ts';

const areEvents = Compile(getLiveActivity.response);

async function read({ send }: TestExchange, path: string) {
  const { status, text } = await send('GET', path);
  return { status, body: JSON.parse(text) };
}

// Its answers have the hashes of trades.
const share = await shareTestExchange(t, { profile: EARLIER });

t.test('both paths have the newest trades of a market', async (t) => {
  const exchange = share();
  const { clock, plain, running } = exchange;
  const seconds = Math.floor(clock.ms / 1_000);
  const [yes, no] = plain.tokenIds;
  const [maker, taker] = [await exchange.trader(1), await exchange.trader(2)];
  await maker.place({ tokenId: yes, priceTicks: 4_000, lots: 1_000 });
  await maker.place({ tokenId: exchange.negRisk.tokenIds[0], priceTicks: 4_000, lots: 1_000 });
  const first = await taker.place({ tokenId: no, priceTicks: 6_000, lots: 500 });
  clock.ms += 2_000;
  const second = await taker.place({ tokenId: no, priceTicks: 7_000, lots: 525 });
  const words = running.services.exchange.catalog.lookup.marketByCondition(plain.conditionId);
  const event = {
    event_type: 'trade',
    market: {
      condition_id: plain.conditionId,
      asset_id: no,
      question: words?.question,
      icon: words?.icon,
      slug: words?.slug,
    },
    user: {
      address: toChecksumAddress(taker.address),
      username: '',
      profile_picture: '',
      optimized_profile_picture: '',
      pseudonym: '',
    },
    side: 'BUY',
    size: '5',
    fee_rate_bps: '0',
    price: '0.6',
    outcome: words?.outcomes[1],
    outcome_index: 1,
  };
  const hashOf = ({ body }: typeof first) => body.transactionsHashes[0];
  const expected = [
    { ...event, transaction_hash: hashOf(second), timestamp: `${seconds + 2}` },
    { ...event, transaction_hash: hashOf(first), timestamp: `${seconds}` },
  ];
  for (const path of ['/live-activity/events/', '/markets/live-activity/']) {
    const { status, body } = await read(exchange, `${path}${plain.conditionId}`);
    t.equal(status, 200, path);
    t.ok(areEvents.Check(body), 'as documented');
    t.same(body, expected);
  }
  const { conditionId } = exchange.negRisk;
  const none = await read(exchange, `/live-activity/events/${conditionId}`);
  t.same(none, { status: 200, body: [] }, 'those of another market are not shown');
});

t.test('at most a hundred trades are listed', async (t) => {
  const exchange = share();
  const [yes, no] = exchange.plain.tokenIds;
  const [maker, taker] = [await exchange.trader(1), await exchange.trader(2)];
  await maker.place({ tokenId: yes, priceTicks: 4_000, lots: 60_000 });
  for (let count = 0; count < 102; count += 1) {
    await taker.place({ tokenId: no, priceTicks: 6_000, lots: 500 });
  }
  const { body } = await read(exchange, `/live-activity/events/${exchange.plain.conditionId}`);
  t.equal(body.length, 100);
});

t.test('an unknown or malformed market is refused with its field', async (t) => {
  const exchange = share();
  const unknown = `0x${'12'.repeat(32)}`;
  const rows: readonly (readonly [string, number, object])[] = [
    ['0x12', 400, { code: 'invalid_parameter', field: 'condition_id', actual: '0x12' }],
    [unknown, 404, { code: 'market_not_found', field: 'condition_id', actual: unknown }],
  ];
  for (const path of ['/live-activity/events/', '/markets/live-activity/']) {
    for (const [id, status, expected] of rows) {
      t.match(await read(exchange, `${path}${id}`), { status, body: expected }, id);
    }
  }
});
