import t from 'tap';
import type { CloseReason, Command, EngineEvent } from '../../engine/index.ts';
import { Engine, stateHash } from '../../engine/index.ts';
import { isLong, times } from '../long-set.ts';
import type { MakeEngine } from './engines.ts';
import { makeNaive, makeReal } from './engines.ts';
import type { JournalEntry } from './random/run.ts';
import { CROWD } from './random/scene.ts';
import { runTwins } from './random/twins.ts';

const SEEDS = isLong ? [1, 2, 3, 4] : [1];
const COMMANDS_PER_SEED = times(3_000, 26_000);

/** The least number of times that the long set sends each command. */
const COMMANDS: Readonly<Record<Command['kind'], number>> = {
  create_market: 1_000,
  open_account: 1_000,
  deposit: 500,
  withdraw: 500,
  issue_api_key: 200,
  revoke_api_key: 100,
  place_order: 30_000,
  cancel_orders: 3_000,
  cancel_all: 100,
  arm_switch: 100,
  trip_switch: 50,
  dismiss_notifications: 50,
  split: 1_000,
  merge: 1_000,
  redeem: 1_000,
  convert: 1_000,
  set_trading_state: 200,
  change_market: 100,
  close_market: 100,
  resolve_market: 100,
  open_event: 200,
  resolve_event: 100,
  set_standing: 200,
  set_builder: 200,
  advance_time: 200,
};

/** The least number of times that orders close for each reason. */
const CLOSE_REASONS: Readonly<Record<CloseReason, number>> = {
  matched: 4_000,
  canceled: 3_000,
  expired: 1_000,
  self_trade: 100,
  switch_tripped: 50,
  owner_banned: 20,
  closed_only: 10,
  market_closed: 100,
  market_resolved: 100,
  trading_paused: 10,
  unmatched: 30,
  remainder_released: 100,
};

type Changed = Exclude<EngineEvent['kind'], 'fill' | 'order_closed' | 'rejected' | 'known'>;

/** The least number of times that each event occurs. */
const EVENTS: Readonly<Record<Changed, number>> = {
  market_created: 400,
  account_opened: 1_200,
  cash_moved: 500,
  sets_moved: 500,
  redeemed: 1_000,
  converted: 300,
  money_key_indexed: 300,
  api_key_issued: 100,
  api_key_revoked: 50,
  order_accepted: 10_000,
  order_delayed: 500,
  order_released: 300,
  order_continued: 1,
  order_duplicate: 300,
  level_changed: 20_000,
  switch_armed: 100,
  switch_tripped: 50,
  notifications_dismissed: 50,
  trading_state_changed: 100,
  market_changed: 50,
  builder_changed: 200,
  market_closed: 50,
  market_resolved: 200,
  event_opened: 30,
  event_resolved: 20,
  standing_changed: 100,
};

/** The least number of times that each special case occurs. */
const SPECIAL_CASES: Readonly<Record<string, number>> = {
  'fill transfer': 1_500,
  'fill mint': 1_000,
  'fill merge': 500,
  'fill with fees': 2_000,
  'finer tick': 5,
  'known deposit': 5,
  'known withdraw': 5,
  'known split': 10,
  'known merge': 10,
  'known convert': 10,
  'known redeem': 10,
  'collateral emptied': 50,
};

t.test('hundreds of owners trade in hundreds of markets, and every micro is accounted for', (t) => {
  const counts = new Map<string, number>();
  for (const seed of SEEDS) {
    const journal: JournalEntry[] = [];
    const { bounds, hash, sizes, ...report } = runTwins({
      seed,
      commands: COMMANDS_PER_SEED,
      engines: [makeNaive, makeReal],
      scene: CROWD,
      stateEvery: 250,
      validateEvery: 50,
      onChange: (entry) => journal.push(entry),
    });
    for (const [name, count] of report.counts) counts.set(name, (counts.get(name) ?? 0) + count);
    t.ok(sizes.owners >= 120 && sizes.accounts >= 300, `seed ${seed}: there are many owners`);
    if (isLong) {
      t.ok(sizes.markets >= 100 && sizes.events >= 8, `seed ${seed}: markets were replaced`);
    }
    const replayed = new Engine(bounds);
    for (const { seq, timeMs, command } of journal)
      replayed.apply(seq, timeMs, replayed.inputOf(command));
    t.equal(stateHash(replayed.state()), hash, `seed ${seed}: a replay leads to the same state`);
  }
  const wanted = [
    ...Object.entries(COMMANDS),
    ...Object.entries(CLOSE_REASONS).map(([reason, least]) => [`order_closed ${reason}`, least]),
    ...Object.entries(EVENTS),
    ...Object.entries(SPECIAL_CASES),
  ] as const;
  for (const [name, least] of isLong ? wanted : []) {
    const count = counts.get(String(name)) ?? 0;
    t.ok(count >= Number(least), `${name}: ${count} times, at least ${least}`);
  }
  const sent = Object.keys(COMMANDS).reduce((sum, name) => sum + (counts.get(name) ?? 0), 0);
  t.equal(sent, SEEDS.length * COMMANDS_PER_SEED);
  t.end();
});

/** The real engine, except that its totals lack a micro after the first withdrawal. */
const makeLeaking: MakeEngine = (bounds) => {
  const inner = makeReal(bounds);
  return {
    apply: (seq, timeMs, input) => inner.apply(seq, timeMs, input),
    inputOf: (command) => inner.inputOf(command),
    nextDueMs: () => inner.nextDueMs(),
    isBehind: (timeMs) => inner.isBehind(timeMs),
    state: () => inner.state(),
    validate: () => inner.validate(),
    totals: () => {
      const { lockedMicros, withdrawnMicros, ...totals } = inner.totals();
      const missing = withdrawnMicros > 0 ? 1 : 0;
      return { ...totals, withdrawnMicros, lockedMicros: lockedMicros - missing };
    },
  };
};

t.test('a missing micro is found at once, and the error says how to repeat it', (t) => {
  const engines = [makeNaive, makeLeaking] as const;
  const run = () =>
    runTwins({ seed: 1, commands: 5_000, engines, scene: CROWD, stateEvery: 5_000 });
  t.throws(run, { message: /"kind":"withdraw".*lockedMicros as in events/s });
  t.throws(run, { message: /repeat: npm run twins -- --seed 1 --commands \d+ --crowd/ });
  t.end();
});
