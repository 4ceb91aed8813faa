/**
 * `validate` adds everything up again: a sound state passes, and each way of breaking it by hand is
 * found and named. So is what a command notices by itself on what it touches. Only here is a `Core`
 * touched from outside, because commands can't break it.
 */
import t from 'tap';
import { openAccount } from '../../../engine/accounts/open-account.ts';
import { NONE } from '../../../engine/book/level-index.ts';
import type { CreateMarket, Lots, Micros, PlaceOrder } from '../../../engine/index.ts';
import { lots, micros, ticks } from '../../../engine/index.ts';
import { changeMarket } from '../../../engine/markets/change-market.ts';
import { createMarket } from '../../../engine/markets/create-market.ts';
import { resolve } from '../../../engine/markets/resolve-market.ts';
import { BOUNDS } from '../../../engine/model/bounds.ts';
import { setBuilder } from '../../../engine/money/set-builder.ts';
import { placeOrder } from '../../../engine/orders/place-order.ts';
import { perform } from '../../../engine/perform.ts';
import type { ApiKey } from '../../../engine/state/api-keys.ts';
import { Core } from '../../../engine/state/core.ts';
import type { OrderFees } from '../../../engine/state/order-fees.ts';
import { validate } from '../../../engine/views/validate.ts';

const ALICE = `0x${'a'.repeat(40)}`;
const BOB = `0x${'b'.repeat(40)}`;
function hash(number: number): string {
  return `0x${number.toString(16).padStart(64, '0')}`;
}

const MARKET: CreateMarket = {
  kind: 'create_market',
  conditionId: hash(7),
  tokenIds: ['1', '2'],
  tickTicks: ticks(100),
  minimumLots: lots(1),
  minimumBudgetMicros: micros(1),
  negRisk: false,
  eventId: '',
  selfTrade: 'cancel_maker',
};

const ORDER: PlaceOrder = {
  kind: 'place_order',
  orderId: hash(1),
  account: ALICE,
  owner: ALICE,
  tokenId: '1',
  side: 'BUY',
  type: 'GTC',
  postOnly: false,
  priceTicks: ticks(4_000),
  lots: lots(500),
  budgetMicros: micros(0),
  expiresAtMs: 0,
  minimumLeadMs: 0,
  idCheckedSeq: 0,
  apiKey: '',
};

/** Alice holds 300 YES lots, 100 of them on offer, and bids for 200; Bob holds 300 NO lots. */
function soundCore(market = MARKET): Core {
  const core = new Core(BOUNDS);
  createMarket(core, market);
  for (const address of [ALICE, BOB]) {
    const paperMicros = micros(10_000_000);
    openAccount(core, {
      kind: 'open_account',
      address,
      owner: address,
      wallet: 'eoa',
      paperMicros,
    });
  }
  const bob = { account: BOB, owner: BOB, tokenId: '2', priceTicks: ticks(6_000) };
  const orders: Partial<PlaceOrder>[] = [
    {},
    { ...bob, lots: lots(300) },
    { side: 'SELL', priceTicks: ticks(7_000), lots: lots(100) },
  ];
  orders.forEach((order, index) => {
    placeOrder(core, { ...ORDER, ...order, orderId: hash(index + 1) });
  });
  core.apiKeys.add({ ...KEY });
  core.apiKeys.add({ ...KEY, nonce: '1', apiKey: '00000000-0000-4000-8000-000000000002' });
  core.switches.set(ALICE, '00000000-0000-4000-8000-000000000003');
  return core;
}

const KEY: ApiKey = {
  owner: ALICE,
  nonce: '0',
  apiKey: '00000000-0000-4000-8000-000000000001',
  purpose: 'trading',
  isRevoked: false,
};

const BID = 0;
const OFFER = 1;

const breaks: readonly (readonly [name: string, breakIt: (core: Core) => void, found: RegExp])[] = [
  ['cash from nowhere', (core) => core.ledger.receive(0, 1 as Micros), /cash of all accounts/],
  ['a deposit not counted', (core) => (core.ledger.depositedMicros -= 1), /cash of all accounts/],
  ['negative cash', (core) => (core.ledger.availableMicros[0] = -1), /available cash/],
  ['a hold too large', (core) => core.ledger.hold(0, 1 as Micros), /held cash/],
  ['tokens from nowhere', (core) => core.positions.receive(0, 0, 1 as Lots), /tokens 0/],
  ['tokens held for no order', (core) => core.positions.hold(0, 0, 1 as Lots), /held tokens/],
  ['sets miscounted', (core) => (core.markets[0]!.setsLots += 1), /tokens 0/],
  ['a remainder changed', (core) => core.orders.fill(BID, lots(1), micros(0)), /lots at level/],
  ['a level miscounted', (core) => core.markets[0]!.book.reduce(40, 1), /lots at level/],
  ['an order not live', (core) => core.orders.setLive(OFFER, false), /resting order/],
  ['a count wrong', (core) => (core.ledger.liveOrders[0]! += 1), /orders of 0xa/],
  ['a side miscounted', (core) => (core.markets[0]!.book.askCount += 1), /orders on one side/],
  ['a crossed book', (core) => (core.markets[0]!.book.bestBid = 70), /crossed book/],
  ['a revocation not counted', (core) => (core.apiKeys.all[0]!.isRevoked = true), /live API keys/],
  ['a live key lost', (core) => core.apiKeys.all.pop(), /live API keys/],
  ['a revoked key lost', (core) => core.apiKeys.revoke(core.apiKeys.all.pop()!), /keys ever/],
  ['a key not found', (core) => core.apiKeys.all.push({ ...KEY, apiKey: '' }), /by its text/],
  ['owed before its time', (core) => (core.markets[0]!.owedMicros = 1), /owed before/],
  [
    'owed too much',
    (core) => {
      resolve(core, core.markets[0]!, ticks(2_500));
      core.markets[0]!.owedMicros += 1;
    },
    /owed for tokens/,
  ],
  [
    'sets of a resolved market',
    (core) => {
      resolve(core, core.markets[0]!, ticks(2_500));
      core.markets[0]!.setsLots += 1;
    },
    /sets of resolved/,
  ],
  [
    'an order of a resolved market',
    (core) => {
      resolve(core, core.markets[0]!, ticks(2_500));
      core.markets[0]!.book.bidCount += 1;
    },
    /orders (of|on)/,
  ],
  [
    'a market that waits for nobody',
    (core) => {
      resolve(core, core.markets[0]!, ticks(2_500));
      core.redemptions.add([0]);
      core.positions.deliver(0, 0, lots(300));
      core.positions.deliver(1, 1, lots(300));
      core.markets[0]!.owedMicros = 0;
    },
    /tokens wait/,
  ],
  [
    'a payout of no winner',
    (core) => {
      const [market] = core.markets;
      core.openEvent({ eventId: '', noneConditionId: '', markets: [market!] });
      market!.payoutTicks = 0;
    },
    /payout of/,
  ],
  [
    'bundles that differ within an event',
    (core) => {
      createMarket(core, { ...MARKET, conditionId: hash(8), tokenIds: ['3', '4'] });
      core.openEvent({ eventId: '', noneConditionId: '', markets: core.markets });
      core.markets[1]!.bundlesLots = 5;
      core.markets[1]!.setsLots = 5;
      core.positions.receive(core.positions.add(0, 1), 0, lots(5));
    },
    /bundles of/,
  ],
  ['a bundle of no event', (core) => (core.markets[0]!.bundlesLots = 1), /tokens 1/],
  ['a forgotten ban', (core) => (core.ledger.owners[0]!.isRestricted = true), /standing of 0xa/],
  ['a forgotten finer tick', (core) => core.finerCandidates.push(core.markets[0]!), /their tick/],
  ['a switch of nobody', (core) => core.switches.set(hash(8), ''), /owner of an armed switch/],
];

t.test('a sound state passes', async (t) => {
  const core = soundCore();
  const kinds = core.events.map((event) => event.kind);
  t.equal(kinds.filter((kind) => kind === 'order_accepted').length, 3);
  t.equal(kinds.filter((kind) => kind === 'fill').length, 1);
  t.doesNotThrow(() => validate(core));
});

for (const [name, breakIt, found] of breaks) {
  t.test(`${name}: found and named`, async (t) => {
    const core = soundCore();
    breakIt(core);
    t.throws(() => validate(core), { name: 'InvariantError', message: found });
  });
}

const CODE = hash(5);

/** Two orders of Bob wait besides, to buy 50 YES each. */
function waitingCore(): Core {
  const core = soundCore();
  changeMarket(core, { kind: 'change_market', conditionId: MARKET.conditionId, takerDelayMs: 9 });
  for (const index of [4, 5]) {
    core.seq = index;
    const waiting = { account: BOB, owner: BOB, priceTicks: ticks(7_000), lots: lots(50) };
    placeOrder(core, { ...ORDER, ...waiting, orderId: hash(index) });
  }
  return core;
}

const [WAITING, SECOND] = [2, 3];

const waitingBreaks: typeof breaks = [
  ['a delayed order lost', (core) => core.delayed.delete(SECOND), /delayed orders of 0xb/],
  ['a delayed order that rests', (core) => core.orders.setDelayed(WAITING, false), /delayed order/],
  ['a resting order that is delayed', (core) => core.orders.setDelayed(BID, true), /resting order/],
  ['one not live that waits', (core) => core.orders.setLive(WAITING, false), /delayed order/],
  [
    'another order that waits',
    (core) => {
      const delayed = core.delayed.get(WAITING)!;
      core.delayed.set(WAITING, { ...delayed, command: core.delayed.get(SECOND)!.command });
    },
    /order that is delayed/,
  ],
  ['a wait without end', (core) => core.due.delete(WAITING), /wait of delayed/],
  ['a wrong end of a wait', (core) => core.orders.setDueMs(WAITING, 1), /release of delayed/],
  [
    'a hold that is not what it required',
    (core) => {
      const delayed = core.delayed.get(SECOND)!;
      core.delayed.set(SECOND, { ...delayed, heldMicros: micros(delayed.heldMicros - 1) });
      core.ledger.release(1, micros(1));
    },
    /hold of delayed/,
  ],
  ['one that waits in a pause', (core) => (core.markets[0]!.status = 1), /place of delayed/],
  ['one that waits out of order', ({ orders }) => orders.setTimes(SECOND, 1, 0, 0), /place of/],
];

t.test('a sound state with orders that wait passes', async (t) => {
  const core = waitingCore();
  t.equal(core.delayed.size, 2);
  t.doesNotThrow(() => validate(core));
});

for (const [name, breakIt, found] of waitingBreaks) {
  t.test(`${name}: found and named`, async (t) => {
    const core = waitingCore();
    breakIt(core);
    t.throws(() => validate(core), { name: 'InvariantError', message: found });
  });
}

/** The sound state where both are charged fees, and Alice's bid has a builder. */
function chargedCore(): Core {
  const core = soundCore({ ...MARKET, takerFeeBps: 400, makerFeeBps: 200, feeExponent: 1 });
  const rates = { shareBps: 3_000, takerRateBps: 50, makerRateBps: 10 };
  setBuilder(core, { kind: 'set_builder', builder: CODE, account: BOB, ...rates });
  placeOrder(core, { ...ORDER, orderId: hash(4), builder: CODE });
  const bob = { account: BOB, owner: BOB, tokenId: '2', priceTicks: ticks(6_000) };
  placeOrder(core, { ...ORDER, ...bob, orderId: hash(5), lots: lots(300) });
  return core;
}

/** Alice's second bid, of which 400 lots are left: her first one had the other 200. */
const CHARGED_BID = 2;
function feesOfBid(core: Core): OrderFees {
  return core.orderFees.get(CHARGED_BID)!;
}

const feeBreaks: readonly (readonly [string, (core: Core) => void, RegExp])[] = [
  [
    'less charged than held for',
    (core) => (feesOfBid(core).chargedMicros = micros(7_240)),
    /held cash/,
  ],
  ['sums that a fill is missing from', (core) => (feesOfBid(core).sums = NO_SUMS), /fees of/],
  ['sums of a fill too many', (core) => feesOfBid(core).charge(false, lots(9), PRICE), /held cash/],
  ['more charged than owed', (core) => (feesOfBid(core).chargedMicros = micros(7_270)), /fees of/],
  [
    'more for the builder than its part',
    (core) => (feesOfBid(core).builderMicros = feesOfBid(core).chargedMicros),
    /fees of/,
  ],
  ['less than nothing for it', (core) => (feesOfBid(core).builderMicros = micros(-1)), /fees of/],
  ['fees that are forgotten', (core) => core.orderFees.delete(CHARGED_BID), /fees of/],
  ['fees of no order', (core) => core.orderFees.set(77, feesOfBid(core)), /orders that are/],
  [
    'rates that are not in force',
    (core) => (core.markets[0]!.terms = { ...core.markets[0]!.terms, makerFeeBps: 1 }),
    /fees of/,
  ],
  ['an account for fees that is lost', (core) => (core.feeAccount = NONE), /account for fees/],
  ['another account for fees', (core) => (core.feeAccount = 1), /account for fees/],
  [
    'a builder with another account',
    (core) => core.builders.set(CODE, { ...core.builders.get(CODE)!, accountIndex: 0 }),
    /account of a builder/,
  ],
];

const NO_SUMS = { base: 0n, flat: 0n };
const PRICE = ticks(4_000);

t.test('a sound state with fees passes', async (t) => {
  const core = chargedCore();
  t.match(feesOfBid(core), { chargedMicros: 7_260, builderMicros: 2_458 });
  t.equal(core.orderFees.size, 2, 'the bid, and the offer');
  t.doesNotThrow(() => validate(core));
});

for (const [name, breakIt, found] of feeBreaks) {
  t.test(`${name}: found and named`, async (t) => {
    const core = chargedCore();
    breakIt(core);
    t.throws(() => validate(core), { name: 'InvariantError', message: found });
  });
}

const noticed: readonly (readonly [name: string, breakIt: (core: Core) => void, found: RegExp])[] =
  [
    ['cash from nowhere', (core) => core.ledger.receive(0, 1 as Micros), /cash and locked/],
    ['a withdrawal not paid', (core) => (core.ledger.withdrawnMicros += 1), /cash and locked/],
    [
      'YES from nowhere',
      (core) => core.positions.receive(0, 0, 1 as Lots),
      /YES held = complete sets/,
    ],
    [
      'NO from nowhere',
      (core) => core.positions.receive(1, 1, 1 as Lots),
      /YES held = complete sets/,
    ],
    ['sets miscounted', (core) => (core.markets[0]!.setsLots += 1), /YES held = complete sets/],
    ['a crossed book', (core) => (core.markets[0]!.book.bestBid = 70), /no book is crossed/],
  ];

for (const [name, breakIt, found] of noticed) {
  t.test(`${name}: the next order stops the engine`, async (t) => {
    const core = soundCore();
    const next = { ...ORDER, orderId: hash(9), priceTicks: ticks(1_000) };
    t.doesNotThrow(() => perform(core, next));
    breakIt(core);
    const after = { ...next, orderId: hash(10) };
    t.throws(() => perform(core, after), { name: 'InvariantError', message: found });
  });
}
