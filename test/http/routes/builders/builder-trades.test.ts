import { join } from 'node:path';
import Database from 'better-sqlite3';
import t from 'tap';
import { Compile } from 'typebox/compile';
import { getBuilderTrades } from '../../../../http/routes/builders/get-builder-trades.ts';
import { toChecksumAddress } from '../../../../http/signing/address.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { builderHeaders, makeBuilderKey } from '../../auth/key-fixture.ts';
import {
  type OrderWishes,
  START_MS,
  shareTestExchange,
  startTestExchange,
  type Trader,
} from '../../exchange-fixture.ts';

const isPage = Compile(getBuilderTrades.response);
const PATH = '/builder/trades';
const SECONDS = Math.floor(START_MS / 1_000);
const NOBODY = '00000000-0000-0000-0000-000000000000';
const OTHER_CODE = `0x${'c0de'.repeat(16)}`;

function codeOf({ address }: Trader): string {
  return `0x${'0'.repeat(24)}${address.slice(2)}`;
}
function walletOf({ address }: Trader): string {
  return toChecksumAddress(address);
}

const share = await shareTestExchange(t);

/**
 * Trades of 5 tokens, a second apart, of a maker who buys YES at 0.4 and a taker who buys NO at
 * 0.6. The maker's order names the builder in the first, the taker's order in the second. In the
 * third the taker's order names another builder; the fourth names none. Ids are in this order.
 */
async function started() {
  const exchange = share();
  const [yes, no] = exchange.plain.tokenIds;
  const [maker, taker, builder] = [
    await exchange.trader(1),
    await exchange.trader(2),
    await exchange.trader(3),
  ];
  const code = codeOf(builder);
  const ids: string[] = [];
  const trade = async (makerCode: string, takerCode: string) => {
    const named = (one: string) => (one === '' ? {} : { changes: { builder: one } });
    await maker.place({ tokenId: yes, priceTicks: 4_000, lots: 500, ...named(makerCode) });
    const terms = { tokenId: no, priceTicks: 6_000, lots: 500, ...named(takerCode) };
    ids.push(...(await taker.place(terms)).body.tradeIDs);
    exchange.clock.ms += 1_000;
  };
  await trade(code, '');
  await trade('', code);
  await trade('', OTHER_CODE);
  await trade('', '');
  const read = async (query: string, headers: Record<string, string> = {}) => {
    const { status, text } = await exchange.send('GET', `${PATH}${query}`, { headers });
    return { status, body: JSON.parse(text) };
  };
  return { exchange, maker, taker, builder, code, ids, read };
}

/** For the tests that only read, the first in the exchange: it begins at START_MS. */
const known = await started();

t.test("a builder trade has both sets of keys, from the taker's view", async (t) => {
  const { exchange, maker, taker, builder, code, ids, read } = known;
  const { conditionId, tokenIds } = exchange.plain;
  const { status, body } = await read(`?builder_code=${code}&next_cursor=MA==`);
  t.equal(status, 200);
  t.ok(isPage.Check(body), 'as documented');
  t.match(body, { next_cursor: 'LTE=', limit: 100, count: 2 });
  const [bySecond, byFirst] = body.data;
  const time = new Date(START_MS + 1_000).toISOString();
  t.match(bySecond, {
    id: ids[1],
    taker_order_id: bySecond.takerOrderHash,
    market: conditionId,
    asset_id: tokenIds[1],
    assetId: tokenIds[1],
    side: 'BUY',
    size: '5',
    sizeUsdc: '3',
    price: '0.6',
    status: 'CONFIRMED',
    match_time: `${SECONDS + 1}`,
    createdAt: time,
    updatedAt: time,
    matchTime: `${SECONDS + 1}`,
    outcomeIndex: 1,
    bucket_index: 0,
    bucketIndex: 0,
    owner: NOBODY,
    maker_address: toChecksumAddress(taker.address),
    maker: toChecksumAddress(taker.address),
    transactionHash: bySecond.transaction_hash,
    type: 'TAKER',
    trader_side: 'TAKER',
    tradeType: 'TAKER',
    builder: walletOf(builder),
    builderCode: code,
    fee: '0',
    feeUsdc: '0',
    builderFee: '0',
    err_msg: null,
  });
  t.match(byFirst, {
    id: ids[0],
    tradeType: 'MAKER',
    type: 'MAKER',
    builder: walletOf(builder),
    builderCode: code,
    assetId: tokenIds[1],
    maker_orders: [
      {
        owner: NOBODY,
        maker_address: toChecksumAddress(maker.address),
        asset_id: tokenIds[0],
        price: '0.4',
        matched_amount: '5',
        builder_code: code,
      },
    ],
  });
});

t.test('a builder code without a wallet is shown as the code', async (t) => {
  const { read } = known;
  const { body } = await read(`?builder_code=${OTHER_CODE}`);
  t.match(body.data, [{ builder: OTHER_CODE, builderCode: OTHER_CODE }]);
});

t.test('filters combine', async (t) => {
  const { exchange, maker, taker, builder, code, ids, read } = known;
  const { conditionId, tokenIds } = exchange.plain;
  const own = `?builder_code=${code}`;
  const rows: readonly (readonly [string, readonly number[]])[] = [
    [own, [1, 0]],
    [`?builder_code=${toChecksumAddress(builder.address)}`, [1, 0]],
    [`?builder_code=${builder.address}`, [1, 0]],
    [`?builder_code=${OTHER_CODE}`, [2]],
    [`?builder_code=0x${'0'.repeat(64)}`, []],
    [`?builder_code=0x${'77'.repeat(32)}`, []],
    [`?maker_address=${maker.address}`, [0]],
    [`?maker_address=${taker.address}`, [2, 1]],
    [`?maker_address=${builder.address}`, []],
    [`${own}&maker_address=${taker.address}`, [1]],
    [`${own}&maker_address=${maker.address}`, [0]],
    [`?builder_code=${OTHER_CODE}&maker_address=${maker.address}`, []],
    [`${own}&id=${ids[0]}`, [0]],
    [`${own}&id=${ids[2]}`, []],
    [`${own}&market=${conditionId}`, [1, 0]],
    [`${own}&market=${exchange.negRisk.conditionId}`, []],
    [`${own}&asset_id=${tokenIds[0]}`, [1, 0]],
    [`${own}&asset_id=${exchange.negRisk.tokenIds[0]}`, []],
    [`${own}&after=${SECONDS + 1}`, [1]],
    [`${own}&before=${SECONDS + 1}`, [0]],
    [`${own}&before=${START_MS}`, []],
    [`${own}&after=${START_MS}`, [1]],
    [`${own}&next_cursor=MTAw`, []],
    [`${own}&id=&maker_address=&market=&asset_id=&before=&after=`, [1, 0]],
  ];
  for (const [query, expected] of rows) {
    const { status, body } = await read(query);
    const found = body.data.map(({ id }: { id: string }) => ids.indexOf(id));
    t.same([status, found, body.next_cursor], [200, expected, 'LTE='], query);
  }
});

t.test("builder headers select the caller's code and show only its key", async (t) => {
  const { exchange, taker, builder, code, ids, read } = known;
  const [timestamp, method] = [`${Math.floor(exchange.clock.ms / 1_000)}`, 'GET'];
  const signed = { timestamp, method, path: PATH };
  const headers = builderHeaders(await makeBuilderKey(builder), signed);
  const own = await read('', headers);
  t.equal(own.status, 200);
  t.same(
    own.body.data.map(({ id }: { id: string }) => id),
    [ids[1], ids[0]],
  );
  t.match(own.body.data, [{ builderCode: code, owner: NOBODY }, { owner: NOBODY }]);
  const other = await read(`?builder_code=${OTHER_CODE}`, headers);
  t.match(other.body, { count: 1, data: [{ builder: OTHER_CODE }] }, 'or the named code');

  const takerHeaders = builderHeaders(await makeBuilderKey(taker), signed);
  const asTaker = await read(`?builder_code=${code}&id=${ids[1]}`, takerHeaders);
  t.match(asTaker.body.data, [
    { owner: taker.credentials.apiKey, maker_orders: [{ owner: NOBODY, builder_code: '' }] },
  ]);
  t.same((await read('', takerHeaders)).body.data, [], 'no order names this builder');
  const wrong = { ...headers, POLY_BUILDER_SIGNATURE: takerHeaders.POLY_BUILDER_SIGNATURE ?? '' };
  t.match(await read(`?builder_code=${code}`, wrong), {
    status: 401,
    body: { code: 'bad_signature' },
  });
});

// History: builder headers of an order were ignored, and v1 clients have no other way.
t.test('builder headers attribute orders that name no builder, and cost nothing', async (t) => {
  const exchange = share();
  const [maker, taker, builder] = [
    await exchange.trader(1),
    await exchange.trader(2),
    await exchange.trader(3),
  ];
  const code = codeOf(builder);
  const key = await makeBuilderKey(builder);
  const terms = { account: builder.address, fee_share_bps: 0, taker_rate_bps: 1_000 };
  const set = await exchange.operator('POST', `/builders/${code}`, {
    ...terms,
    maker_rate_bps: 100,
  });
  t.equal(set.status, 200, set.text);
  const [yes, no] = exchange.plain.tokenIds;
  const method = 'POST';
  /** Places an order as a client in builder mode does; alone or in a batch. */
  const bring = async (trader: Trader, path: string, wishes: OrderWishes) => {
    const order = trader.order(wishes);
    const body = JSON.stringify(path === '/orders' ? [order] : order);
    const timestamp = `${Math.floor(exchange.clock.ms / 1_000)}`;
    const headers = {
      ...trader.keyHeaders(method, path, body),
      ...builderHeaders(key, { timestamp, method, path, body }),
    };
    const answer = await trader.send(method, path, { body, headers });
    t.equal(answer.status, 200, answer.text);
    return order;
  };
  const builtBy = async (named: string) => {
    const { text } = await exchange.send('GET', `${PATH}?builder_code=${named}`);
    return JSON.parse(text).data;
  };
  const resting = await bring(maker, '/order', { tokenId: yes, priceTicks: 4_000, lots: 500 });
  await bring(taker, '/orders', { tokenId: no, priceTicks: 6_000, lots: 500 });
  const expected = { tradeType: 'TAKER', builderCode: code, builder: walletOf(builder) };
  t.match(await builtBy(code), [
    { ...expected, builderFee: '0', fee: '0', maker_orders: [{ builder_code: code }] },
  ]);
  // The signed builder counts, whoever brings the order.
  const signed = { tokenId: yes, priceTicks: 4_000, lots: 500, changes: { builder: OTHER_CODE } };
  const before = (await builtBy(code)).length;
  await bring(maker, '/order', signed);
  await taker.place({ tokenId: no, priceTicks: 6_000, lots: 500 });
  t.equal((await builtBy(code)).length, before);
  t.match((await builtBy(OTHER_CODE))[0], { tradeType: 'MAKER', builderCode: OTHER_CODE });
  // An order that was placed before stays as it is.
  const again = await maker.signed(method, '/order', resting);
  t.match(again.body, { duplicate: true });
});

t.test('times have the form that the client reads', async (t) => {
  const { code, read } = known;
  const seconds = `${SECONDS + 1}`;
  const kuest = { KUEST_ADDRESS: `0x${'1'.repeat(40)}` };
  const rows = [
    [{}, seconds],
    [kuest, new Date(START_MS + 1_000).toISOString()],
    [{ ...kuest, 'user-agent': 'rs_clob_client' }, seconds],
  ] as const;
  for (const [headers, time] of rows) {
    const { body } = await read(`?builder_code=${code}`, headers);
    t.match(body.data, [{ match_time: time, matchTime: seconds }], JSON.stringify(headers));
  }
});

t.test('a wrong query is refused with its field', async (t) => {
  const { code, taker, read } = known;
  const own = `?builder_code=${code}`;
  const rows: readonly (readonly [string, number, object])[] = [
    ['', 401, { code: 'builder_filter_required', field: 'builder_code' }],
    ['?builder_code=&maker_address=', 401, { code: 'builder_filter_required' }],
    ['?market=x', 401, { code: 'builder_filter_required' }],
    ['?builder_code=0x12', 400, { code: 'invalid_parameter', field: 'builder_code' }],
    ['?maker_address=me', 400, { code: 'invalid_parameter', field: 'maker_address' }],
    [`${own}&id=1`, 400, { code: 'invalid_parameter', field: 'id' }],
    [`${own}&market=x`, 400, { code: 'invalid_parameter', field: 'market' }],
    [`${own}&asset_id=x`, 400, { code: 'invalid_parameter', field: 'asset_id' }],
    [`${own}&before=now`, 400, { code: 'invalid_parameter', field: 'before' }],
    [`${own}&after=-1`, 400, { code: 'invalid_parameter', field: 'after' }],
    [`${own}&next_cursor=LTE%3D`, 400, { code: 'invalid_cursor', field: 'next_cursor' }],
  ];
  for (const [query, status, expected] of rows) {
    t.match(await read(query), { status, body: expected }, query);
  }
  const plainHeaders = taker.keyHeaders('GET', PATH);
  t.match(await read('', plainHeaders), { status: 401 }, 'a trading key is no builder key');
});

t.test('a cursor leads to the next page', async (t) => {
  const { exchange, maker, taker, code, read } = await started();
  const [yes, no] = exchange.plain.tokenIds;
  const changes = { builder: code };
  await maker.place({ tokenId: yes, priceTicks: 4_000, lots: 60_000, changes });
  for (let count = 0; count < 100; count += 1) {
    await taker.place({ tokenId: no, priceTicks: 6_000, lots: 500 });
  }
  const first = await read(`?builder_code=${code}`);
  t.match(first.body, { count: 100, limit: 100 });
  // History: cursors were offsets, so that a trade meanwhile repeated one on the next page.
  await taker.place({ tokenId: no, priceTicks: 6_000, lots: 500, changes });
  const cursor = encodeURIComponent(first.body.next_cursor);
  const last = await read(`?builder_code=${code}&next_cursor=${cursor}`);
  t.match(last.body, { count: 2, next_cursor: 'LTE=' });
  const ids = [...first.body.data, ...last.body.data].map(({ id }: { id: string }) => id);
  t.equal(new Set(ids).size, 102);
});

t.test('a search over too many rows is refused, and the error names filters', async (t) => {
  const dataDir = temporaryFolder(t);
  const { plain, negRisk, send } = await startTestExchange(t, { temporary: false, dataDir });
  const read = (query: string) => send('GET', `${PATH}?builder_code=${OTHER_CODE}${query}`);
  t.match(await read(''), { status: 200, body: { data: [] } });
  const foreign = new Database(join(dataDir, 'analytics.db'));
  foreign.exec(
    'WITH RECURSIVE numbers(number) AS ' +
      '(SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number <= 100000) ' +
      "INSERT INTO trade_parties SELECT number, 0, 1, 1, market_key, 0, 'BUY', 1, 1, " +
      `x'${OTHER_CODE.slice(2)}', 0, 0, 0 FROM numbers, markets ` +
      `WHERE condition_id = '${plain.conditionId}'`,
  );
  foreign.close();
  const tooWide = {
    status: 400,
    body: {
      error: 'the search covers too many rows',
      code: 'search_too_wide',
      limit: 'a search narrowed by market, asset_id, before or after',
    },
  };
  const deep = `&next_cursor=${Buffer.from('100000').toString('base64')}`;
  t.match(await read(deep), tooWide);
  t.match(await read(`&market=${plain.conditionId}${deep}`), tooWide, 'the market has as many');
  t.match(await read(`&market=${negRisk.conditionId}${deep}`), { status: 200, body: { count: 0 } });
});
