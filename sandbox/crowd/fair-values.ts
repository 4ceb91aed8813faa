/**
 * The fair values of a group of markets: what a share of YES is worth to those who know all that is
 * known.
 *
 * Each question is decided by a hidden variable that moves as a Brownian motion until its market
 * ends. Its score z is the distance of that variable from what YES needs, in standard deviations of
 * the moves that are still to come, so that the chance of YES is Phi(z). When a share s of the
 * remaining variance comes to light, with e a standard normal number,
 *
 *     z' = (z + sqrt(s) * e) / sqrt(1 - s)
 *
 * and Phi(z) is a martingale: no move can be foreseen, a question that is far from its end hardly
 * moves in an hour, and one that ends today does (Taleb, "Election predictions as martingales: an
 * arbitrage approach", Quantitative Finance 18, 2018). News are a large share at once.
 *
 * - A ladder (thresholds or dates of one question) has one hidden variable, whose moves e are those
 *   of all its rungs: P(X > k) falls with k, whatever happens.
 * - The outcomes of a neg-risk event divide 1: each takes the part Phi(z) of what those before it
 *   left, and the last one the rest. Products of independent martingales are martingales.
 *
 * Invariant: values lie between 0 and 1, those of a ladder never rise from one member to the next,
 * and those of a neg-risk event add up to 1. They move only by `reveal`.
 */
import type { Random } from '../../http/codec/index.ts';
import { normal } from './characters.ts';

/** Keeps a chance between 0.001 and 0.999, where prices still have a tick on each side. */
const FARTHEST = 3;
/** The greatest share of the remaining variance that comes to light at once. */
const MOST_SHARE = 0.9;

/**
 * The probability that a standard normal number is below `z`: 26.2.17 of Abramowitz and Stegun,
 * "Handbook of Mathematical Functions", with an error below 7.5e-8.
 */
export function normalBelow(z: number): number {
  const t = 1 / (1 + 0.231_641_9 * Math.abs(z));
  const factors = [1.330_274_429, -1.821_255_978, 1.781_477_937, -0.356_563_782, 0.319_381_53];
  const sum = factors.reduce((inner, factor) => (inner + factor) * t, 0);
  const tail = (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * sum;
  return z > 0 ? 1 - tail : tail;
}

/** The score whose chance is `probability`, by bisection. */
function scoreOf(probability: number): number {
  let [low, high] = [-FARTHEST, FARTHEST];
  for (let step = 0; step < 40; step += 1) {
    const middle = (low + high) / 2;
    if (normalBelow(middle) < probability) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

export class FairValues {
  readonly #random: Random;
  readonly #isNegRisk: boolean;
  #scores: readonly number[];

  /**
   * `first` has the values to begin with: those of a ladder in descending order, those of a
   * neg-risk event with a sum of 1.
   */
  constructor(first: readonly number[], isNegRisk: boolean, random: Random) {
    this.#random = random;
    this.#isNegRisk = isNegRisk && first.length > 1;
    let left = 1;
    this.#scores = first.map((value) => {
      const score = scoreOf(this.#isNegRisk ? value / Math.max(left, value) : value);
      left -= value;
      return score;
    });
  }

  /** A share of the variance that remains until the end comes to light. */
  reveal(share: number): void {
    const revealed = Math.min(share, MOST_SHARE);
    const common = normal(this.#random);
    this.#scores = this.#scores.map((score) => {
      const own = this.#isNegRisk ? normal(this.#random) : common;
      const moved = (score + Math.sqrt(revealed) * own) / Math.sqrt(1 - revealed);
      return Math.min(Math.max(moved, -FARTHEST), FARTHEST);
    });
  }

  /** In the order of the first values. */
  get values(): readonly number[] {
    const parts = this.#scores.map(normalBelow);
    if (!this.#isNegRisk) return parts;
    let left = 1;
    return parts.map((part, place) => {
      const value = place === parts.length - 1 ? left : left * part;
      left -= value;
      return value;
    });
  }
}
