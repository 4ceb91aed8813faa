import fc from 'fast-check';
import t from 'tap';
import {
  affordableLots,
  cashFor,
  complement,
  isWhole,
  lots,
  micros,
  ticks,
} from '../../../engine/index.ts';
import { times } from '../../long-set.ts';

const SAFE = Number.MAX_SAFE_INTEGER;
const anyPrice = fc.integer({ min: 1, max: 9_999 });
const anyBudget = fc.oneof(
  fc.maxSafeNat(),
  // Near the largest safe integer, where a rounded quotient would show.
  fc.integer({ min: 0, max: 20_000 }).map((less) => SAFE - less),
);
/** Budgets next to a multiple of the price, where the quotient changes. */
const nearMultiple = fc
  .tuple(anyPrice, fc.maxSafeNat(), fc.integer({ min: -1, max: 1 }))
  .map(([price, near, by]) => [price, near - (near % price) + by] as const)
  .filter(([, budget]) => budget >= 0 && budget <= SAFE);

function isExactQuotient(budget: number, price: number): boolean {
  const exact = BigInt(budget) / BigInt(price);
  return BigInt(affordableLots(micros(budget), ticks(price))) === exact;
}

t.test('affordable lots are the exact quotient over the whole safe range', (t) => {
  const runs = { numRuns: times(4_000, 20_000) };
  fc.assert(fc.property(anyBudget, anyPrice, isExactQuotient), runs);
  fc.assert(
    fc.property(nearMultiple, ([price, budget]) => isExactQuotient(budget, price)),
    runs,
  );
  for (let price = 1; price <= 9_999; price += 1) {
    if (!isExactQuotient(SAFE, price)) t.fail(`the largest budget at ${price}`);
  }
  t.end();
});

t.test('affordable lots cost at most the budget, and one more lot costs over it', (t) => {
  const property = fc.property(anyBudget, anyPrice, (budget, price) => {
    const size = BigInt(affordableLots(micros(budget), ticks(price)));
    const left = BigInt(budget) - size * BigInt(price);
    return left >= 0n && left < BigInt(price);
  });
  fc.assert(property, { numRuns: times(4_000, 20_000) });
  t.equal(affordableLots(micros(0), ticks(1)), 0);
  t.end();
});

t.test('cash is the exact product, and both prices of a set pay for it exactly', (t) => {
  const anySize = fc.integer({ min: 1, max: 100_000_000_000 });
  const property = fc.property(anySize, anyPrice, (size, price) => {
    const cash = cashFor(lots(size), ticks(price));
    const other = cashFor(lots(size), complement(ticks(price)));
    const isExact = BigInt(cash) === BigInt(size) * BigInt(price);
    return isExact && BigInt(cash) + BigInt(other) === BigInt(size) * 10_000n;
  });
  fc.assert(property, { numRuns: times(4_000, 20_000) });
  t.end();
});

t.test('the complement of the complement is the price', (t) => {
  for (let price = 1; price <= 9_999; price += 1) {
    const other = complement(ticks(price));
    if (other + price !== 10_000 || complement(other) !== price) t.fail(`complement of ${price}`);
  }
  t.equal(complement(ticks(1)), 9_999);
  t.end();
});

const WHOLE: readonly (readonly [number, number, number, boolean])[] = [
  [1, 1, 1, true],
  [0, 1, 5, false],
  [6, 1, 5, false],
  [-1, -5, 5, true],
  [2.5, 1, 5, false],
  [Number.NaN, 0, 5, false],
  [Number.POSITIVE_INFINITY, 0, Number.POSITIVE_INFINITY, false],
  [SAFE, 0, SAFE, true],
  [SAFE + 1, 0, 1e300, false],
];

t.test('a whole number is a safe integer within its bounds', (t) => {
  for (const [value, least, most, expected] of WHOLE) {
    t.equal(isWhole(value, least, most), expected, `${value} in ${least}..${most}`);
  }
  t.end();
});
