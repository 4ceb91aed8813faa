/**
 * Sums that only ever grow, such as volumes: a few accounts that trade with each other for a day
 * exceed 2^53 micros, and soon 2^63, where SQLite's integers end. In memory such a sum is a number
 * while it is exact and a BigInt beyond. In a table it is a text that sorts like the number
 * (docs/decisions/0021-positions-sums-and-prices.md).
 *
 * Invariant: equal sums have equal texts, and texts compare as their sums do. Bound: 99 digits. No
 * sum gets there: an order adds at most 10^15 micros, and there are fewer than 2^53 orders.
 */
import { strict as assert } from 'node:assert';
import type { Command } from '../../engine/model/index.ts';

/** The error for a command with a number that JSON can't hold: replay would see another command. */
export function mistakeIn(command: Command): TypeError | undefined {
  const field = nameOfInfinite(command);
  if (field === undefined) return undefined;
  return new TypeError(`${field} of a command must be a finite number`);
}

/** The first field with such a number. A loop, because every command comes through here. */
function nameOfInfinite(fields: object): string | undefined {
  for (const name in fields) {
    // Safe: a field of any record.
    const value = (fields as Readonly<Record<string, unknown>>)[name];
    const isNested = typeof value === 'object' && value !== null;
    if (isNested ? nameOfInfinite(value) !== undefined : isInfinite(value)) return name;
  }
  return undefined;
}

function isInfinite(value: unknown): boolean {
  return typeof value === 'number' && !Number.isFinite(value);
}

/** A whole number of any size; a number exactly if it is safe. */
export type WideSum = number | bigint;

const MOST_DIGITS = 99;
/** Numbers of so many digits are all safe. */
const SAFE_DIGITS = 15;

export function addWide(sum: WideSum, amount: WideSum): WideSum {
  if (typeof sum === 'number' && typeof amount === 'number') {
    const total = sum + amount;
    if (Number.isSafeInteger(total)) return total;
  }
  return narrow(BigInt(sum) + BigInt(amount));
}

/**
 * The text of a sum in a table: the number of its digits in two places, then the digits. 1,500 is
 * '041500'. A negative sum has '-' first, and both parts are complements: 99 less the number of
 * digits, and 9 less each digit. -1,500 is '-958499'.
 */
export function wideText(sum: WideSum): string {
  const isNegative = sum < 0;
  const digits = isNegative ? `${-sum}` : `${sum}`;
  assert(digits.length <= MOST_DIGITS, 'a sum has at most 99 digits');
  if (isNegative) return `-${twoPlaces(MOST_DIGITS - digits.length)}${complementOf(digits)}`;
  return `${twoPlaces(digits.length)}${digits}`;
}

function twoPlaces(count: number): string {
  return count < 10 ? `0${count}` : `${count}`;
}

export function wideSum(text: string): WideSum {
  if (text.startsWith('-')) return narrow(-BigInt(complementOf(text.slice(3))));
  const digits = text.slice(2);
  return digits.length <= SAFE_DIGITS ? Number(digits) : narrow(BigInt(digits));
}

function narrow(value: bigint): WideSum {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function complementOf(digits: string): string {
  let text = '';
  for (const digit of digits) text += 9 - Number(digit);
  return text;
}
