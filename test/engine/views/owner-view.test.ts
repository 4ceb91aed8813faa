import t from 'tap';
import { Engine, micros, type OwnedOrder, type StateView } from '../../../engine/index.ts';
import { makeNaive, makeReal } from '../engines.ts';
import type { JournalEntry } from '../random/twins.ts';
import { runTwins } from '../random/twins.ts';
import { addressOf } from '../scenarios/names.ts';

/** All live orders with their owners, in order of acceptance, as the whole state tells them. */
function ordersOf(state: StateView): (OwnedOrder & { readonly owner: string })[] {
  const owners = new Map([...state.accounts].map(({ address, owner }) => [address, owner]));
  const markets = [...state.markets];
  const resting = markets.flatMap(({ bids, asks, conditionId }) =>
    [...bids, ...asks].map((order) => ({
      ...order,
      conditionId,
      budgetMicros: micros(0),
      releaseMs: 0,
    })),
  );
  // Whether a switch tripped is nothing that its owner is shown.
  const waiting = [...state.delayedOrders].map(({ isTripped: _, ...order }) => order);
  return [...resting, ...waiting]
    .map((order) => {
      const market = markets.find(({ conditionId }) => conditionId === order.conditionId);
      const tokenId = market?.tokenIds[order.outcome] ?? '';
      return { ...order, tokenId, owner: owners.get(order.account) ?? '' };
    })
    .sort((a, b) => a.acceptedSeq - b.acceptedSeq);
}

t.test('what an owner has and wants is what the whole state says of it', (t) => {
  const journal: JournalEntry[] = [];
  const onChange = (entry: JournalEntry) => journal.push(entry);
  const engines = [makeNaive, makeReal] as const;
  const { bounds } = runTwins({ seed: 8, commands: 4_000, engines, stateEvery: 1_000, onChange });
  const engine = new Engine(bounds);
  const seen = { positions: 0, orders: 0, delayed: 0, shared: 0 };
  for (const [index, { seq, timeMs, command }] of journal.entries()) {
    engine.apply(seq, timeMs, command);
    if (index % 50 !== 0) continue;
    const state = engine.state();
    const accounts = [...state.accounts];
    const orders = ordersOf(engine.state());
    for (const owner of new Set(accounts.map((account) => account.owner))) {
      const found = engine.owner(owner);
      const own = orders
        .filter((order) => order.owner === owner)
        .map(({ owner: _, ...order }) => order);
      t.strictSame(found, {
        accounts: accounts
          .filter((account) => account.owner === owner)
          .map((account) => ({ ...account, positions: [...account.positions] })),
        orders: own,
      });
      seen.orders += own.length;
      seen.delayed += own.filter(({ releaseMs }) => releaseMs > 0).length;
      seen.positions += found.accounts.flatMap(({ positions }) => positions).length;
      if (found.accounts.length > 1) seen.shared += 1;
    }
  }
  for (const [what, count] of Object.entries(seen)) t.ok(count > 20, `${count} ${what}`);
  t.end();
});

t.test('an owner that nobody knows has nothing', (t) => {
  t.strictSame(new Engine().owner(addressOf('nobody')), { accounts: [], orders: [] });
  t.end();
});
