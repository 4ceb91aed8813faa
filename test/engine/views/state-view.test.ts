/** Compares balances, holders and totals with the same values computed from the whole state. */
import t from 'tap';
import type { Holder, StateView, Totals } from '../../../engine/index.ts';
import { Engine, lots, micros, ONE_TICKS } from '../../../engine/index.ts';
import { times } from '../../long-set.ts';
import { runRandom } from '../random/run.ts';
import { addressOf } from '../scenarios/names.ts';

interface AccountBalance {
  readonly account: string;
  readonly tokenId: string;
  readonly available: number;
  readonly held: number;
}

/** The balance of every account in cash and in every token. */
function balancesOf(state: StateView): AccountBalance[] {
  const tokens = [...state.markets].flatMap(({ conditionId, tokenIds }) =>
    tokenIds.map((tokenId, outcome) => ({ conditionId, outcome, tokenId })),
  );
  return [...state.accounts].flatMap(({ address: account, positions, ...cash }) => [
    { account, tokenId: '', available: cash.availableMicros, held: cash.heldMicros },
    ...tokens.map(({ conditionId, outcome, tokenId }) => {
      const position = positions.find(
        (one) => one.conditionId === conditionId && one.outcome === outcome,
      );
      const { availableLots = 0, heldLots = 0 } = position ?? {};
      return { account, tokenId, available: availableLots, held: heldLots };
    }),
  ]);
}

t.test('a balance equals the one in the whole state', (t) => {
  let heldTokens = 0;
  runRandom({ seed: 7, commands: times(4_000, 20_000), every: 50 }, (engine) => {
    const expected = balancesOf(engine.state());
    const found = expected.map(({ account, tokenId }) => ({
      account,
      tokenId,
      ...engine.balance(account, tokenId),
    }));
    t.strictSame(found, expected);
    heldTokens += expected.filter(({ tokenId, held }) => tokenId !== '' && held > 0).length;
  });
  t.ok(heldTokens > 20, 'some tokens were held');
  t.end();
});

t.test('an unknown account has no balance, and an unknown token a balance of 0', (t) => {
  const engine = new Engine();
  const [address, unknown] = [addressOf('ann'), addressOf('nobody')];
  const [kind, wallet] = ['open_account', 'eoa'] as const;
  engine.apply(
    1,
    1,
    engine.inputOf({ kind, address, owner: address, wallet, paperMicros: micros(5) }),
  );
  t.equal(engine.balance(unknown, ''), undefined);
  t.equal(engine.balance(unknown, '11'), undefined);
  t.strictSame(engine.balance(address, ''), { available: 5, held: 0 });
  t.strictSame(engine.balance(address, '11'), { available: 0, held: 0 });
  t.strictSame(engine.balance(address, 'no token'), { available: 0, held: 0 });
  t.end();
});

function byAccount(a: Holder, b: Holder): number {
  return a.account < b.account ? -1 : 1;
}

function holdersOf({ accounts }: StateView, conditionId: string): Holder[] {
  return [...accounts].flatMap(({ address, positions }) => {
    const inMarket = positions.filter((position) => position.conditionId === conditionId);
    if (inMarket.length === 0) return [];
    const [yesLots = lots(0), noLots = lots(0)] = [0, 1].map((outcome) => {
      const position = inMarket.find((one) => one.outcome === outcome);
      return lots((position?.availableLots ?? 0) + (position?.heldLots ?? 0));
    });
    return [{ account: address, yesLots, noLots }];
  });
}

t.test('the holders of a market are the accounts that have its tokens', (t) => {
  let found = 0;
  runRandom({ seed: 4, commands: times(2_000, 10_000), every: 50 }, (engine) => {
    for (const { conditionId } of engine.state().markets) {
      const expected = holdersOf(engine.state(), conditionId).sort(byAccount);
      t.strictSame([...engine.holders(conditionId)].sort(byAccount), expected);
      found += expected.length;
    }
  });
  t.ok(found > 100, 'there were holders');
  t.same([...new Engine().holders(`0x${'00'.repeat(32)}`)], [], 'an unknown market has none');
  t.end();
});

function totalsOf(state: StateView): Totals {
  const totals = {
    liveOrders: [...state.delayedOrders].length,
    cashMicros: 0,
    lockedMicros: 0,
    depositedMicros: Number(state.depositedMicros),
    withdrawnMicros: Number(state.withdrawnMicros),
  };
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

t.test('the totals equal the sums over the whole state', (t) => {
  t.strictSame(new Engine().totals(), totalsOf(new Engine().state()));
  let last: Totals | undefined;
  runRandom({ seed: 3, commands: times(2_000, 10_000), every: 50 }, (engine) => {
    last = engine.totals();
    t.strictSame(last, totalsOf(engine.state()));
  });
  t.ok(last && last.liveOrders > 0 && last.lockedMicros > 0 && last.withdrawnMicros > 0);
  t.end();
});
