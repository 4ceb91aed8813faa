import fc from 'fast-check';
import t from 'tap';
import { lots, micros, ticks } from '../../../engine/index.ts';
import {
  halfTicksNumber,
  halfTicksText,
  lotsNumber,
  lotsText,
  microsText,
  ticksNumber,
  ticksText,
} from '../../../http/codec/decimal.ts';

const MOST = Number.MAX_SAFE_INTEGER;

const rows: readonly (readonly [string, string, string])[] = [
  ['no tick', ticksText(ticks(0)), '0'],
  ['one tick', ticksText(ticks(1)), '0.0001'],
  ['a price on the coarsest grid', ticksText(ticks(5_000)), '0.5'],
  ['a price on the usual grid', ticksText(ticks(5_700)), '0.57'],
  ['the largest price', ticksText(ticks(9_999)), '0.9999'],
  ['a whole unit', ticksText(ticks(10_000)), '1'],
  ['the tick sizes, as clients look them up: 0.1', ticksText(ticks(1_000)), '0.1'],
  ['the tick sizes, as clients look them up: 0.01', ticksText(ticks(100)), '0.01'],
  ['the tick sizes, as clients look them up: 0.005', ticksText(ticks(50)), '0.005'],
  ['the tick sizes, as clients look them up: 0.0025', ticksText(ticks(25)), '0.0025'],
  ['the tick sizes, as clients look them up: 0.001', ticksText(ticks(10)), '0.001'],
  ['half a tick', halfTicksText(1), '0.00005'],
  ['a midpoint between two ticks', halfTicksText(10_100), '0.505'],
  ['a midpoint between two fine ticks', halfTicksText(10_001), '0.50005'],
  ['a midpoint of one', halfTicksText(20_000), '1'],
  ['one lot', lotsText(lots(1)), '0.01'],
  ['a size with one decimal', lotsText(lots(1_250)), '12.5'],
  ['a whole size', lotsText(lots(10_000)), '100'],
  ['a size with many zeros', lotsText(lots(100_000_000_000)), '1000000000'],
  ['the largest size', lotsText(lots(MOST)), '90071992547409.91'],
  ['one micro', microsText(micros(1)), '0.000001'],
  ['an amount of cash', microsText(micros(3_400_000)), '3.4'],
  ['the largest amount', microsText(micros(MOST)), '9007199254.740991'],
  [
    'the largest amount below a whole one',
    microsText(micros(9_006_999_999_999_999)),
    '9006999999.999999',
  ],
];

t.test('decimal texts are exact and as short as they can be', async (t) => {
  for (const [name, actual, expected] of rows) t.equal(actual, expected, name);
});

/** A naive reference: writes all digits, inserts the point and removes trailing zeros. */
function naiveDecimal(value: number, decimals: number): string {
  const digits = `${BigInt(value)}`.padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  return `${digits.slice(0, point)}.${digits.slice(point)}`.replace(/0+$/, '').replace(/\.$/, '');
}

t.test('the text of any size and amount has the value of its digits', async (t) => {
  const whole = fc.maxSafeNat();
  fc.assert(fc.property(whole, (value) => lotsText(lots(value)) === naiveDecimal(value, 2)));
  fc.assert(fc.property(whole, (value) => microsText(micros(value)) === naiveDecimal(value, 6)));
  t.pass('no counterexample');
});

t.test('numbers print as the texts do', async (t) => {
  const faults: number[] = [];
  for (let value = 0; value <= 10_000; value++) {
    if (`${ticksNumber(ticks(value))}` !== ticksText(ticks(value))) faults.push(value);
  }
  t.same(faults, [], 'all ticks');
  for (let value = 0; value <= 20_000; value++) {
    // JavaScript itself writes what is below 0.000001 with an exponent; half a tick is above it.
    const printed = JSON.stringify(halfTicksNumber(value));
    if (printed !== halfTicksText(value) && value !== 1) faults.push(value);
  }
  t.same(faults, [], 'all midpoints but half a tick');
  t.equal(lotsNumber(lots(1_250)), 12.5);
});

t.test('an invalid quantity fails an assertion', async (t) => {
  t.throws(() => ticksText(ticks(10_001)), 'a price above one');
  t.throws(() => ticksText(ticks(0.5)), 'half a tick as a tick');
  t.throws(() => lotsText(lots(-1)), 'a negative size');
  t.throws(() => lotsText(lots(1.5)), 'part of a lot');
  t.throws(() => microsText(micros(2 ** 53)), 'an amount that may be rounded');
});
