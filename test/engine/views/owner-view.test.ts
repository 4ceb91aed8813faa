import t from 'tap';
import {
  Engine,
  micros,
  type OwnedOrder,
  type OwnerCopy,
  type StateView,
} from '../../../engine/index.ts';
import { Random } from '../../../http/codec/random.ts';
import { times } from '../../long-set.ts';
import { runRandom } from '../random/run.ts';
import { addressOf } from '../scenarios/names.ts';

/** All live orders of the whole state with their owners, in order of acceptance. */
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
  // Owners are not shown whether a switch tripped.
  const waiting = [...state.delayedOrders].map(({ isTripped: _, ...order }) => order);
  const unfinished = [...state.unfinishedOrders].map((order) => ({ ...order, releaseMs: 0 }));
  return [...resting, ...waiting, ...unfinished]
    .map((order) => {
      const market = markets.find(({ conditionId }) => conditionId === order.conditionId);
      const tokenId = market?.tokenIds[order.outcome] ?? '';
      return { ...order, tokenId, owner: owners.get(order.account) ?? '' };
    })
    .sort((a, b) => a.acceptedSeq - b.acceptedSeq);
}

t.test("an owner's accounts and orders equal those in the whole state", (t) => {
  const seen = { positions: 0, orders: 0, delayed: 0, severalAccounts: 0 };
  runRandom({ seed: 8, commands: times(4_000, 20_000), every: 50 }, (engine) => {
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
      if (found.accounts.length > 1) seen.severalAccounts += 1;
    }
  });
  for (const [what, count] of Object.entries(seen)) t.ok(count > 20, `${count} ${what}`);
  t.end();
});

t.test("a copy of an owner's orders is what they were, in whatever parts it is read", (t) => {
  const random = new Random(5);
  const copies = new Map<string, { orders: OwnerCopy['orders']; expected: OwnedOrder[] }>();
  const seen = { copies: 0, byId: 0, fees: 0, delayed: 0 };
  runRandom({ seed: 12, commands: times(4_000, 20_000), every: 40 }, (engine) => {
    for (const [owner, { orders, expected }] of copies) {
      t.equal(orders.left, expected.length, owner);
      const byId = expected.filter(() => random.chance(20));
      for (const order of byId) {
        t.strictSame(orders.takeById(order.orderId), order);
        t.equal(orders.takeById(order.orderId), undefined, 'it is taken once');
      }
      const rest = expected.filter((order) => !byId.includes(order));
      const [first, last] = [rest.slice(0, 3), rest.slice(3)];
      t.strictSame([...orders.take(3)], first);
      for (const { orderId } of first) t.equal(orders.takeById(orderId), undefined);
      t.equal(orders.left, last.length);
      t.strictSame([...orders.take(1_000)], last);
      t.equal(orders.left, 0);
      seen.copies += 1;
      seen.byId += byId.length;
      seen.fees += expected.filter(({ fees }) => fees !== undefined).length;
      seen.delayed += expected.filter(({ releaseMs }) => releaseMs > 0).length;
    }
    // They are read after the next commands.
    copies.clear();
    for (const { owner } of engine.state().accounts) {
      copies.set(owner, { ...engine.copyOwner(owner), expected: [...engine.owner(owner).orders] });
    }
  });
  for (const [what, count] of Object.entries(seen)) t.ok(count > 20, `${count} ${what}`);
  t.end();
});

t.test('an unknown owner has no accounts and no orders', (t) => {
  t.strictSame(new Engine().owner(addressOf('nobody')), { accounts: [], orders: [] });
  t.end();
});
