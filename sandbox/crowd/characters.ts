/**
 * The characters of markets: how often the crowd acts there, how close and deep its quotes are, and
 * on which sides of the book it quotes.
 */

import { hash } from 'node:crypto';
import { Random } from '../../http/codec/index.ts';
import type { CrowdMode } from '../../http/settings/crowd.ts';

// What the crowd does in each market, as the settings and the operator say. The operator's word
// outlives the crowd itself: it still holds after a checkpoint is restored.
//
// Bound: one entry for each market that a request named.

export class CrowdModes {
  #general: CrowdMode;
  readonly #own = new Map<string, CrowdMode>();

  constructor(general: CrowdMode) {
    this.#general = general;
  }

  /** The mode of markets without one of their own, also of new ones. */
  get general(): CrowdMode {
    return this.#general;
  }

  /** Whether the crowd has nothing to do anywhere. */
  get isOff(): boolean {
    return this.#general === 'off' && [...this.#own.values()].every((mode) => mode === 'off');
  }

  of(conditionId: string): CrowdMode {
    return this.#own.get(conditionId) ?? this.#general;
  }

  /** Sets the mode of a market, or with '' of all markets. */
  set(conditionId: string, mode: CrowdMode): void {
    if (conditionId !== '') {
      this.#own.set(conditionId, mode);
      return;
    }
    this.#general = mode;
    this.#own.clear();
  }
}

/**
 * The crowd's random numbers and its scale. Each market has a generator of its own, so that what
 * happens in one market does not change the values of another.
 */
const TWO_TO_32 = 0x1_0000_0000;
const HEX_OF_32_BITS = 8;

/** A generator for one purpose of a seed; equal seeds and names give equal numbers. */
export function randomFor(seed: number, name: string): Random {
  const digest = hash('sha256', `outcome-exchange/crowd/${seed}/${name}`, 'hex');
  return new Random(Number.parseInt(digest.slice(0, HEX_OF_32_BITS), 16));
}

/** A number above 0 and at most 1. */
export function fraction(random: Random): number {
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

/** A size around 1, log-normal: a few are many times the median (Maslov and Mills, 2001). */
export function logNormal(random: Random, deviation: number): number {
  return Math.exp(deviation * normal(random));
}

/** A number from 1, with the tail of a power law: P(above x) = x^-exponent. */
export function pareto(random: Random, exponent: number): number {
  return fraction(random) ** (-1 / exponent);
}

export const CHARACTERS = ['steady', 'hot', 'quiet', 'near_zero', 'near_one', 'one_sided'] as const;
export type Character = (typeof CHARACTERS)[number];

export interface Traits {
  /** Its share of turns, compared with other markets. */
  readonly turns: number;
  /** Between the fair value and the best quotes, in units of the book's depth. */
  readonly halfSpread: number;
  /** A factor on the number and the size of resting orders. */
  readonly depth: number;
  /** The part of its turns that begins a run of trades. */
  readonly trades: number;
  /** The range of its first fair value, in log-odds. */
  readonly logOdds: readonly [least: number, most: number];
  /** The only side that is quoted. */
  readonly onlySide?: 'bid' | 'ask';
}

const STEADY: Traits = {
  turns: 3,
  halfSpread: 0.6,
  depth: 1,
  trades: 0.035,
  logOdds: [-1.2, 1.2],
};

const TRAITS: Readonly<Record<Character, Traits>> = {
  steady: STEADY,
  // Much flow, close quotes and a deep book.
  hot: {
    turns: 9,
    halfSpread: 0.2,
    depth: 1.5,
    trades: 0.045,
    logOdds: [-0.8, 0.8],
  },
  quiet: { ...STEADY, turns: 1, halfSpread: 1.6, depth: 0.6, trades: 0.01 },
  near_zero: { ...STEADY, turns: 2, logOdds: [-4, -3] },
  near_one: { ...STEADY, turns: 2, logOdds: [3, 4] },
  // When an outcome is nearly certain, makers offer only one side of the book.
  one_sided: { ...STEADY, turns: 1, trades: 0.01, logOdds: [1.5, 3], onlySide: 'bid' },
};

export function traitsOfCharacter(character: Character): Traits {
  return TRAITS[character];
}

/** How many of a hundred markets that stand alone have each character. */
const SHARES: readonly (readonly [Character, number])[] = [
  ['steady', 38],
  ['hot', 20],
  ['quiet', 18],
  ['near_zero', 9],
  ['near_one', 9],
  ['one_sided', 6],
];

/** For markets whose prices follow from those of others, or that must have both sides. */
const ORDINARY: readonly Character[] = ['steady', 'steady', 'hot', 'quiet'];

/** What a market is like, for as long as it exists. */
export interface Nature {
  readonly character: Character;
  /** How large orders are, compared with the model's. */
  readonly sizeFactor: number;
  /** The log-odds of its first value; in an event the logarithm of its weight. */
  readonly logOdds: number;
}

const SIZE_TENTHS = { least: 5, most: 20 } as const;

/** The nature of a market; that of an ordinary one has both sides and any price. */
export function drawNature(random: Random, isOrdinary: boolean): Nature {
  const character = drawCharacter(random, isOrdinary);
  const [least, most] = TRAITS[character].logOdds;
  const sizeFactor = random.between(SIZE_TENTHS.least, SIZE_TENTHS.most) / 10;
  return { character, sizeFactor, logOdds: least + ((most - least) * random.below(1_000)) / 1_000 };
}

function drawCharacter(random: Random, isOrdinary: boolean): Character {
  if (isOrdinary) return random.pick(ORDINARY);
  let left = random.below(100);
  for (const [character, share] of SHARES) {
    if (left < share) return character;
    left -= share;
  }
  return 'steady';
}
