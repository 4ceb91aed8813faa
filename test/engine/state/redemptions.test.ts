// Whom automatic redemption pays: in order of accounts, however the holders were looked for.
import fc from 'fast-check';
import t from 'tap';
import { NONE } from '../../../engine/book/index.ts';
import { lots } from '../../../engine/model/index.ts';
import { Positions } from '../../../engine/state/positions.ts';
import { Redemptions } from '../../../engine/state/redemptions.ts';

const MARKETS = 3;

/** Takes all tokens of a position, as a payment does. */
function empty(positions: Positions, position: number): void {
  positions.deliver(position, 0, positions.available(position, 0));
  positions.deliver(position, 1, positions.available(position, 1));
}

const holding = fc.record({
  account: fc.nat(2_000),
  market: fc.nat(MARKETS - 1),
  outcome: fc.constantFrom(0 as const, 1 as const),
  lots: fc.nat(2),
});
const holdings = fc.uniqueArray(holding, {
  maxLength: 80,
  selector: ({ account, market }) => `${account} ${market}`,
});
/** Before each payment: parts of the search, of this size, and an account that redeems itself. */
const turn = fc.record({
  parts: fc.nat(3),
  size: fc.integer({ min: 1, max: 9 }),
  own: fc.nat(2_000),
});

t.test('holders are paid market by market in order of accounts', async () => {
  const turns = fc.infiniteStream(turn);
  fc.assert(
    fc.property(holdings, turns, (all, between) => {
      const positions = new Positions();
      const redemptions = new Redemptions(positions);
      for (const { account, market, outcome, lots: count } of all) {
        positions.receive(positions.add(account, market), outcome, lots(count));
      }
      const queue = [2, 0, 1];
      redemptions.add(queue);
      const place = ({ account, market }: { account: number; market: number }): number =>
        queue.indexOf(market) * 10_000 + account;
      const left = new Set(
        all.filter(({ lots: count }) => count > 0).sort((a, b) => place(a) - place(b)),
      );
      const take = (position: number): void => {
        const market = positions.market[position]!;
        empty(positions, position);
        const rest = positions.supply(market, 0) + positions.supply(market, 1);
        if (rest === 0) redemptions.end(market);
        for (const one of left) {
          const isIt = one.market === market && one.account === positions.account[position];
          if (isIt) left.delete(one);
        }
      };
      while (left.size > 0) {
        const { parts, size, own } = between.next().value;
        for (let part = 0; part < parts; part += 1) redemptions.findHolders(size);
        const redeeming = positions.find(own, own % MARKETS);
        const [first] = left;
        if (redeeming !== NONE && positions.available(redeeming, 0) > 0) {
          take(redeeming);
          continue;
        }
        const position = redemptions.first();
        const paid = [positions.account[position], positions.market[position]];
        if (paid[0] !== first?.account || paid[1] !== first?.market) return false;
        take(position);
      }
      return !redemptions.areDue && redemptions.findHolders(1);
    }),
  );
});

t.test('a search looks at no more positions than it may', async (t) => {
  const positions = new Positions();
  const redemptions = new Redemptions(positions);
  for (let account = 0; account < 10; account += 1) {
    positions.receive(positions.add(account, 0), 0, lots(1));
  }
  redemptions.add([0]);
  const found = Array.from({ length: 5 }, () => redemptions.findHolders(3));
  t.strictSame(found, [false, false, false, true, true]);
});
