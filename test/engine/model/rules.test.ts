import t from 'tap';
import type { Command, OpenAccount, PlaceOrder } from '../../../engine/index.ts';
import {
  BOUNDS,
  Engine,
  FEE_ACCOUNT,
  lots,
  micros,
  RULES_VERSION,
  ticks,
} from '../../../engine/index.ts';
import { addressOf } from '../scenarios/names.ts';

function opening(address: string, paper = 0): OpenAccount {
  return {
    kind: 'open_account',
    address,
    owner: address,
    wallet: 'eoa',
    paperMicros: micros(paper),
  };
}

function market(conditionId: string): Command {
  return {
    kind: 'create_market',
    conditionId,
    tokenIds: ['1', '2'],
    tickTicks: ticks(100),
    minimumLots: lots(1),
    minimumBudgetMicros: micros(1),
    negRisk: false,
    eventId: '',
    selfTrade: 'cancel_maker',
  };
}

/** An order that expires after a second, without its id. */
function expiring(account: string): Omit<PlaceOrder, 'orderId'> {
  return {
    kind: 'place_order',
    account,
    owner: account,
    tokenId: '1',
    side: 'BUY',
    type: 'GTD',
    postOnly: false,
    priceTicks: ticks(5_000),
    lots: lots(10),
    budgetMicros: micros(0),
    expiresAtMs: 1_000,
    minimumLeadMs: 0,
    idCheckedSeq: 0,
    apiKey: '',
  };
}

t.test('the newest rules are in force by default', (t) => {
  t.equal(new Engine().rules, RULES_VERSION);
  t.end();
});

t.test('only existing versions of the rules can be set', (t) => {
  for (const version of [0, RULES_VERSION + 1, 1.5, Number.NaN]) {
    const engine = new Engine();
    t.throws(() => {
      engine.rules = version;
    }, /rules have versions 1 to/);
    t.equal(engine.rules, RULES_VERSION);
  }
  t.end();
});

t.test('the address of the fee account is reserved since rules version 4', (t) => {
  for (let rules = 1; rules <= RULES_VERSION; rules += 1) {
    const engine = new Engine();
    engine.rules = rules;
    const [event] = engine.applyNamed(1, 0, opening(FEE_ACCOUNT));
    const expected = rules < 4 ? 'account_opened' : 'rejected';
    t.equal(event?.kind, expected, `rules ${rules}`);
  }
  t.end();
});

t.test('markets of an event that an older version let grow too large resolve one by one', (t) => {
  const engine = new Engine({ marketsPerEvent: 2 });
  engine.rules = 4;
  let seq = 0;
  const apply = (command: Command) => {
    seq += 1;
    return engine.applyNamed(seq, 0, command)[0];
  };
  const conditionOf = (market: number) => `0x${`${market}`.repeat(64)}`;
  const create = (market: number, eventId: string) =>
    apply({
      kind: 'create_market',
      conditionId: conditionOf(market),
      tokenIds: [`${market}1`, `${market}2`],
      tickTicks: ticks(100),
      minimumLots: lots(1),
      minimumBudgetMicros: micros(1),
      negRisk: true,
      eventId,
      selfTrade: 'cancel_maker',
    });
  for (const market of [1, 2, 3]) t.equal(create(market, 'large')?.kind, 'market_created');
  t.equal(create(4, 'alone')?.kind, 'market_created');
  const resolve = (market: number) => {
    const conditionId = conditionOf(market);
    return apply({ kind: 'resolve_market', conditionId, payoutTicks: ticks(0), redeemAll: false });
  };
  for (const market of [1, 4]) t.match(resolve(market), { code: 'market_of_event' });
  engine.rules = RULES_VERSION;
  t.match(create(5, 'large'), { code: 'event_malformed', field: 'eventId', limit: 2, actual: 3 });
  for (const market of [1, 2, 3, 4]) t.equal(resolve(market)?.kind, 'market_resolved');
  engine.validate();
  t.end();
});

t.test('rules versions 4 to 6 reserved some idempotency keys for the operator', (t) => {
  for (let rules = 3; rules <= RULES_VERSION; rules += 1) {
    const engine = new Engine({ idempotencyKeys: 2, holderIdempotencyKeys: 1 });
    engine.rules = rules;
    const account = addressOf('ann');
    const conditionId = `0x${'1'.repeat(64)}`;
    engine.applyNamed(1, 0, opening(account, 1_000_000_000));
    engine.applyNamed(2, 0, market(conditionId));
    const split = { kind: 'split', account, owner: account, conditionId, lots: lots(1) } as const;
    t.equal(engine.applyNamed(3, 0, { ...split, key: 'a' })[0]?.kind, 'sets_moved');
    const [event] = engine.applyNamed(4, 0, { ...split, key: 'b' });
    t.equal(event?.kind, [4, 5, 6].includes(rules) ? 'rejected' : 'sets_moved', `rules ${rules}`);
  }
  t.end();
});

t.test('an advance of time did all that was due before rules version 8', (t) => {
  const [account, conditionId] = [addressOf('ann'), `0x${'1'.repeat(64)}`];
  for (let rules = 1; rules <= RULES_VERSION; rules += 1) {
    const engine = new Engine({ workPerCommand: 2, workPerCommandBefore10: 2 });
    engine.rules = rules;
    let seq = 0;
    const apply = (timeMs: number, command: Command) => {
      seq += 1;
      return engine.applyNamed(seq, timeMs, command);
    };
    apply(0, opening(account, 1_000_000_000));
    apply(0, market(conditionId));
    for (const id of ['1', '2', '3', '4', '5']) {
      apply(0, { ...expiring(account), orderId: `0x${id.repeat(64)}` });
    }
    const expired = (command: Command): number =>
      apply(1_000, command).filter(({ kind }) => kind === 'order_closed').length;
    t.equal(expired({ kind: 'advance_time' }), rules < 8 ? 5 : 2, `rules ${rules}`);
    t.equal(engine.isBehind(1_000), rules >= 8);
    t.equal(expired(opening(addressOf('bob'))), rules < 8 ? 0 : 3, 'another command does the rest');
    engine.validate();
  }
  t.end();
});

t.test('a closing ended all orders at once, by acceptance, before rules version 9', (t) => {
  const [account, conditionId] = [addressOf('ann'), `0x${'1'.repeat(64)}`];
  for (let rules = 3; rules <= RULES_VERSION; rules += 1) {
    const engine = new Engine({ workPerCommand: 2, workPerCommandBefore10: 2 });
    engine.rules = rules;
    let seq = 0;
    const apply = (command: Command) => {
      seq += 1;
      return engine.applyNamed(seq, 0, command);
    };
    apply(opening(account, 1_000_000_000));
    apply(market(conditionId));
    for (const [id, price] of [
      ['1', 100],
      ['2', 300],
      ['3', 200],
    ] as const) {
      const order = { ...expiring(account), orderId: `0x${id.repeat(64)}` };
      apply({ ...order, priceTicks: ticks(price) });
    }
    const ended = (command: Command): string[] =>
      apply(command).flatMap((event) =>
        event.kind === 'order_closed' ? [event.orderId.slice(2, 3)] : [],
      );
    const isStepwise = rules >= 9;
    t.strictSame(
      ended({ kind: 'close_market', conditionId }),
      isStepwise ? ['2', '3'] : [...'123'],
    );
    t.equal(engine.isUnfinished, isStepwise, `rules ${rules}`);
    t.strictSame(ended({ kind: 'advance_time' }), isStepwise ? ['1'] : []);
    t.notOk(engine.isUnfinished);
    engine.validate();
  }
  t.end();
});

t.test('steps were larger before rules version 10', (t) => {
  const { workPerCommand, workPerCommandBefore10 } = BOUNDS;
  t.strictSame([workPerCommand, workPerCommandBefore10], [128, 500]);
  const [account, conditionId] = [addressOf('ann'), `0x${'1'.repeat(64)}`];
  for (let rules = 8; rules <= RULES_VERSION; rules += 1) {
    const engine = new Engine({ workPerCommand: 1, workPerCommandBefore10: 3 });
    engine.rules = rules;
    engine.applyNamed(1, 0, opening(account, 1_000_000_000));
    engine.applyNamed(2, 0, market(conditionId));
    for (const id of [3, 4, 5, 6]) {
      const orderId = `0x${String(id).repeat(64)}`;
      engine.applyNamed(id, 0, { ...expiring(account), orderId });
    }
    const events = engine.applyNamed(7, 1_000, { kind: 'advance_time' });
    const closed = events.filter(({ kind }) => kind === 'order_closed').length;
    t.equal(closed, rules < 10 ? 3 : 1, `rules ${rules}`);
  }
  t.end();
});

t.test('an advance of time paid redemptions beside other work before rules version 10', (t) => {
  const [account, conditionId] = [addressOf('ann'), `0x${'1'.repeat(64)}`];
  for (let rules = 3; rules <= RULES_VERSION; rules += 1) {
    const engine = new Engine();
    engine.rules = rules;
    let seq = 0;
    const apply = (timeMs: number, command: Command): string[] => {
      seq += 1;
      return engine.applyNamed(seq, timeMs, command).map(({ kind }) => kind);
    };
    apply(0, opening(account, 1_000_000_000));
    apply(0, market(conditionId));
    const other = `0x${'2'.repeat(64)}`;
    apply(0, { ...market(other), tokenIds: ['3', '4'] } as Command);
    apply(0, { ...expiring(account), orderId: `0x${'3'.repeat(64)}`, tokenId: '3' });
    const sets = { account, owner: account, conditionId, lots: lots(1), key: 'a' };
    apply(0, { kind: 'split', ...sets });
    apply(0, { kind: 'resolve_market', conditionId, payoutTicks: ticks(10_000), redeemAll: true });
    const isApart = rules >= 10;
    const first = apply(1_000, { kind: 'advance_time' });
    t.equal(first.includes('order_closed'), true, `rules ${rules}`);
    t.equal(first.includes('redeemed'), !isApart, `rules ${rules}`);
    t.equal(engine.nextDueMs(), isApart ? 1_000 : Number.POSITIVE_INFINITY, 'the rest is due now');
    if (isApart) t.strictSame(apply(1_000, { kind: 'advance_time' }), ['redeemed']);
    engine.validate();
  }
  t.end();
});
