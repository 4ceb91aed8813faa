import t from 'tap';
import { type Command, Engine, FEE_ACCOUNT, micros, type Totals } from '../../../engine/index.ts';
import { type AuditedEngine, auditEngine } from '../../../persistence/snapshots/audit.ts';
import { ALICE, counterOrder, openAccount, order, randomStream, WORLD } from '../store-fixture.ts';

/** Sets a builder code without fees, which opens the account that collects fees. */
const setBuilder: Command = {
  kind: 'set_builder',
  builder: `0x${'b1'.repeat(32)}`,
  account: ALICE,
  shareBps: 0,
  takerRateBps: 0,
  makerRateBps: 0,
};

function move(kind: 'deposit' | 'withdraw', account: string, amountMicros: number): Command {
  return {
    kind,
    account,
    amountMicros: micros(amountMicros),
    key: kind,
  };
}

/** An engine with a resting order, sets, a deposit to the fee account and a withdrawal. */
function tradedEngine(): Engine {
  const engine = new Engine();
  const orders = [order(1), counterOrder(2), order(3)];
  const moves = [setBuilder, move('deposit', FEE_ACCOUNT, 11), move('withdraw', ALICE, 7)];
  const commands = [...WORLD, ...orders, ...moves];
  for (const [index, command] of commands.entries())
    engine.apply(index + 1, index + 1, engine.inputOf(command));
  return engine;
}

const PLACE = { seq: 9, timeMs: 1_000 };

function liveOf(engine: Engine, changes: Partial<Totals> = {}) {
  return {
    seq: PLACE.seq,
    totals: { ...engine.totals(), ...changes },
  };
}

t.test('an audit shows sums that can be checked by hand', (t) => {
  const engine = tradedEngine();
  const { stateHash, ...report } = auditEngine(engine, PLACE, liveOf(engine));
  t.strictSame(report, {
    ok: true,
    fault: '',
    ...PLACE,
    totals: {
      availableMicros: 1_999_850_004,
      heldMicros: 50_000,
      feesMicros: 11,
      lockedMicros: 100_000,
      depositedMicros: 2_000_000_011,
      withdrawnMicros: 7,
      liveOrders: 1,
      markets: 1,
      accounts: 3,
    },
  });
  t.match(stateHash, /^[0-9a-f]{64}$/);
  t.end();
});

/** A fault of an engine, changes of the live engine's totals, and the fault that is reported. */
const FAULTS: readonly (readonly [
  what: string,
  engine: Partial<AuditedEngine>,
  live: Partial<Totals>,
  fault: RegExp,
])[] = [
  [
    'a broken invariant',
    {
      validate: () => {
        throw new Error('YES tokens of 0xc0: expected 1, found 2');
      },
    },
    { depositedMicros: 1 },
    /^YES tokens of 0xc0: expected 1, found 2$/,
  ],
  [
    'balances that differ from the total',
    { totals: () => ({ ...tradedEngine().totals(), cashMicros: 5 }) },
    { cashMicros: 5 },
    /^the cash of all accounts adds up to 1999900004 micros, but the engine's total is 5$/,
  ],
  [
    'more locked collateral than deposits',
    { totals: () => ({ ...tradedEngine().totals(), lockedMicros: 100_001 }) },
    { lockedMicros: 100_001 },
    /^cash and locked collateral are 2000000005 micros, but net deposits are 2000000004$/,
  ],
  [
    'a live engine with another total',
    {},
    { liveOrders: 2 },
    /^liveOrders at seq 9: the journal gives 1, the live engine has 2$/,
  ],
];

t.test('an audit names the first fault', (t) => {
  for (const [what, changes, liveChanges, fault] of FAULTS) {
    const real = tradedEngine();
    const engine: AuditedEngine = {
      validate: () => real.validate(),
      state: () => real.state(),
      totals: () => real.totals(),
      ...changes,
    };
    const report = auditEngine(engine, PLACE, liveOf(real, liveChanges));
    t.match(report, { ok: false, fault, ...PLACE, totals: { accounts: 3 } }, what);
  }
  t.end();
});

t.test('after any commands, an audit finds no fault and changes nothing', (t) => {
  const { engine } = randomStream(11, 3_000);
  const first = auditEngine(engine, PLACE, liveOf(engine));
  t.match(first, { ok: true, fault: '' });
  t.strictSame(auditEngine(engine, PLACE, liveOf(engine)), first);
  engine.apply(1_000_000, 1e15, engine.inputOf(openAccount(`0x${'e5'.repeat(20)}`)));
  t.not(auditEngine(engine, PLACE, liveOf(engine)).stateHash, first.stateHash);
  t.end();
});
