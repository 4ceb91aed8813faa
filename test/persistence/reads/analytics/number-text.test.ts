import fc from 'fast-check';
import tap from 'tap';
import {
  averagePriceText,
  halfMicrosText,
  halfTicksText,
  lotsText,
  microsText,
  percentText,
  quotientText,
} from '../../../../persistence/reads/analytics/number-text.ts';

const SAFE = Number.MAX_SAFE_INTEGER;

tap.test('amounts are exact, in their shortest form', (t) => {
  const cases: readonly (readonly [made: string, text: string])[] = [
    [lotsText(1_250), '12.5'],
    [lotsText(10_000), '100'],
    [lotsText(0), '0'],
    [lotsText(1), '0.01'],
    [microsText(-60_000_000), '-60'],
    [microsText(300_000), '0.3'],
    [microsText(-1), '-0.000001'],
    [microsText(SAFE), '9007199254.740991'],
    [halfTicksText(20_000), '1'],
    [halfTicksText(10_100), '0.505'],
    [halfTicksText(1), '0.00005'],
    [halfMicrosText(3n), '0.0000015'],
    [halfMicrosText(-80_000_000n), '-40'],
    [averagePriceText(40_000_000, 10_000), '0.4'],
    [averagePriceText(1, 3), '0.000033'],
    [averagePriceText(0, 0), '0'],
    [percentText(60_000_000, 40_000_000), '150'],
    [percentText(-1, 3), '-33.333333'],
    [percentText(-2, 3), '-66.666667'],
    [percentText(5, 0), '0'],
  ];
  for (const [made, text] of cases) t.equal(made, text);
  t.end();
});

tap.test('a half is rounded away from zero, and a zero has no minus', (t) => {
  t.equal(quotientText(1n, 2_000_000n), '0.000001');
  t.equal(quotientText(-1n, 2_000_000n), '-0.000001');
  t.equal(quotientText(-1n, 2_000_001n), '0');
  t.end();
});

tap.test('an amount has the digits of its whole number and is valid JSON', (t) => {
  const amount = fc.integer({ min: -SAFE, max: SAFE });
  const check = fc.property(amount, (micros) => {
    const text = microsText(micros);
    const [whole = '', fraction = ''] = text.split('.');
    return (
      /^-?(0|[1-9]\d*)(\.\d*[1-9])?$/.test(text) &&
      Number(whole + fraction.padEnd(6, '0')) === micros
    );
  });
  fc.assert(check, { numRuns: 300 });
  t.end();
});

tap.test('a quotient is exact to half of its last decimal', (t) => {
  const whole = fc.bigInt(1n, BigInt(SAFE));
  const part = fc.bigInt(-BigInt(SAFE), BigInt(SAFE));
  const check = fc.property(part, whole, (numerator, denominator) => {
    const [left = '', right = ''] = quotientText(numerator, denominator).split('.');
    const told = BigInt(left + right.padEnd(6, '0'));
    const difference = 2n * (told * denominator - numerator * 1_000_000n);
    return (difference < 0n ? -difference : difference) <= denominator;
  });
  fc.assert(check, { numRuns: 500 });
  t.end();
});
