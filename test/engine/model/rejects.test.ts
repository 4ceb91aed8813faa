import type { Test } from 'tap';
import t from 'tap';
import type {
  CancelAll,
  CancelOrders,
  CreateMarket,
  Deposit,
  OpenAccount,
  PlaceOrder,
  Withdraw,
} from '../../../engine/index.ts';
import { lots, micros, REJECT_CODES, ticks } from '../../../engine/index.ts';
import type { MakeEngine } from '../engines.ts';
import { ENGINES } from '../engines.ts';
import { DrawnBook, MARKET } from '../scenarios/drawn-book.ts';
import { placeOrder } from '../scenarios/language.ts';
import { addressOf, FIRST_MARKET, orderIdOf, SECOND_MARKET } from '../scenarios/names.ts';
import { FEE_STAIRCASES } from '../staircases/fees.ts';
import { LIFE_STAIRCASES } from '../staircases/operator.ts';
import { OWNER_STAIRCASES } from '../staircases/owners.ts';
import { SETS_STAIRCASES } from '../staircases/sets.ts';
import { climb, no, shownCodes } from '../staircases/staircase.ts';

const NOBODY = addressOf('nobody');
/** All play money of a drawn book: 1,000 units for each of 8 accounts and 100,000 for the house. */
const GIVEN_MICROS = 108_000_000_000;
/** The cash of each account of a drawn book after paying for its tokens. */
const CASH_MICROS = 900_000_000;
const FRESH_ID = orderIdOf('fresh');

const ASKS = `
      bid | price | ask
          | 5300  | eve 10
          | 5200  | bob 10`;

/** Runs a staircase (see staircase.ts) on both engines. */
function onBoth(name: string, run: (t: Test, make: MakeEngine) => void): void {
  for (const [engine, make] of ENGINES) {
    t.test(`${name} (${engine})`, (t) => {
      run(t, make);
      t.end();
    });
  }
}

const BOUNDS = { recentOrders: 1, liveOrdersPerAccount: 1, fillsPerCommand: 1 };
const TERMS = { minimumLots: lots(5), minimumBudgetMicros: micros(10_000) };

/** An order with every fault at once. */
const ALL_FAULTS: PlaceOrder = {
  ...placeOrder('cat', { orderId: '0x12', idCheckedSeq: 0, account: NOBODY }),
  owner: addressOf('dan'),
  tokenId: '99',
  type: 'FOK',
  postOnly: true,
  expiresAtMs: 5.5,
  minimumLeadMs: 60,
  earlyEndMs: 60,
  priceTicks: ticks(9_950),
  lots: lots(0.5),
  budgetMicros: micros(7),
};

onBoth('a resting order, from its id to the book', (t, make) => {
  const book = new DrawnBook(make, { bounds: BOUNDS, terms: TERMS });
  book.draw(ASKS);
  book.say('[1000] cat buys 5 YES at 4000');
  const { forgottenSeq } = book.engine.state();
  const cat = { field: 'account', actual: addressOf('cat') };
  const sizes = { field: 'lots', limit: '1..100000000000', actual: 0.5 };
  const cash = { field: 'account', asset: 'cash', available: CASH_MICROS, held: 0 };
  climb<PlaceOrder>(t, book, ALL_FAULTS, [
    [{}, no('order_id_malformed', { field: 'orderId', actual: '0x12' })],
    [
      { orderId: orderIdOf('cat') },
      no('order_id_reused', { field: 'type', limit: 'GTC', actual: 'FOK' }),
    ],
    [
      { orderId: FRESH_ID },
      no('order_id_unchecked', { field: 'idCheckedSeq', limit: forgottenSeq, actual: 0 }),
    ],
    [{ idCheckedSeq: forgottenSeq }, no('account_unknown', { field: 'account', actual: NOBODY })],
    [{ account: addressOf('cat') }, no('account_not_yours', cat)],
    [{ owner: addressOf('cat') }, no('token_unknown', { field: 'tokenId', actual: '99' })],
    [{ tokenId: '11' }, no('post_only_needs_resting_order', { field: 'postOnly', actual: 'FOK' })],
    [
      { type: 'GTC' },
      no('expiration_not_allowed', { field: 'expiresAtMs', limit: 0, actual: 5.5 }),
    ],
    [{ type: 'GTD' }, no('expiration_required', { field: 'expiresAtMs', actual: 5.5 })],
    [
      { expiresAtMs: 1_060 },
      no('expiration_too_soon', { field: 'expiresAtMs', limit: 1_061, actual: 1_060 }),
    ],
    [
      { expiresAtMs: 1_061 },
      no('price_out_of_bounds', { field: 'priceTicks', limit: '100..9900', actual: 9_950 }),
    ],
    [
      { priceTicks: ticks(5_350) },
      no('price_off_tick', { field: 'priceTicks', limit: 100, actual: 5_350 }),
    ],
    [
      { priceTicks: ticks(5_300) },
      no('amount_out_of_bounds', { field: 'budgetMicros', limit: 0, actual: 7 }),
    ],
    [{ budgetMicros: micros(0) }, no('size_out_of_bounds', sizes)],
    [{ lots: lots(4) }, no('size_below_minimum', { field: 'lots', limit: 5, actual: 4 })],
    [
      { lots: lots(1_000_000) },
      no('too_many_live_orders', { field: 'account', limit: 1, actual: 1 }),
    ],
    [
      { account: addressOf('dan'), owner: addressOf('dan') },
      no('not_enough_cash', { ...cash, required: 5_300_000_000 }),
    ],
    [
      { lots: lots(20) },
      no('post_only_would_cross', { field: 'priceTicks', limit: 5_200, actual: 5_300 }),
    ],
    [{ postOnly: false }, no('too_many_fills', { field: 'lots', limit: 1 })],
    [{ lots: lots(5) }, 'done'],
    [{}, { kind: 'order_duplicate', orderId: FRESH_ID, acceptedSeq: book.seq + 1 }],
  ]);
});

onBoth('a delayed order, from the book to the bounds of delays', (t, make) => {
  const book = new DrawnBook(make, {
    bounds: { liveOrdersPerAccount: 1, delayedOrdersPerMarket: 1 },
  });
  book.draw(ASKS);
  book.say('the first market delays by 250 ms');
  book.say('cat buys 5 YES at 5200');
  const size = { type: 'FOK', lots: lots(0), priceTicks: ticks(5_200) } as const;
  const start = placeOrder('cat2', { ...size, budgetMicros: micros(999_000) });
  const unfilled = { field: 'budgetMicros', limit: 52_000, actual: 999_000 };
  climb<PlaceOrder>(t, book, start, [
    [{}, no('fill_or_kill_unfilled', unfilled)],
    [
      { budgetMicros: micros(26_000) },
      no('too_many_live_orders', { field: 'account', limit: 1, actual: 1 }),
    ],
    [
      { account: addressOf('dan'), owner: addressOf('dan') },
      no('too_many_delayed_orders', { field: 'conditionId', limit: 1, actual: 1 }),
    ],
    [{ type: 'GTC', priceTicks: ticks(5_100), lots: lots(5), budgetMicros: micros(0) }, 'done'],
  ]);
});

onBoth('a repeated id: type, then post-only, then expiration', (t, make) => {
  const book = new DrawnBook(make);
  book.say('cat buys 5 YES at 4000 post-only until 500');
  const acceptedSeq = book.seq;
  const start = placeOrder('cat', { type: 'FAK', expiresAtMs: 7, idCheckedSeq: -1 });
  climb<PlaceOrder>(t, book, start, [
    [{}, no('order_id_reused', { field: 'type', limit: 'GTD', actual: 'FAK' })],
    [{ type: 'GTD' }, no('order_id_reused', { field: 'postOnly', limit: 'true', actual: 'false' })],
    [
      { postOnly: true },
      no('order_id_reused', { field: 'expiresAtMs', limit: '500', actual: '7' }),
    ],
    [{ expiresAtMs: 500 }, { kind: 'order_duplicate', orderId: orderIdOf('cat'), acceptedSeq }],
  ]);
});

onBoth('a BUY with a budget, from its price to the book', (t, make) => {
  const book = new DrawnBook(make, { bounds: BOUNDS, terms: TERMS });
  book.draw(ASKS);
  book.say('cat buys 100 YES at 4000');
  const start = placeOrder('cat2', {
    type: 'FOK',
    priceTicks: ticks(0),
    lots: lots(3),
    budgetMicros: micros(0.5),
  });
  const budget = { field: 'budgetMicros' };
  const held = 400_000;
  const cash = { field: 'account', asset: 'cash', available: CASH_MICROS - held, held };
  climb<PlaceOrder>(t, book, start, [
    [{}, no('price_out_of_bounds', { field: 'priceTicks', limit: '100..9900', actual: 0 })],
    [
      { priceTicks: ticks(5_300) },
      no('size_out_of_bounds', { field: 'lots', limit: 0, actual: 3 }),
    ],
    [
      { lots: lots(0) },
      no('amount_out_of_bounds', { ...budget, limit: '1..1000000000000000', actual: 0.5 }),
    ],
    [
      { budgetMicros: micros(9_999) },
      no('budget_below_minimum', { ...budget, limit: 10_000, actual: 9_999 }),
    ],
    [
      { budgetMicros: micros(CASH_MICROS) },
      no('not_enough_cash', { ...cash, required: CASH_MICROS }),
    ],
    [{ budgetMicros: micros(CASH_MICROS - held) }, no('too_many_fills', { ...budget, limit: 1 })],
    [
      { priceTicks: ticks(5_200) },
      no('fill_or_kill_unfilled', { ...budget, limit: 52_000, actual: CASH_MICROS - held }),
    ],
    [{ budgetMicros: micros(52_000) }, 'done'],
  ]);
});

onBoth('a SELL taker, from its size to the book', (t, make) => {
  const book = new DrawnBook(make, { bounds: BOUNDS, terms: TERMS });
  book.say('dan buys 10 YES at 5000');
  book.say('cat sells 100 YES at 6000');
  const start = placeOrder('cat2', {
    side: 'SELL',
    type: 'FAK',
    priceTicks: ticks(5_100),
    lots: lots(Number.NaN),
    budgetMicros: micros(5),
  });
  const sizes = { field: 'lots', limit: '1..100000000000' };
  const tokens = { field: 'account', asset: '11', available: 9_900, held: 100 };
  climb<PlaceOrder>(t, book, start, [
    [{}, no('amount_out_of_bounds', { field: 'budgetMicros', limit: 0, actual: 5 })],
    [{ budgetMicros: micros(0) }, no('size_out_of_bounds', { ...sizes, actual: Number.NaN })],
    [{ lots: lots(2 ** 53) }, no('size_out_of_bounds', { ...sizes, actual: 2 ** 53 })],
    [{ lots: lots(9_901) }, no('not_enough_tokens', { ...tokens, required: 9_901 })],
    [
      { lots: lots(9_900) },
      no('nothing_to_match', { field: 'priceTicks', limit: 5_000, actual: 5_100 }),
    ],
    [{ type: 'FOK' }, no('fill_or_kill_unfilled', { field: 'lots', limit: 0, actual: 9_900 })],
    [
      { priceTicks: ticks(5_000) },
      no('fill_or_kill_unfilled', { field: 'lots', limit: 10, actual: 9_900 }),
    ],
    [{ lots: lots(2) }, 'done'],
  ]);
});

onBoth('a new market, from its ids to the bound', (t, make) => {
  const book = new DrawnBook(make, { bounds: { markets: 2 } });
  const { conditionId, tokenIds } = FIRST_MARKET;
  const other = SECOND_MARKET.tokenIds[1];
  const fault = (field: string, actual: number | string) =>
    no('market_malformed', { field, actual });
  const start: CreateMarket = {
    kind: 'create_market',
    conditionId: '0x1',
    tokenIds: ['01', '5'],
    tickTicks: ticks(500),
    minimumLots: lots(0),
    minimumBudgetMicros: micros(0.5),
    negRisk: true,
    eventId: 'e'.repeat(129),
    // The cast admits a value that the type forbids, because its refusal is tested.
    selfTrade: 'allow' as CreateMarket['selfTrade'],
  };
  climb<CreateMarket>(t, book, start, [
    [{}, fault('conditionId', '0x1')],
    [{ conditionId }, fault('tokenIds', '01,5')],
    [{ tokenIds: ['5', '5'] }, fault('tokenIds', '5,5')],
    [{ tokenIds: ['5', ''] }, fault('tokenIds', '5,')],
    [{ tokenIds: [tokenIds[0], other] }, fault('tickTicks', 500)],
    [{ tickTicks: ticks(25) }, fault('minimumLots', 0)],
    [{ minimumLots: lots(1) }, fault('minimumBudgetMicros', 0.5)],
    [{ minimumBudgetMicros: micros(1) }, fault('eventId', 129)],
    [{ eventId: 'e'.repeat(128) }, fault('selfTrade', 'allow')],
    [
      { selfTrade: 'cancel_both' },
      no('market_exists', { field: 'conditionId', actual: conditionId }),
    ],
    [
      { conditionId: `0x${'3'.repeat(64)}` },
      no('market_exists', { field: 'tokenIds', actual: tokenIds[0] }),
    ],
    [{ tokenIds: ['31', other] }, no('market_exists', { field: 'tokenIds', actual: other })],
    [
      { tokenIds: ['31', '32'] },
      no('too_many_markets', { field: 'conditionId', limit: 2, actual: 2 }),
    ],
  ]);
  climb<CreateMarket>(t, book, { ...MARKET, ...FIRST_MARKET, negRisk: true }, [
    [{}, no('market_exists', { field: 'conditionId', actual: conditionId })],
    [{ negRisk: false }, { kind: 'known', command: 'create_market' }],
  ]);
});

onBoth('a new account, from its address to its play money', (t, make) => {
  const bounds = { totalMicros: GIVEN_MICROS + 1_000, amountMicros: 100_000_000_000 };
  const full = new DrawnBook(make, { bounds: { ...bounds, accounts: 9 } });
  const [address, owner] = [addressOf('new'), addressOf('bob')];
  const start: OpenAccount = {
    kind: 'open_account',
    address: address.toUpperCase(),
    owner: '0xb0b',
    wallet: 'eoa',
    paperMicros: micros(-1),
  };
  const amounts = { field: 'paperMicros', limit: '0..100000000000' };
  const ann = addressOf('ann');
  climb<OpenAccount>(t, full, start, [
    [{}, no('address_malformed', { field: 'address', actual: address.toUpperCase() })],
    [{ address: ann }, no('address_malformed', { field: 'owner', actual: '0xb0b' })],
    [{ owner }, no('address_malformed', { field: 'owner', actual: owner })],
    [{ wallet: 'proxy' }, no('amount_out_of_bounds', { ...amounts, actual: -1 })],
    [
      { paperMicros: micros(1_001) },
      no('account_bound_to_other', { field: 'address', actual: ann }),
    ],
    [{ address }, no('too_many_accounts', { field: 'address', limit: 9, actual: 9 })],
    [
      { address: ann, owner: ann },
      { kind: 'known', command: 'open_account' },
    ],
  ]);
  const exhausted = { field: 'paperMicros', limit: 1_000, actual: 1_001 };
  const book = new DrawnBook(make, { bounds });
  const again: OpenAccount = {
    ...start,
    address,
    owner,
    wallet: 'safe',
    paperMicros: micros(1_001),
  };
  climb<OpenAccount>(t, book, again, [
    [{}, no('deposits_exhausted', exhausted)],
    [{ paperMicros: micros(1_000) }, 'done'],
    [{}, { kind: 'known', command: 'open_account' }],
  ]);
});

onBoth('a deposit, from its key to the bound of all deposits', (t, make) => {
  const bounds = { totalMicros: GIVEN_MICROS + 1_000, amountMicros: 100_000_000_000 };
  const full = new DrawnBook(make, { bounds: { ...bounds, rememberedMoneyKeys: 1 } });
  const first: Deposit = {
    kind: 'deposit',
    account: addressOf('ann'),
    amountMicros: micros(400),
    key: 'k1',
    keyCheckedSeq: Number.MAX_SAFE_INTEGER,
  };
  for (const key of ['a', 'b']) full.apply({ ...first, amountMicros: micros(1), key });
  climb<Deposit>(t, full, first, [
    [{}, 'done'],
    [{}, { kind: 'known', command: 'deposit' }],
  ]);
  const limit = full.engine.state().forgottenKeySeq;
  const unchecked = { field: 'keyCheckedSeq', limit, actual: limit - 1 };
  const long = 'k'.repeat(300);
  const amounts = { field: 'amountMicros', limit: '1..100000000000' };
  const start: Deposit = { ...first, account: NOBODY, amountMicros: micros(0), key: long };
  climb<Deposit>(t, full, start, [
    [{}, no('money_key_malformed', { field: 'key', actual: 'k'.repeat(128) })],
    [{ key: 'a b' }, no('money_key_malformed', { field: 'key', actual: 'a b' })],
    [{ key: 'k1' }, no('amount_out_of_bounds', { ...amounts, actual: 0 })],
    [{ amountMicros: micros(601) }, no('account_unknown', { field: 'account', actual: NOBODY })],
    [{ account: addressOf('ann') }, no('money_key_reused', { field: 'key', actual: 'k1' })],
    [{ key: 'k2', keyCheckedSeq: limit - 1 }, no('money_key_unchecked', unchecked)],
    [
      { keyCheckedSeq: limit },
      no('deposits_exhausted', { field: 'amountMicros', limit: 598, actual: 601 }),
    ],
  ]);
  const book = new DrawnBook(make, { bounds });
  const exhausted = { field: 'amountMicros', limit: 1_000, actual: 1_001 };
  climb<Deposit>(t, book, { ...first, amountMicros: micros(1_001) }, [
    [{}, no('deposits_exhausted', exhausted)],
    [{ amountMicros: micros(1_000) }, 'done'],
    [{ account: addressOf('bob') }, no('money_key_reused', { field: 'key', actual: 'k1' })],
  ]);
});

onBoth('a withdrawal, from its key to the available cash', (t, make) => {
  const full = new DrawnBook(make);
  full.say('ann buys 100 YES at 4000');
  const account = addressOf('ann');
  full.apply({ kind: 'deposit', account, amountMicros: micros(7), key: 'k1' });
  const start: Withdraw = {
    kind: 'withdraw',
    account: NOBODY,
    amountMicros: micros(Number.POSITIVE_INFINITY),
    key: 'k1\n',
  };
  const limit = '1..1000000000000000';
  const available = CASH_MICROS - 400_000 + 7;
  const cash = { field: 'account', asset: 'cash', available, held: 400_000 };
  const reused = no('money_key_reused', { field: 'key', actual: 'k1' });
  climb<Withdraw>(t, full, start, [
    [{}, no('money_key_malformed', { field: 'key', actual: 'k1\n' })],
    [
      { key: 'k1' },
      no('amount_out_of_bounds', {
        field: 'amountMicros',
        limit,
        actual: Number.POSITIVE_INFINITY,
      }),
    ],
    [{ amountMicros: micros(7) }, no('account_unknown', { field: 'account', actual: NOBODY })],
    [{ account }, reused],
    [
      { key: 'k2', amountMicros: micros(available + 1) },
      no('not_enough_cash', { ...cash, required: available + 1 }),
    ],
    [{ amountMicros: micros(available) }, 'done'],
    [{}, { kind: 'known', command: 'withdraw' }],
  ]);
});

const STAIRCASES = [...OWNER_STAIRCASES, ...LIFE_STAIRCASES, ...SETS_STAIRCASES, ...FEE_STAIRCASES];
for (const [name, run] of STAIRCASES) onBoth(name, run);

onBoth('cancels: the number of ids, the market, the token, the exchange', (t, make) => {
  const book = new DrawnBook(make, { bounds: { cancelsPerCommand: 2 } });
  book.draw(ASKS);
  const bob = orderIdOf('bob');
  const several: CancelOrders = {
    kind: 'cancel_orders',
    owner: addressOf('bob'),
    orderIds: [bob, bob, bob],
  };
  climb<CancelOrders>(t, book, several, [
    [{}, no('too_many_order_ids', { field: 'orderIds', limit: 2, actual: 3 })],
    [{ orderIds: [bob, bob] }, 'done'],
  ]);
  const all: CancelAll = {
    kind: 'cancel_all',
    owner: addressOf('eve'),
    conditionId: '0x9',
    tokenId: '9',
    step: { most: 1 },
  };
  book.say('the exchange is halted');
  climb<CancelOrders>(t, book, several, [
    [{}, no('too_many_order_ids', { field: 'orderIds', limit: 2, actual: 3 })],
    [{ orderIds: [bob] }, no('exchange_halted', { field: 'state', actual: 'halted' })],
  ]);
  climb<CancelAll>(t, book, all, [
    [{}, no('market_unknown', { field: 'conditionId', actual: '0x9' })],
    [
      { conditionId: FIRST_MARKET.conditionId },
      no('token_unknown', { field: 'tokenId', actual: '9' }),
    ],
    [{ tokenId: '11' }, no('exchange_halted', { field: 'state', actual: 'halted' })],
  ]);
  book.say('the exchange is cancel_only');
  climb<CancelAll>(t, book, { ...all, conditionId: FIRST_MARKET.conditionId, tokenId: '11' }, [
    [{}, 'done'],
  ]);
});

t.test('every reject code occurs in a staircase', (t) => {
  const missing = REJECT_CODES.filter((code) => !shownCodes.has(code));
  t.strictSame(missing, [], 'codes without a staircase');
  t.end();
});
