import fc from 'fast-check';
import tap from 'tap';
import {
  averagePriceText,
  halfMicrosText,
  halfTicksJson,
  lotsJson,
  microsJson,
  percentText,
  quotientText,
} from '../../../../persistence/reads/analytics/number-text.ts';

const SAFE = Number.MAX_SAFE_INTEGER;

tap.test('amounts are exact, in their shortest form', (t) => {
  const cases: readonly (readonly [made: string, text: string])[] = [
    [lotsJson(1_250), '12.5'],
    [lotsJson(10_000), '100'],
    [lotsJson(0), '0'],
    [lotsJson(1), '0.01'],
    [microsJson(-60_000_000), '-60'],
    [microsJson(300_000), '0.3'],
    [microsJson(-1), '-0.000001'],
    [microsJson(SAFE), '9007199254.740991'],
    [halfTicksJson(20_000), '1'],
    [halfTicksJson(10_100), '0.505'],
    [halfTicksJson(1), '0.00005'],
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

tap.test('an amount has the digits of its integer value and is valid JSON', (t) => {
  const amount = fc.integer({ min: -SAFE, max: SAFE });
  const check = fc.property(amount, (micros) => {
    const text = microsJson(micros);
    const [whole = '', fraction = ''] = text.split('.');
    return (
      /^-?(0|[1-9]\d*)(\.\d*[1-9])?$/.test(text) &&
      Number(whole + fraction.padEnd(6, '0')) === micros
    );
  });
  fc.assert(check, { numRuns: 300 });
  t.end();
});

tap.test('a quotient is exact to half of its last decimal place', (t) => {
  const whole = fc.bigInt(1n, BigInt(SAFE));
  const part = fc.bigInt(-BigInt(SAFE), BigInt(SAFE));
  const check = fc.property(part, whole, (numerator, denominator) => {
    const [left = '', right = ''] = quotientText(numerator, denominator).split('.');
    const shown = BigInt(left + right.padEnd(6, '0'));
    const difference = 2n * (shown * denominator - numerator * 1_000_000n);
    return (difference < 0n ? -difference : difference) <= denominator;
  });
  fc.assert(check, { numRuns: 500 });
  t.end();
});
