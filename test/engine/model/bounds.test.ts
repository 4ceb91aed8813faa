/**
 * Bounds that anyone can reach: each leaves room for the operator and for others, and empties. The
 * table is in docs/bounds.md. History: accounts, delayed orders and deposits once filled for good,
 * for everybody.
 */
import t from 'tap';
import {
  type Bounds,
  type Command,
  type Engine,
  type EngineEvent,
  lots,
  micros,
  type OpenAccount,
  type PlaceOrder,
  ticks,
} from '../../../engine/index.ts';
import { ENGINES } from '../engines.ts';
import { addressOf } from '../scenarios/names.ts';

const [ANN, BOB] = [addressOf('ann'), addressOf('bob')];
const EVERY = { conditionId: '', tokenId: '', step: { most: 1_000 } } as const;
const CANCEL_ALL: Command = { kind: 'cancel_all', owner: ANN, ...EVERY };
const [FIRST, SECOND] = [`0x${'1'.repeat(64)}`, `0x${'2'.repeat(64)}`];

/** Applies commands one after the other and gives the last event's kind, or the refusal. */
class Steps {
  readonly engine: Pick<Engine, 'apply' | 'inputOf' | 'validate'>;
  #seq = 0;
  #orders = 0;
  timeMs = 0;

  constructor(make: (bounds: Partial<Bounds>) => Steps['engine'], bounds: Partial<Bounds>) {
    this.engine = make(bounds);
  }

  apply(command: Command): EngineEvent[] {
    this.#seq += 1;
    return this.engine.apply(this.#seq, this.timeMs, this.engine.inputOf(command));
  }

  open(name: string, more: Partial<OpenAccount> = {}): EngineEvent[] {
    const address = addressOf(name);
    const paperMicros = micros(1_000_000);
    const account = { address, owner: address, wallet: 'eoa', paperMicros } as const;
    return this.apply({ kind: 'open_account', ...account, ...more });
  }

  market(conditionId: string, more: object = {}): void {
    this.apply({
      kind: 'create_market',
      conditionId,
      tokenIds: [`${conditionId.slice(-1)}1`, `${conditionId.slice(-1)}2`],
      tickTicks: ticks(100),
      minimumLots: lots(1),
      minimumBudgetMicros: micros(1),
      negRisk: false,
      eventId: '',
      selfTrade: 'cancel_maker',
      ...more,
    });
  }

  /** A BUY of one lot YES at 0.50. */
  buy(account: string, owner: string, more: Partial<PlaceOrder> = {}): EngineEvent[] {
    this.#orders += 1;
    return this.apply({
      kind: 'place_order',
      orderId: `0x${String(this.#orders).padStart(64, '0')}`,
      account,
      owner,
      tokenId: '11',
      side: 'BUY',
      type: 'GTC',
      postOnly: false,
      priceTicks: ticks(5_000),
      lots: lots(1),
      budgetMicros: micros(0),
      expiresAtMs: 0,
      minimumLeadMs: 1,
      earlyEndMs: 0,
      idCheckedSeq: Number.MAX_SAFE_INTEGER,
      apiKey: '',
      ...more,
    });
  }
}

for (const [name, make] of ENGINES) {
  t.test(`accounts: holders leave the last ones to the operator: ${name}`, async (t) => {
    const steps = new Steps(make, { accounts: 3, holderAccounts: 2 });
    steps.open('ann');
    steps.open('bob');
    const full = { code: 'too_many_accounts', field: 'address' };
    t.match(steps.open('cat'), [{ ...full, limit: 2, actual: 2 }]);
    t.match(steps.open('cat', { byOperator: true }), [{ kind: 'account_opened' }]);
    t.match(steps.open('dan', { byOperator: true }), [{ ...full, limit: 3, actual: 3 }]);
    steps.engine.validate();
  });

  t.test(`accounts: an owner has a bound of its own, the operator none: ${name}`, async (t) => {
    const steps = new Steps(make, { accountsPerOwner: 2 });
    steps.open('ann');
    const wallet = { owner: ANN, wallet: 'safe' } as const;
    t.match(steps.open('ann2', wallet), [{ kind: 'account_opened' }]);
    const full = { code: 'too_many_accounts', field: 'owner', limit: 2, actual: 2 };
    t.match(steps.open('ann3', wallet), [full]);
    steps.market(FIRST);
    const opens = { wallet: 'safe', paperMicros: micros(1_000_000) } as const;
    t.match(steps.buy(addressOf('ann3'), ANN, { opens }), [full], 'nor by a first order');
    t.match(steps.open('bob'), [{ kind: 'account_opened' }], 'others are not concerned');
    t.match(steps.open('ann3', { ...wallet, byOperator: true }), [{ kind: 'account_opened' }]);
  });

  t.test(`play money: holders leave the last deposits to the operator: ${name}`, async (t) => {
    const steps = new Steps(make, { totalMicros: 3_000_000, holderMicros: 2_000_000 });
    steps.open('ann');
    steps.open('bob');
    t.match(steps.open('cat'), [{ code: 'deposits_exhausted', field: 'paperMicros', limit: 0 }]);
    const paperMicros = micros(0);
    t.match(steps.open('cat', { paperMicros }), [{ kind: 'account_opened' }]);
    const deposit = { kind: 'deposit', account: ANN, key: 'a' } as const;
    t.match(steps.apply({ ...deposit, amountMicros: micros(1_000_000) }), [{ kind: 'cash_moved' }]);
  });

  t.test(`deposits: what was withdrawn does not count: ${name}`, async (t) => {
    const steps = new Steps(make, {});
    steps.open('ann', { paperMicros: micros(0) });
    // Twenty times a ninth of 2^53, and odd, so that the sums of all time do not fit a double.
    const amountMicros = micros(999_999_999_999_999);
    for (let round = 0; round < 20; round += 1) {
      const moved = { account: ANN, amountMicros };
      const deposited = steps.apply({ kind: 'deposit', ...moved, key: `d${round}` });
      t.match(deposited, [{ kind: 'cash_moved' }], `deposit ${round}`);
      const withdrawn = steps.apply({ kind: 'withdraw', ...moved, key: `w${round}` });
      t.match(withdrawn, [{ kind: 'cash_moved' }], `withdrawal ${round}`);
    }
    steps.engine.validate();
  });

  t.test(`live orders: an owner has a bound over all its accounts: ${name}`, async (t) => {
    const steps = new Steps(make, { liveOrdersPerOwner: 2 });
    steps.open('ann');
    steps.open('ann2', { owner: ANN, wallet: 'safe' });
    steps.open('bob');
    steps.market(FIRST);
    steps.buy(ANN, ANN);
    steps.buy(addressOf('ann2'), ANN);
    const full = { code: 'too_many_live_orders', field: 'owner', limit: 2, actual: 2 };
    t.match(steps.buy(ANN, ANN), [full]);
    t.match(steps.buy(BOB, BOB), [{ kind: 'order_accepted' }, {}], 'others are not concerned');
    steps.apply(CANCEL_ALL);
    t.match(steps.buy(ANN, ANN), [{ kind: 'order_accepted' }, {}], 'a cancel empties it');
    steps.engine.validate();
  });

  t.test(`live orders: busy owners leave the last ones to quiet owners: ${name}`, async (t) => {
    const steps = new Steps(make, { liveOrders: 3, busyLiveOrders: 2, quietLiveOrders: 1 });
    for (const owner of ['ann', 'bob', 'cat']) steps.open(owner);
    steps.market(FIRST);
    const rested = [{ kind: 'order_accepted' }, { kind: 'level_changed' }];
    for (let order = 0; order < 2; order += 1) t.match(steps.buy(ANN, ANN), rested);
    const full = { code: 'too_many_live_orders', field: 'orderId' };
    t.match(steps.buy(ANN, ANN), [{ ...full, limit: 2, actual: 2 }]);
    t.match(steps.buy(BOB, BOB), rested);
    const cat = addressOf('cat');
    t.match(steps.buy(cat, cat), [{ ...full, limit: 3, actual: 3 }]);
    steps.apply(CANCEL_ALL);
    t.match(steps.buy(cat, cat), rested, 'cancels empty it');
    steps.engine.validate();
  });

  t.test(`delayed orders: markets and quiet owners are not blocked: ${name}`, async (t) => {
    const bounds = { delayedOrdersPerMarket: 4, busyDelayedOrdersPerMarket: 3 };
    const steps = new Steps(make, { ...bounds, quietDelayedOrders: 1, delayedOrdersPerOwner: 3 });
    for (const owner of ['ann', 'bob', 'cat', 'dan']) steps.open(owner);
    steps.market(FIRST, { delaySeconds: 1 });
    steps.market(SECOND, { delaySeconds: 1 });
    for (const tokenId of ['12', '22']) steps.buy(ANN, ANN, { tokenId, lots: lots(50) });
    const delayed = [{ kind: 'order_accepted' }, { kind: 'order_delayed' }];
    for (let order = 0; order < 2; order += 1) t.match(steps.buy(BOB, BOB), delayed);
    const cat = addressOf('cat');
    t.match(steps.buy(cat, cat), delayed);
    const full = { code: 'too_many_delayed_orders', field: 'conditionId' };
    t.match(steps.buy(cat, cat), [{ ...full, limit: 3, actual: 3 }], 'a busy owner waits');
    const dan = addressOf('dan');
    t.match(steps.buy(dan, dan), delayed, 'a quiet owner does not');
    t.match(steps.buy(dan, dan), [{ ...full, limit: 3, actual: 4 }]);
    t.match(steps.buy(cat, cat, { tokenId: '21' }), delayed, 'another market has its own bound');
    steps.timeMs = 1_000;
    const released = steps.apply({ kind: 'advance_time' });
    t.equal(released.filter(({ kind }) => kind === 'order_released').length, 5);
    t.match(steps.buy(cat, cat), delayed, 'releases empty it');
    steps.engine.validate();
  });
}
