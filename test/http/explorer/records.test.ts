// GET /explorer/orders/{id}, /explorer/trades/{id}, /explorer/accounts/{address} and
// /explorer/markets/{condition_id}, compared with what the clients saw.
import { createHash } from 'node:crypto';
import t from 'tap';
import type {
  ExplorerAccount,
  ExplorerMarket,
  ExplorerOrder,
  ExplorerTrade,
} from '../../../http/explorer/index.ts';
import { HIDDEN_KEY } from '../../../http/format/order.ts';
import type { AccountTrade } from '../../../http/format/trade.ts';
import { shareTestExchange } from '../exchange-fixture.ts';
import { command, done, explored, exploredByOperator } from './explored.ts';

const share = await shareTestExchange(t);

/** A maker with an order that a taker met in two fills, and one that it cancelled. */
async function traded() {
  const exchange = share();
  const [maker, taker] = await Promise.all([exchange.trader(1), exchange.trader(2)]);
  const [yes, no] = exchange.plain.tokenIds;
  const made = await done(maker.place({ tokenId: yes, priceTicks: 4000, lots: 1000 }));
  const other = await done(maker.place({ tokenId: yes, priceTicks: 3000, lots: 700 }));
  const first = await done(taker.place({ tokenId: no, priceTicks: 6000, lots: 600 }));
  const second = await done(taker.place({ tokenId: no, priceTicks: 6100, lots: 900 }));
  await done(maker.cancel(other.body.orderID));
  const ids = [made, other, first, second].map(({ body }) => body.orderID);
  const tradeIds = [first, second].map(({ body }) => body.tradeIDs[0] ?? '');
  return { exchange, maker, taker, ids, tradeIds };
}

function order(exchange: ReturnType<typeof share>, id: string | undefined) {
  return explored<typeof ExplorerOrder>(exchange, `orders/${id}`);
}

t.test('an order has its fills and the commands that placed and closed it', async (t) => {
  const { exchange, maker, ids, tradeIds } = await traded();
  const [made, other, first, second] = await Promise.all(ids.map((id) => order(exchange, id)));
  t.match(made, { status: 'matched', filled_lots: 1000, filled_tokens: '10', filled_cash: '4' });
  t.match(made, { owner: maker.address, price_ticks: 4000, price: '0.4', expires_at_time: null });
  t.strictSame(
    made?.fills.map(({ trade_id, role, tokens, price }) => [trade_id, role, tokens, price]),
    [
      [tradeIds[1], 'MAKER', '4', '0.4'],
      [tradeIds[0], 'MAKER', '6', '0.4'],
    ],
  );
  t.equal(made?.closed_seq, second?.accepted_seq);
  t.match(first, { status: 'matched', fills: [{ role: 'TAKER', price: '0.6' }] });
  t.match(second, { status: 'live', closed_seq: null, close_reason: '', filled_tokens: '4' });
  t.match(other, { status: 'canceled', close_reason: 'canceled', fills: [] });
  for (const one of [made, other, first, second]) {
    const placed = await command(exchange, one?.accepted_seq ?? 0);
    t.equal(placed.command.order_id, one?.order_id);
    t.equal(one?.api_key, HIDDEN_KEY);
  }
  const canceled = await command(exchange, other?.closed_seq ?? 0);
  t.strictSame([canceled.kind, canceled.command.order_ids], ['cancel_orders', [ids[1]]]);
  const shown = await exploredByOperator<typeof ExplorerOrder>(exchange, `orders/${ids[0]}`);
  t.strictSame({ ...shown, api_key: HIDDEN_KEY }, made);
  t.equal(shown.api_key, maker.credentials.apiKey);
});

/** http/orders/receipts.md, from the fields of the answer. */
function receiptOf(trade: ExplorerTrade) {
  const makers = trade.makers.map(
    ({ order_id, lots }) => `${order_id} ${trade.taker.price_ticks} ${lots}\n`,
  );
  const head = `${trade.seq} ${trade.time_ms} ${trade.taker.order_id} ${trade.bucket_index}\n`;
  const sha = (what: string) =>
    createHash('sha256').update(`outcome-exchange ${what} 1\n${head}${makers.join('')}`);
  const id = sha('trade id').digest().subarray(0, 16);
  id[6] = ((id[6] ?? 0) & 0x0f) | 0x80;
  id[8] = ((id[8] ?? 0) & 0x3f) | 0x80;
  const hash = `0x${sha('transaction hash').digest('hex')}`;
  return { id: id.toString('hex'), hash };
}

t.test('the ids of a trade follow from what the answer has', async (t) => {
  const { exchange, maker, taker, tradeIds } = await traded();
  for (const tradeId of tradeIds) {
    const trade = await explored<typeof ExplorerTrade>(exchange, `trades/${tradeId}`);
    const { id, hash } = receiptOf(trade);
    t.strictSame([trade.id, trade.transaction_hash], [tradeId, hash]);
    t.equal(tradeId.replaceAll('-', ''), id);
    const { body } = await taker.signed('GET', `/data/trades?id=${tradeId}`);
    const [told] = body.data as unknown as AccountTrade[];
    t.match(told, { transaction_hash: hash, journal_seq: trade.seq, price: trade.taker.price });
    t.match(trade.taker, { account: taker.address, outcome: 1, side: 'BUY' });
    t.match(trade.makers, [{ account: maker.address, outcome: 0, side: 'BUY', price: '0.4' }]);
  }
});

t.test('an account has what its owner is told', async (t) => {
  const { exchange, maker, taker } = await traded();
  await done(maker.place({ tokenId: exchange.plain.tokenIds[0], priceTicks: 1000, lots: 500 }));
  const sale = { tokenId: exchange.plain.tokenIds[0], priceTicks: 9000, lots: 500, side: 'SELL' };
  await done(maker.place({ ...sale, side: 'SELL' }));
  const shown = await explored<typeof ExplorerAccount>(exchange, `accounts/${maker.address}`);
  const asked = '/balance-allowance?asset_type=COLLATERAL';
  const told = JSON.parse((await maker.signed('GET', asked)).text);
  const cash = shown.available_micros + shown.held_micros;
  t.strictSame([`${cash}`, `${shown.held_micros}`], [told.balance, told.held]);
  t.match(shown, { owner: maker.address, wallet: 'eoa', standing: 'good', held_cash: '0.5' });
  t.match(shown.positions, [
    {
      condition_id: exchange.plain.conditionId,
      outcome: 0,
      available_tokens: '5',
      held_tokens: '5',
      held_lots: 500,
    },
  ]);
  const worth = JSON.parse((await exchange.send('GET', `/value?user=${maker.address}`)).text);
  t.equal(Number(shown.positions[0]?.value_cash), worth[0].value);
  t.strictSame(
    shown.open_orders.map(({ price }) => price),
    ['0.1', '0.9'],
  );
  const opened = await command(exchange, shown.opened_seq ?? 0);
  t.equal(opened.events[0]?.kind, 'account_opened');
  t.strictSame(shown.accounts, [{ address: maker.address, wallet: 'eoa' }]);
  t.match(shown.keys, [{ api_key: HIDDEN_KEY, purpose: 'trading', nonce: '0' }]);
  const path = `accounts/${taker.address}`;
  const byOperator = await exploredByOperator<typeof ExplorerAccount>(exchange, path);
  t.equal(byOperator.keys[0]?.api_key, taker.credentials.apiKey);
  t.match(byOperator.open_orders, [{ api_key: taker.credentials.apiKey }]);
});

t.test('an address without an account shows its owner, if it is one', async (t) => {
  const exchange = share();
  const address = `0x${'ab'.repeat(20)}`;
  const path = `/owners/${address}/standing`;
  t.equal(
    (await exchange.send('GET', `/explorer/accounts/${address}`)).body.code,
    'account_unknown',
  );
  await done(exchange.operator('POST', path, { standing: 'closed_only' }));
  const shown = await explored<typeof ExplorerAccount>(exchange, `accounts/${address}`);
  t.match(shown, { owner: address, wallet: null, opened_seq: null, standing: 'closed_only' });
  t.strictSame([shown.available_cash, shown.positions, shown.accounts], ['0', [], []]);
});

t.test('a market has its terms, tokens, volume and end', async (t) => {
  const { exchange, tradeIds } = await traded();
  const { conditionId, tokenIds } = exchange.plain;
  const path = `markets/${conditionId}`;
  const shown = await explored<typeof ExplorerMarket>(exchange, path);
  t.match(shown, { status: 'open', resolved_time: null, volume_cash: '6' });
  t.match(shown.terms, { tick_ticks: 100, tick: '0.01', minimum_lots: 500, minimum_tokens: '5' });
  t.match(shown.tokens, [
    { token_id: tokenIds[0], supply_tokens: '10', last_price: '0.4', payout: null },
    { token_id: tokenIds[1], supply_lots: 1000, last_price: '0.6', payout: null },
  ]);
  t.equal(shown.last_trade?.id, tradeIds[1]);
  const created = await command(exchange, shown.created_seq);
  t.strictSame([created.kind, created.command.condition_id], ['create_market', conditionId]);
  await done(
    exchange.operator('POST', `/markets/${conditionId}/resolve`, {
      payout: '0',
      redeem_all: false,
    }),
  );
  const ended = await explored<typeof ExplorerMarket>(exchange, path);
  t.match(ended, { status: 'resolved', tokens: [{ payout: '0' }, { payout: '1' }] });
  t.ok(ended.resolved_time);
});

const NONE = `0x${'12'.repeat(32)}`;
const FAULTS: readonly (readonly [path: string, code: string, field: string])[] = [
  ['orders/0x12', 'invalid_parameter', 'id'],
  [`orders/${NONE}`, 'order_not_found', 'id'],
  ['trades/12', 'invalid_parameter', 'id'],
  [`trades/${'1'.repeat(8)}-1111-8111-8111-${'1'.repeat(12)}`, 'trade_not_found', 'id'],
  ['accounts/0x12', 'address_malformed', 'address'],
  [`accounts/0x${'12'.repeat(20)}`, 'account_unknown', 'address'],
  ['accounts/me/balances', 'address_malformed', 'address'],
  ['markets/1', 'invalid_parameter', 'condition_id'],
  [`markets/${NONE}`, 'market_not_found', 'condition_id'],
];

t.test('what is malformed or missing is refused with its field', async (t) => {
  const exchange = share();
  for (const [path, code, field] of FAULTS) {
    for (const send of [exchange.send, exchange.operator]) {
      const { status, body } = await send('GET', `/explorer/${path}`);
      t.match(body, { code, field }, path);
      t.equal(status, code.endsWith('not_found') ? 404 : 400, path);
    }
  }
});
