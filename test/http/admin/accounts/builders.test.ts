import t from 'tap';
import { shareTestExchange } from '../../exchange-fixture.ts';

/** The builder codes of the first test and of the second test. */
const CODE = `0x${'b1'.repeat(32)}`;
const OTHER_CODE = `0x${'b3'.repeat(32)}`;
const WALLET = `0x${'ab'.repeat(20)}`;
const WALLET_CODE = `0x${'0'.repeat(24)}${'ab'.repeat(20)}`;
const ZERO = `0x${'0'.repeat(64)}`;

const share = await shareTestExchange(t);

t.test('the terms of a builder are set, answered and listed', async (t) => {
  const { operator, send, trader } = share();
  const { address: account } = await trader(1);
  const list = async (query = '') => (await operator('GET', `/builders${query}`)).body;
  const { length: before } = (await list()).data;
  const rates = { account, fee_share_bps: 3000, taker_rate_bps: 50, maker_rate_bps: 10 };
  const set = async (code: string, changes: object = {}) =>
    (await operator('POST', `/builders/${code}`, { ...rates, ...changes })).body;
  const told = { builder_code: CODE, ...rates };
  t.strictSame(await set(CODE), { ...told, duplicate: false });
  t.strictSame(await set(CODE.toUpperCase().replace('X', 'x')), { ...told, duplicate: true });
  t.match(await set(WALLET), { builder_code: WALLET_CODE, duplicate: false });
  const less = { fee_share_bps: 0, taker_rate_bps: 0 };
  t.strictSame(await set(CODE, less), { ...told, ...less, duplicate: false });
  const fees = async (code: string) => (await send('GET', `/fees/builder-fees/${code}`)).body;
  t.same(await fees(CODE), {
    builder_maker_fee_rate_bps: 10,
    builder_taker_fee_rate_bps: 0,
    builder_maker_flat_fee_bps: 10,
    builder_taker_fee_share_bps: 0,
  });
  t.match(await fees(WALLET), {
    builder_taker_fee_share_bps: 3000,
    builder_taker_fee_rate_bps: 50,
  });
  t.match(await fees(`0x${'b2'.repeat(32)}`), { builder_taker_fee_rate_bps: 0 });

  const [first, second] = [
    { ...told, ...less },
    { ...told, builder_code: WALLET_CODE },
  ];
  t.same((await list()).data.slice(before), [first, second]);
  t.equal((await operator('GET', '/builders')).text.endsWith('"next_offset":null}'), true);
  const from = (offset: number): string => `offset=${before + offset}`;
  t.same(await list(`?limit=1&${from(0)}`), { data: [first], next_offset: before + 1 });
  t.same(await list(`?limit=1&${from(1)}`), { data: [second], next_offset: null });
  t.same(await list(`?${from(2)}`), { data: [], next_offset: null });
  for (const query of ['?limit=0', '?limit=501', '?offset=-1']) {
    t.match(await list(query), { code: 'invalid_parameter' }, query);
  }
  const actions = await operator('GET', '/actions?kind=set_builder');
  t.match(actions.body.data, [
    { command: { builder: CODE, shareBps: 0 } },
    { command: { builder: WALLET_CODE } },
    { by: 'test', command: { builder: CODE, account, shareBps: 3000 } },
  ]);
});

t.test('each fault of a builder has its code', async (t) => {
  const { operator, trader } = share();
  const { address: account } = await trader(1);
  const good = { account, fee_share_bps: 5000, taker_rate_bps: 1000, maker_rate_bps: 100 };
  const rows: [code: string, changes: object, error: string, details: object][] = [
    ['0xb1', {}, 'invalid_parameter', { field: 'builder_code', actual: '0xb1' }],
    [OTHER_CODE, { account: '0x12' }, 'address_malformed', { field: 'account' }],
    [OTHER_CODE, { fee_share_bps: 5001 }, 'invalid_payload', { limit: '0..5000' }],
    [OTHER_CODE, { fee_share_bps: undefined }, 'missing_field', { field: 'fee_share_bps' }],
    [OTHER_CODE, { taker_rate_bps: 1001 }, 'invalid_payload', { limit: '0..1000' }],
    [OTHER_CODE, { maker_rate_bps: 101 }, 'invalid_payload', { limit: '0..100' }],
    [OTHER_CODE, { maker_rate_bps: 0.5 }, 'invalid_payload', { field: 'maker_rate_bps' }],
    [OTHER_CODE, { by: undefined }, 'missing_field', { field: 'by' }],
    [ZERO, {}, 'builder_malformed', { field: 'builder_code' }],
    [OTHER_CODE, { account: WALLET }, 'account_unknown', { field: 'account', actual: WALLET }],
  ];
  for (const [code, changes, error, details] of rows) {
    const body = { by: 'test', ...good, ...changes };
    const answer = await operator('POST', `/builders/${code}`, body);
    t.match([answer.status, answer.body], [400, { code: error, ...details }], error);
  }
  t.match((await operator('POST', `/builders/${OTHER_CODE}`, good)).body, { duplicate: false });
});
