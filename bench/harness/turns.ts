/**
 * Runs rounds of the exchange and of a bare reference alternately. Each side goes first in every
 * second round, so that neither gains by the order.
 */
import { printProgress } from './print.ts';
import { spreadBy } from './statistics.ts';

export interface Round {
  readonly perSecond: number;
  /** Processor time of the server for one answer or message, in microseconds. */
  readonly micros: number;
}

export interface PairTerms<One extends Round> {
  readonly what: string;
  readonly rounds: number;
  /** Called before each round, also before the one that warms up. */
  readonly prepare?: () => Promise<void>;
  readonly ours: () => Promise<One>;
  readonly bare: () => Promise<One>;
}

/** Runs one warm-up round of each side, then the measured rounds. */
export async function comparePair<One extends Round>(terms: PairTerms<One>) {
  const { what, rounds, prepare, ours, bare } = terms;
  const pairs: { readonly ours: One; readonly bare: One }[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    printProgress(`${what}: ${round === 0 ? 'warm-up' : `round ${round}`}`);
    await prepare?.();
    const first = round % 2 === 0 ? await ours() : undefined;
    const reference = await bare();
    const pair = { ours: first ?? (await ours()), bare: reference };
    if (round > 0) pairs.push(pair);
  }
  return {
    rounds: pairs,
    ours: spreadBy(pairs, (pair) => pair.ours.perSecond),
    bare: spreadBy(pairs, (pair) => pair.bare.perSecond),
    ratio: spreadBy(pairs, (pair) => pair.ours.perSecond / pair.bare.perSecond),
    /** Processor time of `bare` for one answer or message, divided by that of `ours`. */
    work: spreadBy(pairs, (pair) => pair.bare.micros / pair.ours.micros),
  };
}
export type Compared<One extends Round> = Awaited<ReturnType<typeof comparePair<One>>>;
