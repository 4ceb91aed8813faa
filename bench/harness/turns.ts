/**
 * Rounds of two sides in turn. The sides take turns to go first, so that neither gains by it.
 */
import { printProgress } from './print.ts';
import { spreadBy } from './statistics.ts';

export interface Round {
  readonly perSecond: number;
  /** Processor time of one answer or message, in microseconds. */
  readonly micros: number;
}

export interface PairTerms {
  readonly what: string;
  readonly rounds: number;
  readonly ours: () => Promise<Round>;
  readonly bare: () => Promise<Round>;
}

/** Runs the rounds after one round of each to warm up. */
export async function comparePair({ what, rounds, ours, bare }: PairTerms) {
  const pairs: { readonly ours: Round; readonly bare: Round }[] = [];
  await ours();
  await bare();
  for (let round = 1; round <= rounds; round += 1) {
    printProgress(`${what}: round ${round}`);
    if (round % 2 === 0) pairs.push({ ours: await ours(), bare: await bare() });
    else {
      const reference = await bare();
      pairs.push({ ours: await ours(), bare: reference });
    }
  }
  return {
    ours: spreadBy(pairs, (pair) => pair.ours.perSecond),
    bare: spreadBy(pairs, (pair) => pair.bare.perSecond),
    ratio: spreadBy(pairs, (pair) => pair.ours.perSecond / pair.bare.perSecond),
    /** Processor time of one answer or message: that of `bare` divided by that of `ours`. */
    work: spreadBy(pairs, (pair) => pair.bare.micros / pair.ours.micros),
  };
}
