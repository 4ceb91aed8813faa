import t from 'tap';
import { Engine, micros, type StateView } from '../../../engine/index.ts';
import { makeNaive, makeReal } from '../engines.ts';
import type { JournalEntry } from '../random/twins.ts';
import { runTwins } from '../random/twins.ts';
import { addressOf } from '../scenarios/names.ts';

interface Expected {
  readonly account: string;
  readonly tokenId: string;
  readonly available: number;
  readonly held: number;
}

/** The balances of every account, of cash and of every token, as the whole state tells them. */
function balancesOf(state: StateView): Expected[] {
  const tokens = [...state.markets].flatMap(({ conditionId, tokenIds }) =>
    tokenIds.map((tokenId, outcome) => ({ conditionId, outcome, tokenId })),
  );
  return [...state.accounts].flatMap((account) => [
    {
      account: account.address,
      tokenId: '',
      available: account.availableMicros,
      held: account.heldMicros,
    },
    ...tokens.map(({ conditionId, outcome, tokenId }) => {
      const position = account.positions.find(
        (held) => held.conditionId === conditionId && held.outcome === outcome,
      );
      const { availableLots = 0, heldLots = 0 } = position ?? {};
      return { account: account.address, tokenId, available: availableLots, held: heldLots };
    }),
  ]);
}

t.test('a balance is what the whole state says of it', (t) => {
  const journal: JournalEntry[] = [];
  const onChange = (entry: JournalEntry) => journal.push(entry);
  const engines = [makeNaive, makeReal] as const;
  const { bounds } = runTwins({ seed: 7, commands: 4_000, engines, stateEvery: 1_000, onChange });
  const engine = new Engine(bounds);
  let heldTokens = 0;
  for (const [index, { seq, timeMs, command }] of journal.entries()) {
    engine.apply(seq, timeMs, command);
    if (index % 50 !== 0) continue;
    const expected = balancesOf(engine.state());
    const told = expected.map(({ account, tokenId }) => ({
      account,
      tokenId,
      ...engine.balance(account, tokenId),
    }));
    t.strictSame(told, expected);
    heldTokens += expected.filter(({ tokenId, held }) => tokenId !== '' && held > 0).length;
  }
  t.ok(heldTokens > 20, 'there was something to see');
  t.end();
});

t.test('nobody has a balance, and nobody holds an unknown token', (t) => {
  const engine = new Engine();
  const [address, nobody] = [addressOf('ann'), addressOf('nobody')];
  const [kind, wallet] = ['open_account', 'eoa'] as const;
  engine.apply(1, 1, { kind, address, owner: address, wallet, paperMicros: micros(5) });
  t.equal(engine.balance(nobody, ''), undefined);
  t.equal(engine.balance(nobody, '11'), undefined);
  t.strictSame(engine.balance(address, ''), { available: 5, held: 0 });
  t.strictSame(engine.balance(address, '11'), { available: 0, held: 0 });
  t.strictSame(engine.balance(address, 'no token'), { available: 0, held: 0 });
  t.end();
});
