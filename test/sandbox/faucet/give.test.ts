// A key that left the engine's memory between its look-up and the gift is looked up again.
import t from 'tap';
import type { Command, EngineEvent } from '../../../engine/index.ts';
import { lots, micros } from '../../../engine/index.ts';
import type { MarketEntry } from '../../../http/views/registry.ts';
import { give } from '../../../sandbox/faucet/give.ts';
import { TEST_SETTINGS } from '../../default-settings.ts';

const ADDRESS = `0x${'0a'.repeat(20)}`;
const LATE: EngineEvent = {
  kind: 'rejected',
  code: 'money_key_unchecked',
  field: 'keyCheckedSeq',
  limit: 9,
  actual: 1,
};
const MOVED: EngineEvent = {
  kind: 'cash_moved',
  account: ADDRESS,
  amountMicros: micros(1),
  key: 'any',
};
const DONE: EngineEvent = { kind: 'known', command: 'split' };

/** Answers each submit with the next of `answers`; logs what was submitted. */
function partsWith(answers: readonly EngineEvent[]) {
  const submitted: string[] = [];
  let lookups = 0;
  const exchange = {
    lookUpKey: async () => {
      lookups += 1;
      return { keyCheckedSeq: lookups };
    },
    submit: async (command: Command) => {
      const answer = answers[submitted.length];
      submitted.push(command.kind);
      return { seq: 1, timeMs: 0, events: answer === undefined ? [] : [answer] };
    },
    state: {
      knowsMoneyKey: () => false,
      balance: () => ({ available: 0, held: 0 }),
      totals: () => ({ depositedMicros: 0, withdrawnMicros: 0 }),
    },
  };
  const registry = {
    tradingState: 'open',
    standingOf: () => 'good',
    accountOwner: () => ADDRESS,
    accountsOf: () => [],
  };
  // Safe: a gift uses these parts alone.
  const parts = { exchange, registry, settings: TEST_SETTINGS } as unknown as Parameters<
    typeof give
  >[0];
  return { parts, submitted };
}

const CASH = {
  address: ADDRESS,
  owner: undefined,
  amountMicros: micros(1_000_000),
  sets: undefined,
  key: 'k',
  reason: 'faucet',
};
// Safe: a gift reads these two fields.
const market = { status: 'open', conditionId: `0x${'11'.repeat(32)}` } as unknown as MarketEntry;
const SETS = { ...CASH, sets: { market, lots: lots(100) } };

t.test('an unchecked key is looked up again, a few times', async (t) => {
  const once = partsWith([LATE, MOVED]);
  t.strictSame(await give(once.parts, CASH), { opened: false, duplicate: false });
  t.strictSame(once.submitted, ['deposit', 'deposit']);
  const always = partsWith([LATE, LATE, LATE, LATE]);
  await t.rejects(give(always.parts, CASH), { code: 'money_key_unchecked' });
  t.equal(always.submitted.length, 3);
});

t.test('sets whose split is late are split at the second try', async (t) => {
  const { parts, submitted } = partsWith([MOVED, LATE, { ...DONE, command: 'deposit' }, MOVED]);
  t.strictSame(await give(parts, SETS), { opened: false, duplicate: false });
  t.strictSame(submitted, ['deposit', 'split', 'deposit', 'split']);
});

t.test('nothing is split from an account whose deposit was refused', async (t) => {
  const late = partsWith([LATE, MOVED, MOVED]);
  t.strictSame(await give(late.parts, SETS), { opened: false, duplicate: false });
  t.strictSame(late.submitted, ['deposit', 'deposit', 'split']);
  const reused = partsWith([{ ...LATE, code: 'money_key_reused' }]);
  await t.rejects(give(reused.parts, SETS), { code: 'money_key_reused' });
  t.strictSame(reused.submitted, ['deposit']);
});
