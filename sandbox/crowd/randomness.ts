/**
 * The crowd's random numbers and its scale. Each market has a generator of its own, so that what
 * happens in one market does not change the values of another.
 */
import { hash } from 'node:crypto';
import { Random } from '../../http/codec/index.ts';

const TWO_TO_32 = 0x1_0000_0000;
const HEX_OF_32_BITS = 8;

/** A generator for one purpose of a seed; equal seeds and names give equal numbers. */
export function randomFor(seed: number, name: string): Random {
  const digest = hash('sha256', `outcome-exchange/crowd/${seed}/${name}`, 'hex');
  return new Random(Number.parseInt(digest.slice(0, HEX_OF_32_BITS), 16));
}

/** A number above 0 and at most 1. */
function fraction(random: Random): number {
  return (random.next() + 1) / TWO_TO_32;
}

/** A normal random number with mean 0 and deviation 1 (Box and Muller, 1958). */
export function normal(random: Random): number {
  const radius = Math.sqrt(-2 * Math.log(fraction(random)));
  return radius * Math.cos(2 * Math.PI * fraction(random));
}

/** True with this probability. */
export function happens(random: Random, probability: number): boolean {
  return fraction(random) <= probability;
}

/** The probability of log-odds. */
export function probabilityOf(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}

/** The log-odds of a probability between 0 and 1, both excluded. */
export function logOddsOf(probability: number): number {
  return Math.log(probability / (1 - probability));
}
