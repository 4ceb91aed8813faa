import t from 'tap';
import { Engine, type Holder, lots, type StateView } from '../../../engine/index.ts';
import { makeNaive, makeReal } from '../engines.ts';
import { type JournalEntry, runTwins } from '../random/twins.ts';

function byAccount(a: Holder, b: Holder): number {
  return a.account < b.account ? -1 : 1;
}

/** The holders of a market, as the whole state tells of them. */
function holdersOf({ accounts }: StateView, conditionId: string): Holder[] {
  return [...accounts].flatMap(({ address, positions }) => {
    const ofMarket = positions.filter((position) => position.conditionId === conditionId);
    if (ofMarket.length === 0) return [];
    const [yesLots, noLots] = [0, 1].map((outcome) => {
      const position = ofMarket.find((one) => one.outcome === outcome);
      return lots((position?.availableLots ?? 0) + (position?.heldLots ?? 0));
    });
    return [{ account: address, yesLots: yesLots ?? lots(0), noLots: noLots ?? lots(0) }];
  });
}

t.test('the holders of a market are the accounts that have tokens of it', (t) => {
  const journal: JournalEntry[] = [];
  const onChange = (entry: JournalEntry) => journal.push(entry);
  const engines = [makeNaive, makeReal] as const;
  const { bounds } = runTwins({ seed: 4, commands: 2_000, engines, stateEvery: 1_000, onChange });
  const engine = new Engine(bounds);
  let found = 0;
  for (const [index, { seq, timeMs, command }] of journal.entries()) {
    engine.apply(seq, timeMs, command);
    if (index % 50 !== 0) continue;
    for (const { conditionId } of engine.state().markets) {
      const expected = holdersOf(engine.state(), conditionId).sort(byAccount);
      t.strictSame([...engine.holders(conditionId)].sort(byAccount), expected);
      found += expected.length;
    }
  }
  t.ok(found > 100, 'there was something to see');
  t.end();
});

t.test('nobody has tokens of a market that is not known', (t) => {
  t.same([...new Engine().holders(`0x${'00'.repeat(32)}`)], []);
  t.end();
});
