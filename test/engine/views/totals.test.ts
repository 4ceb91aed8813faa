import t from 'tap';
import { Engine, ONE_TICKS, type StateView, type Totals } from '../../../engine/index.ts';
import { makeNaive, makeReal } from '../engines.ts';
import { type JournalEntry, runTwins } from '../random/twins.ts';

/** The same sums over the whole state. */
function totalsOf(state: StateView): Totals {
  const totals = {
    liveOrders: 0,
    cashMicros: 0,
    lockedMicros: 0,
    depositedMicros: Number(state.depositedMicros),
    withdrawnMicros: Number(state.withdrawnMicros),
  };
  totals.liveOrders += [...state.delayedOrders].length;
  for (const { bids, asks, setsLots, owedMicros } of state.markets) {
    totals.liveOrders += bids.length + asks.length;
    totals.lockedMicros += setsLots * ONE_TICKS + owedMicros;
  }
  for (const { conditionIds, bundlesLots } of state.events) {
    totals.lockedMicros -= (conditionIds.length - 1) * bundlesLots * ONE_TICKS;
  }
  for (const { availableMicros, heldMicros } of state.accounts) {
    totals.cashMicros += availableMicros + heldMicros;
  }
  return totals;
}

t.test('the totals are what the whole state adds up to', (t) => {
  const journal: JournalEntry[] = [];
  const onChange = (entry: JournalEntry) => journal.push(entry);
  const engines = [makeNaive, makeReal] as const;
  const { bounds } = runTwins({ seed: 3, commands: 2_000, engines, stateEvery: 1_000, onChange });
  const engine = new Engine(bounds);
  t.strictSame(engine.totals(), totalsOf(engine.state()));
  for (const [index, { seq, timeMs, command }] of journal.entries()) {
    engine.apply(seq, timeMs, command);
    if (index % 50 === 0) t.strictSame(engine.totals(), totalsOf(engine.state()));
  }
  const { liveOrders, lockedMicros, withdrawnMicros } = engine.totals();
  t.ok(liveOrders > 0 && lockedMicros > 0 && withdrawnMicros > 0, 'there was something to see');
  t.end();
});
