import t from 'tap';
import { Compile } from 'typebox/compile';
import { postDataVolumes } from '../../../../http/routes/analytics/post-data-volumes.ts';
import { shareTestExchange, type TestExchange } from '../../exchange-fixture.ts';

const HOUR = 3_600_000;
const areVolumes = Compile(postDataVolumes.response);

async function post({ send }: TestExchange, body: unknown) {
  const answer = await send('POST', '/data/volumes', { body: JSON.stringify(body) });
  return { status: answer.status, body: answer.body };
}

/** Trades 10 tokens in a mint: the taker pays 6 for NO, the maker 4 for YES. */
async function trade(exchange: TestExchange, number: number) {
  const [yes, no] = exchange.plain.tokenIds;
  const [maker, taker] = [await exchange.trader(1), await exchange.trader(2)];
  await maker.place({ tokenId: yes, priceTicks: 4_000, lots: 1_000 });
  const { body } = await taker.place({ tokenId: no, priceTicks: 6_000, lots: 1_000 });
  if (body.tradeIDs.length !== 1) throw new Error(`trade ${number} did not match`);
}

const share = await shareTestExchange(t);

t.test('POST /data/volumes shows what takers paid, in total and in the last day', async (t) => {
  const exchange = share();
  const { conditionId, tokenIds } = exchange.plain;
  await trade(exchange, 1);
  exchange.clock.ms += 12 * HOUR;
  await trade(exchange, 2);
  const asked = { include_24h: true, conditions: [{ conditionId, tokenIds }] };
  const { status, body } = await post(exchange, asked);
  t.equal(status, 207);
  t.ok(areVolumes.Check(body), 'as documented');
  t.same(body, [{ condition_id: conditionId, status: 200, volume: '12', volume_24h: '12' }]);
  const snake = [{ condition_id: conditionId, token_ids: tokenIds }];
  t.same((await post(exchange, { ...asked, conditions: snake })).body, body);
  exchange.clock.ms += 12 * HOUR;
  t.match((await post(exchange, asked)).body, [{ volume: '12', volume_24h: '6' }]);
  exchange.clock.ms += 13 * HOUR;
  t.match((await post(exchange, asked)).body, [{ volume: '12', volume_24h: '0' }]);
});

t.test('each market has its own status', async (t) => {
  const exchange = share();
  const { conditionId } = exchange.plain;
  const unknown = `0x${'12'.repeat(32)}`;
  const upper = `0x${conditionId.slice(2).toUpperCase()}`;
  const asked = [unknown, conditionId, '0x12', upper].map((id) => ({ conditionId: id }));
  const { status, body } = await post(exchange, { conditions: asked });
  t.equal(status, 207);
  t.ok(areVolumes.Check(body), 'as documented');
  t.same(body, [
    { condition_id: unknown, status: 404, error: 'market not found' },
    { condition_id: conditionId, status: 200, volume: '0' },
    { condition_id: '0x12', status: 400, error: 'Invalid conditionId' },
    { condition_id: upper, status: 200, volume: '0' },
  ]);
});

t.test('POST /data/volumes refuses invalid fields by name', async (t) => {
  const exchange = share();
  const { conditionId } = exchange.plain;
  const many = (count: number) => ({ conditions: Array(count).fill({ conditionId }) });
  const rows: readonly (readonly [unknown, object])[] = [
    [{}, { code: 'missing_field', field: 'conditions' }],
    [many(0), { code: 'invalid_payload', field: 'conditions' }],
    [many(101), { code: 'too_many_items', field: 'conditions', limit: 100, actual: 101 }],
    [{ conditions: [{}] }, { code: 'missing_field', field: 'conditions.0.conditionId' }],
    [
      { ...many(1), include_24h: 'yes' },
      { code: 'invalid_payload', field: 'include_24h' },
    ],
  ];
  for (const [body, expected] of rows) {
    t.match(await post(exchange, body), { status: 400, body: expected }, JSON.stringify(body));
  }
  t.match(await post(exchange, many(100)), { status: 207 });
});
