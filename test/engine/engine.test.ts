import t from 'tap';
import type { Command, EngineEvent, Match } from '../../engine/index.ts';
import { CLOSE_REASONS, REJECT_CODES, stateHash } from '../../engine/index.ts';
import { isLong, times } from '../long-set.ts';
import type { EngineFace, MakeEngine } from './engines.ts';
import { ENGINES, makeNaive, makeReal } from './engines.ts';
import type { JournalEntry } from './random/run.ts';
import { runTwins } from './random/twins.ts';

/** Only the long set must meet every reject code, close reason, match and event. */
const SEEDS = times(2, 8);
const COMMANDS_PER_SEED = times(3_000, 12_000);

const MATCHES: readonly Match[] = ['transfer', 'mint', 'merge'];
const KNOWN: readonly Command['kind'][] = [
  'create_market',
  'open_account',
  'deposit',
  'withdraw',
  'split',
  'merge',
  'issue_api_key',
  'revoke_api_key',
  'arm_switch',
  'trip_switch',
  'set_trading_state',
  'change_market',
  'close_market',
  'resolve_market',
  'open_event',
  'convert',
  'resolve_event',
  'redeem',
  'set_standing',
  'set_builder',
];
const OTHERS: readonly (EngineEvent['kind'] | 'finer tick' | 'fill with fees')[] = [
  'market_created',
  'account_opened',
  'cash_moved',
  'sets_moved',
  'redeemed',
  'converted',
  'money_key_indexed',
  'api_key_issued',
  'api_key_revoked',
  'switch_armed',
  'switch_tripped',
  'notifications_dismissed',
  'trading_state_changed',
  'market_changed',
  'finer tick',
  'event_opened',
  'event_resolved',
  'market_resolved',
  'market_closed',
  'standing_changed',
  'builder_changed',
  'fill with fees',
  'order_accepted',
  'order_delayed',
  'order_released',
  'order_continued',
  'level_changed',
  'order_duplicate',
];

t.test('the engine answers every random command like the naive engine', (t) => {
  const met = new Set<string>();
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const journal: JournalEntry[] = [];
    const report = runTwins({
      seed,
      commands: COMMANDS_PER_SEED,
      engines: [makeNaive, makeReal],
      stateEvery: 75,
      onChange: (entry) => journal.push(entry),
    });
    for (const name of report.counts.keys()) met.add(name);
    for (const [name, make] of ENGINES) {
      const replayed = make(report.bounds);
      for (const { seq, timeMs, command } of journal)
        replayed.apply(seq, timeMs, replayed.inputOf(command));
      const hash = stateHash(replayed.state());
      t.equal(
        hash,
        report.hash,
        `seed ${seed}: a replay by the ${name} engine leads to the same state`,
      );
    }
  }
  const wanted = [
    ...REJECT_CODES.map((code) => `rejected ${code}`),
    ...CLOSE_REASONS.map((reason) => `order_closed ${reason}`),
    ...MATCHES.map((match) => `fill ${match}`),
    ...KNOWN.map((command) => `known ${command}`),
    ...OTHERS,
  ];
  const missing = wanted.filter((name) => !met.has(name));
  if (isLong) t.strictSame(missing, [], 'every reject code, close reason, match and event occurs');
  else
    t.ok(missing.length < wanted.length / 4, `${missing.length} of ${wanted.length} are missing`);
  t.end();
});

/** A naive engine with some of its methods replaced by wrong ones. */
function faulty(wrong: (inner: EngineFace) => Partial<EngineFace>): MakeEngine {
  return (bounds) => {
    const inner = makeNaive(bounds);
    const right: EngineFace = {
      apply: (seq, timeMs, input) => inner.apply(seq, timeMs, input),
      inputOf: (command) => inner.inputOf(command),
      nextDueMs: () => inner.nextDueMs(),
      isBehind: (timeMs) => inner.isBehind(timeMs),
      totals: () => inner.totals(),
      state: () => inner.state(),
      validate: () => inner.validate(),
    };
    return { ...right, ...wrong(inner) };
  };
}

const FAULTY_ENGINES: readonly (readonly [string, RegExp, MakeEngine])[] = [
  [
    'a fill in the wrong bucket',
    /event \d+ differs/,
    faulty((inner) => ({
      apply: (seq, timeMs, input) =>
        inner
          .apply(seq, timeMs, input)
          .map((event) => (event.kind === 'fill' ? { ...event, bucket: event.bucket + 1 } : event)),
    })),
  ],
  [
    'a missing event',
    /event \d+ differs/,
    faulty((inner) => ({
      apply: (seq, timeMs, input) => inner.apply(seq, timeMs, input).slice(0, 3),
    })),
  ],
  [
    'a queue in the wrong order',
    /line \d+ of the state differs/,
    faulty((inner) => ({
      state: () => {
        const state = inner.state();
        const markets = [...state.markets];
        return { ...state, markets: markets.map((m) => ({ ...m, bids: [...m.bids].reverse() })) };
      },
    })),
  ],
  ['a late timer', /the same next due time/, faulty(() => ({ nextDueMs: () => 7 }))],
  ['a hidden backlog', /the same backlog/, faulty(() => ({ isBehind: () => false }))],
  [
    'a missing micro',
    /cashMicros as in events/,
    faulty((inner) => ({
      totals: () => ({ ...inner.totals(), cashMicros: inner.totals().cashMicros - 1 }),
    })),
  ],
  [
    'a broken invariant',
    /cash leaked/,
    faulty(() => ({
      validate: () => {
        throw new Error('cash leaked');
      },
    })),
  ],
];

t.test('a comparison stops at the first difference and says how to repeat it', (t) => {
  for (const [name, message, make] of FAULTY_ENGINES) {
    const run = () =>
      runTwins({ seed: 9, commands: 3_000, engines: [makeNaive, make], stateEvery: 10 });
    t.throws(run, { message }, name);
    t.throws(run, { message: /repeat: npm run twins -- --seed 9 --commands \d+/ }, name);
  }
  t.end();
});
