import t from 'tap';
import {
  type Command,
  Engine,
  lots,
  micros,
  type PlaceOrder,
  ticks,
} from '../../../engine/index.ts';
import { createMarket, NO_TOKEN, YES_TOKEN } from '../../http/durable-commands.ts';

const [ALICE, BOB] = ['a1', 'b2'].map((name) => `0x${name.repeat(20)}`) as [string, string];

class Life {
  readonly engine = new Engine();
  #seq = 0;
  #orders = 0;

  constructor() {
    this.engine.countSteps();
    this.batch(createMarket());
  }

  /** Applies a batch of commands. */
  batch(...commands: readonly Command[]): void {
    for (const command of commands) {
      this.#seq += 1;
      this.engine.apply(this.#seq, this.#seq, this.engine.inputOf(command));
    }
    this.engine.endBatch();
  }

  /** A BUY of YES at 0.4, unless the changes say otherwise. */
  order(account: string, changes: Partial<PlaceOrder> = {}): PlaceOrder {
    this.#orders += 1;
    return {
      kind: 'place_order',
      orderId: `0x${this.#orders.toString(16).padStart(64, '0')}`,
      account,
      owner: account,
      tokenId: YES_TOKEN,
      side: 'BUY',
      type: 'GTC',
      postOnly: false,
      priceTicks: ticks(4_000),
      lots: lots(500),
      budgetMicros: micros(0),
      expiresAtMs: 0,
      minimumLeadMs: 0,
      earlyEndMs: 0,
      idCheckedSeq: 1_000,
      apiKey: '',
      opens: { wallet: 'eoa', paperMicros: micros(1_000_000_000) },
      ...changes,
    };
  }

  cancel({ orderId, owner }: PlaceOrder): Command {
    return { kind: 'cancel_orders', owner, orderIds: [orderId] };
  }

  get market() {
    return this.engine.steps?.markets[0];
  }
}

t.test('an order is a step of its market and two of its owner: the order, and its cash', (t) => {
  const life = new Life();
  t.same(life.market, { count: 0, isSplit: false });
  life.batch(life.order(ALICE));
  t.same(life.market, { count: 1, isSplit: false });
  t.equal(life.engine.ownerSteps(ALICE), 2);
  t.equal(life.engine.ownerSteps(BOB), 0, 'an owner without accounts');
  t.end();
});

t.test('what a batch undoes is no step of levels or balances', (t) => {
  const life = new Life();
  life.batch(life.order(ALICE));
  const order = life.order(ALICE);
  life.batch(order, life.cancel(order));
  t.equal(life.market?.count, 1);
  t.equal(life.engine.ownerSteps(ALICE), 2 + 2, 'the order and its end');
  t.same(
    life.engine.changedBalances(() => true),
    [],
  );
  t.end();
});

t.test('a trade is a step, and for each party its order, three statuses and balances', (t) => {
  const life = new Life();
  life.batch(life.order(ALICE));
  const taker = life.order(BOB, { tokenId: NO_TOKEN, priceTicks: ticks(6_000) });
  life.batch(taker);
  t.same(life.market, { count: 1 + 2, isSplit: false }, 'the trade, then the level');
  t.equal(life.engine.ownerSteps(ALICE), 2 + 1 + 3 + 2, 'cash and tokens');
  t.equal(life.engine.ownerSteps(BOB), 2 + 3 + 2, 'placed and filled');
  const changed = life.engine.changedBalances((account) => account === BOB);
  t.same(
    changed.map(({ tokenId, available }) => [tokenId, available]),
    [
      ['', 1_000_000_000 - 500 * 6_000],
      [NO_TOKEN, 500],
    ],
  );
  t.end();
});

t.test('the counts of a snapshot go on, and a batch that is over ends once', (t) => {
  const life = new Life();
  const order = life.order(ALICE);
  life.batch(order);
  const { engine } = life;
  engine.countSteps(engine.steps);
  engine.endBatch();
  t.notOk(engine.isMidBatch);
  life.batch(life.cancel(order));
  engine.endBatch();
  t.equal(engine.ownerSteps(ALICE), 4);
  t.equal(engine.changedBalances(() => true).length, 1, 'also when its end is reported again');
  t.equal(life.market?.count, 2);
  t.end();
});

t.test('counts must be of the same state', (t) => {
  const life = new Life();
  life.batch(life.order(ALICE));
  t.throws(() => life.engine.countSteps(), RangeError);
  t.end();
});
