/**
 * `validate` accepts a sound state and names each fault that is made by hand. So do the checks that
 * run after every command. Commands can't cause these faults, so this test changes an EngineState
 * from outside, which no other test does.
 */
import t from 'tap';
import { openAccount } from '../../../engine/accounts/open-account.ts';
import { DueQueue } from '../../../engine/book/due-queue.ts';
import { NONE } from '../../../engine/book/level-index.ts';
import type { OrderFees } from '../../../engine/fees/order-fees.ts';
import type {
  CreateMarket,
  Lots,
  Micros,
  OrderInput,
  PlaceOrder,
  ResolveMarket,
} from '../../../engine/index.ts';
import { lots, micros, ticks } from '../../../engine/index.ts';
import { inputOf } from '../../../engine/inputs.ts';
import { changeMarket } from '../../../engine/markets/change-market.ts';
import { createMarket } from '../../../engine/markets/create-market.ts';
import { resolveMarket } from '../../../engine/markets/resolve-market.ts';
import { BOUNDS } from '../../../engine/model/bounds.ts';
import { setBuilder } from '../../../engine/money/set-builder.ts';
import { placeOrder } from '../../../engine/orders/place-order.ts';
import { perform } from '../../../engine/perform.ts';
import type { ApiKey } from '../../../engine/state/api-keys.ts';
import { EngineState } from '../../../engine/state/engine-state.ts';
import { validate } from '../../../engine/views/validate.ts';

const ALICE = `0x${'a'.repeat(40)}`;
const BOB = `0x${'b'.repeat(40)}`;
function hash(number: number): string {
  return `0x${number.toString(16).padStart(64, '0')}`;
}

const RESOLUTION: ResolveMarket = {
  kind: 'resolve_market',
  conditionId: hash(7),
  payoutTicks: ticks(2_500),
  redeemAll: false,
};

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
  earlyEndMs: 0,
  idCheckedSeq: 0,
  apiKey: '',
};

function place(state: EngineState, order: PlaceOrder): void {
  // Safe: an input keeps the kind of its command.
  placeOrder(state, inputOf(state, order) as OrderInput);
}

/** Alice holds 300 YES lots, 100 of them on offer, and bids for 200; Bob holds 300 NO lots. */
function soundCore(market = MARKET): EngineState {
  const state = new EngineState(BOUNDS);
  createMarket(state, market);
  for (const address of [ALICE, BOB]) {
    const paperMicros = micros(10_000_000);
    openAccount(state, {
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
    place(state, { ...ORDER, ...order, orderId: hash(index + 1) });
  });
  state.apiKeys.add({ ...KEY });
  state.apiKeys.add({ ...KEY, nonce: '1', apiKey: '00000000-0000-4000-8000-000000000002' });
  state.switches.set(ALICE, '00000000-0000-4000-8000-000000000003');
  return state;
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

const breaks: readonly (readonly [
  name: string,
  breakIt: (state: EngineState) => void,
  found: RegExp,
])[] = [
  ['cash from nowhere', (state) => state.ledger.receive(0, 1 as Micros), /cash of all accounts/],
  ['a deposit not counted', (state) => (state.ledger.depositedMicros -= 1), /cash of all accounts/],
  ['negative cash', (state) => (state.ledger.availableMicros[0] = -1), /available cash/],
  ['a hold too large', (state) => state.ledger.hold(0, 1 as Micros), /held cash/],
  ['tokens from nowhere', (state) => state.positions.receive(0, 0, 1 as Lots), /YES tokens of/],
  ['tokens held without an order', (state) => state.positions.hold(0, 0, 1 as Lots), /held tokens/],
  ['miscounted sets', (state) => (state.markets[0]!.setsLots += 1), /YES tokens of/],
  ['a remainder changed', (state) => state.orders.fill(BID, lots(1), micros(0)), /lots at level/],
  ['a wrong level total', (state) => state.markets[0]!.book.reduce(40, 1), /lots at level/],
  ['an order not live', (state) => state.orders.setLive(OFFER, false), /resting order/],
  ['a wrong order count', (state) => (state.ledger.liveOrders[0]! += 1), /orders of 0xa/],
  ['a wrong side count', (state) => (state.markets[0]!.book.askCount += 1), /orders on one side/],
  ['a crossed book', (state) => (state.markets[0]!.book.bestBid = 70), /bid below ask/],
  [
    'a revocation not counted',
    (state) => (state.apiKeys.all[0]!.isRevoked = true),
    /live API keys/,
  ],
  ['a lost live key', (state) => state.apiKeys.all.pop(), /live API keys/],
  [
    'a lost revoked key',
    (state) => state.apiKeys.revoke(state.apiKeys.all.pop()!),
    /live and revoked API keys/,
  ],
  ['a key not found', (state) => state.apiKeys.all.push({ ...KEY, apiKey: '' }), /by its text/],
  ['owed before a resolution', (state) => (state.markets[0]!.owedMicros = 1), /owed before/],
  [
    'owed too much',
    (state) => {
      resolveMarket(state, RESOLUTION);
      state.markets[0]!.owedMicros += 1;
    },
    /owed for tokens/,
  ],
  [
    'sets of a resolved market',
    (state) => {
      resolveMarket(state, RESOLUTION);
      state.markets[0]!.setsLots += 1;
    },
    /sets of resolved market/,
  ],
  [
    'an order of a resolved market',
    (state) => {
      resolveMarket(state, RESOLUTION);
      state.markets[0]!.book.bidCount += 1;
    },
    /orders (of|on)/,
  ],
  [
    'a market in redemption without tokens',
    (state) => {
      resolveMarket(state, RESOLUTION);
      state.redemptions.add([0]);
      state.positions.deliver(0, 0, lots(300));
      state.positions.deliver(1, 1, lots(300));
      state.markets[0]!.owedMicros = 0;
    },
    /a market in redemption has tokens/,
  ],
  [
    'a payout without a winner',
    (state) => {
      const [market] = state.markets;
      state.openEvent({ eventId: '', noneConditionId: '', markets: [market!] });
      market!.payoutTicks = 0;
    },
    /payout of/,
  ],
  [
    'bundles that differ within an event',
    (state) => {
      createMarket(state, { ...MARKET, conditionId: hash(8), tokenIds: ['3', '4'] });
      state.openEvent({ eventId: '', noneConditionId: '', markets: state.markets });
      state.markets[1]!.bundlesLots = 5;
      state.markets[1]!.setsLots = 5;
      state.positions.receive(state.positions.add(0, 1), 0, lots(5));
    },
    /bundles of/,
  ],
  ['a bundle without an event', (state) => (state.markets[0]!.bundlesLots = 1), /NO tokens of/],
  ['a lost standing', (state) => (state.ledger.owners[0]!.isRestricted = true), /standing of 0xa/],
  [
    'an unprocessed finer tick',
    (state) => state.finerTickCandidates.push(state.markets[0]!),
    /finer tick/,
  ],
  ['an unowned switch', (state) => state.switches.set(hash(8), ''), /owner of an armed switch/],
];

t.test('a sound state passes', async (t) => {
  const state = soundCore();
  const kinds = state.events.map((event) => event.kind);
  t.equal(kinds.filter((kind) => kind === 'order_accepted').length, 3);
  t.equal(kinds.filter((kind) => kind === 'fill').length, 1);
  t.doesNotThrow(() => validate(state));
});

for (const [name, breakIt, found] of breaks) {
  t.test(`${name}: validate finds and names it`, async (t) => {
    const state = soundCore();
    breakIt(state);
    t.throws(() => validate(state), { name: 'InvariantError', message: found });
  });
}

const CODE = hash(5);

/** The sound state with two delayed orders of Bob besides, to buy 50 YES lots each. */
function waitingCore(): EngineState {
  const state = soundCore();
  changeMarket(state, { kind: 'change_market', conditionId: MARKET.conditionId, takerDelayMs: 9 });
  for (const index of [4, 5]) {
    state.seq = index;
    const waiting = { account: BOB, owner: BOB, priceTicks: ticks(7_000), lots: lots(50) };
    place(state, { ...ORDER, ...waiting, orderId: hash(index) });
  }
  return state;
}

const [WAITING, SECOND] = [2, 3];

const waitingBreaks: typeof breaks = [
  ['a lost delayed order', (state) => state.delayed.delete(SECOND), /delayed orders of 0xb/],
  [
    'a delayed order that rests',
    (state) => state.orders.setDelayed(WAITING, false),
    /delayed order/,
  ],
  [
    'a resting order that is delayed',
    (state) => state.orders.setDelayed(BID, true),
    /resting order/,
  ],
  ['a dead delayed order', (state) => state.orders.setLive(WAITING, false), /delayed order/],
  [
    'a delayed order with a budget that it did not hold',
    (state) => {
      const delayed = state.delayed.get(WAITING)!;
      state.delayed.set(WAITING, { ...delayed, budgetMicros: micros(1) });
    },
    /cash held by delayed order/,
  ],
  ['a delay without an end', (state) => state.releases.delete(WAITING), /timer of delayed order/],
  [
    'a wrong end of a delay',
    (state) => state.orders.setDueMs(WAITING, 1),
    /due time of delayed order/,
  ],
  [
    'a hold that is not what it required',
    (state) => {
      const delayed = state.delayed.get(SECOND)!;
      state.delayed.set(SECOND, { ...delayed, heldMicros: micros(delayed.heldMicros - 1) });
      state.ledger.release(1, micros(1));
    },
    /cash held by delayed order/,
  ],
  [
    'a delayed order in a pause',
    (state) => (state.markets[0]!.status = 1),
    /queue place of delayed order/,
  ],
  [
    'delayed orders out of order',
    ({ orders }) => orders.setTimes(SECOND, 1, 0, 0),
    /queue place of delayed order/,
  ],
];

t.test('a sound state with delayed orders passes', async (t) => {
  const state = waitingCore();
  t.equal(state.delayed.size, 2);
  t.doesNotThrow(() => validate(state));
});

for (const [name, breakIt, found] of waitingBreaks) {
  t.test(`${name}: validate finds and names it`, async (t) => {
    const state = waitingCore();
    breakIt(state);
    t.throws(() => validate(state), { name: 'InvariantError', message: found });
  });
}

/** A sound state with fees, in which Alice's second bid has a builder. */
function chargedCore(): EngineState {
  const state = soundCore({ ...MARKET, takerFeeBps: 400, makerFeeBps: 200, feeExponent: 1 });
  const rates = { shareBps: 3_000, takerRateBps: 50, makerRateBps: 10 };
  setBuilder(state, { kind: 'set_builder', builder: CODE, account: BOB, ...rates });
  place(state, { ...ORDER, orderId: hash(4), builder: CODE });
  const bob = { account: BOB, owner: BOB, tokenId: '2', priceTicks: ticks(6_000) };
  place(state, { ...ORDER, ...bob, orderId: hash(5), lots: lots(300) });
  return state;
}

/** Alice's second bid, with 400 lots left: her first bid had the other 200. */
const CHARGED_BID = 2;
function feesOfBid(state: EngineState): OrderFees {
  return state.orderFees.get(CHARGED_BID)!;
}

const feeBreaks: readonly (readonly [string, (state: EngineState) => void, RegExp])[] = [
  ['too little charged', (state) => (feesOfBid(state).chargedMicros = micros(7_240)), /held cash/],
  ['sums without a fill', (state) => (feesOfBid(state).sums = NO_SUMS), /fees within what is due/],
  [
    'sums with an extra fill',
    (state) => feesOfBid(state).charge(false, lots(9), PRICE),
    /held cash/,
  ],
  [
    'more charged than owed',
    (state) => (feesOfBid(state).chargedMicros = micros(7_270)),
    /fees within what is due/,
  ],
  [
    'more for the builder than its share',
    (state) => (feesOfBid(state).builderMicros = feesOfBid(state).chargedMicros),
    /fees within what is due/,
  ],
  [
    'a negative builder fee',
    (state) => (feesOfBid(state).builderMicros = micros(-1)),
    /fees within what is due/,
  ],
  ['forgotten fees', (state) => state.orderFees.delete(CHARGED_BID), /fee record of order/],
  ['orphaned fees', (state) => state.orderFees.set(77, feesOfBid(state)), /orders that are/],
  [
    'rates that are not in force',
    (state) => (state.markets[0]!.terms = { ...state.markets[0]!.terms, makerFeeBps: 1 }),
    /fee rates of market/,
  ],
  ['no fee account', (state) => (state.feeAccount = NONE), /account for fees/],
  ['another fee account', (state) => (state.feeAccount = 1), /account for fees/],
  [
    'a builder with another account',
    (state) => state.builders.set({ ...state.builders.get(CODE)!, accountIndex: 0 }),
    /account of a builder/,
  ],
];

const NO_SUMS = { base: 0n, flat: 0n };
const PRICE = ticks(4_000);

t.test('a sound state with fees passes', async (t) => {
  const state = chargedCore();
  t.match(feesOfBid(state), { chargedMicros: 7_260, builderMicros: 2_458 });
  t.equal(state.orderFees.size, 2, 'the bid and the offer');
  t.doesNotThrow(() => validate(state));
});

for (const [name, breakIt, found] of feeBreaks) {
  t.test(`${name}: validate finds and names it`, async (t) => {
    const state = chargedCore();
    breakIt(state);
    t.throws(() => validate(state), { name: 'InvariantError', message: found });
  });
}

const noticed: readonly (readonly [
  name: string,
  breakIt: (state: EngineState) => void,
  found: RegExp,
])[] = [
  ['cash from nowhere', (state) => state.ledger.receive(0, 1 as Micros), /cash and locked/],
  ['an unpaid withdrawal', (state) => (state.ledger.withdrawnMicros += 1), /cash and locked/],
  [
    'YES from nowhere',
    (state) => state.positions.receive(0, 0, 1 as Lots),
    /YES held = complete sets/,
  ],
  [
    'NO from nowhere',
    (state) => state.positions.receive(1, 1, 1 as Lots),
    /YES held = complete sets/,
  ],
  ['miscounted sets', (state) => (state.markets[0]!.setsLots += 1), /YES held = complete sets/],
  ['a crossed book', (state) => (state.markets[0]!.book.bestBid = 70), /no book is crossed/],
  // Callers that go on until nothing is due never came to an end.
  [
    'due orders that do not expire',
    (state) => {
      state.events = [];
      state.due.firstMs = () => state.timeMs;
      state.due.orEarlier = () => new DueQueue(state.orders);
    },
    /what is due happens/,
  ],
];

for (const [name, breakIt, found] of noticed) {
  t.test(`${name}: the next order stops the engine`, async (t) => {
    const state = soundCore();
    const next = { ...ORDER, orderId: hash(9), priceTicks: ticks(1_000) };
    t.doesNotThrow(() => perform(state, inputOf(state, next)));
    breakIt(state);
    const after = { ...next, orderId: hash(10) };
    t.throws(() => perform(state, inputOf(state, after)), {
      name: 'InvariantError',
      message: found,
    });
  });
}
