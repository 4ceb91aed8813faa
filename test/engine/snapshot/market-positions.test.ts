import fc from 'fast-check';
import t from 'tap';
import { MarketPositions } from '../../../engine/snapshot/market-positions.ts';
import { Positions } from '../../../engine/state/positions.ts';

const ACCOUNTS = 6;
/** Markets with positions. The test also asks for one more market, which has none. */
const MARKETS = 5;

t.test('a position is found as the table of all positions finds it', async () => {
  const pair = fc.tuple(fc.nat(ACCOUNTS - 1), fc.nat(MARKETS - 1));
  const question = fc.tuple(fc.nat(ACCOUNTS - 1), fc.nat(MARKETS + 1));
  const isSame = ([a, b]: readonly number[], [c, d]: readonly number[]) => a === c && b === d;
  fc.assert(
    fc.property(
      fc.uniqueArray(pair, { comparator: isSame }),
      fc.array(question, { minLength: 30 }),
      (pairs, questions) => {
        const positions = new Positions();
        for (const [account, market] of pairs) positions.add(account, market);
        const ofMarkets = new MarketPositions(positions, ACCOUNTS);
        return questions.every(
          ([account, market]) =>
            ofMarkets.find(account, market) === positions.find(account, market),
        );
      },
    ),
  );
});
