import t from 'tap';
import type { OpenAccount } from '../../../engine/index.ts';
import { Engine, FEE_ACCOUNT, lots, micros, RULES_VERSION, ticks } from '../../../engine/index.ts';
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
    const [event] = engine.apply(1, 0, opening(FEE_ACCOUNT));
    const expected = rules < 4 ? 'account_opened' : 'rejected';
    t.equal(event?.kind, expected, `rules ${rules}`);
  }
  t.end();
});

t.test('some idempotency keys are reserved for the operator since rules version 4', (t) => {
  for (let rules = 3; rules <= RULES_VERSION; rules += 1) {
    const engine = new Engine({ idempotencyKeys: 2, holderIdempotencyKeys: 1 });
    engine.rules = rules;
    const account = addressOf('ann');
    const conditionId = `0x${'1'.repeat(64)}`;
    engine.apply(1, 0, opening(account, 1_000_000_000));
    engine.apply(2, 0, {
      kind: 'create_market',
      conditionId,
      tokenIds: ['1', '2'],
      tickTicks: ticks(100),
      minimumLots: lots(1),
      minimumBudgetMicros: micros(1),
      negRisk: false,
      eventId: '',
      selfTrade: 'cancel_maker',
    });
    const split = { kind: 'split', account, owner: account, conditionId, lots: lots(1) } as const;
    t.equal(engine.apply(3, 0, { ...split, key: 'a' })[0]?.kind, 'sets_moved');
    const [event] = engine.apply(4, 0, { ...split, key: 'b' });
    t.equal(event?.kind, rules < 4 ? 'sets_moved' : 'rejected', `rules ${rules}`);
  }
  t.end();
});
