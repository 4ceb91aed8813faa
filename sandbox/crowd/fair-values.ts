/**
 * The fair value of each market: what a share of YES is worth to those who know.
 *
 * The value of a market that stands alone walks at random in log-odds, with a pull to its usual
 * level and jumps when there is news. In a neg-risk event each outcome has a weight that walks in
 * the same way, and its value is its share of all weights: exp(x) / sum of exp(x). A market that
 * stands alone is the same with one other outcome of weight exp(0).
 *
 * Invariant: the values of an event's markets add up to 1, and each value is between 0 and 1, both
 * excluded. Values move only by `advance`.
 */
import type { Random } from '../../http/codec/index.ts';
import type { CrowdModel } from '../../http/settings/crowd.ts';
import { happens, normal, type Traits } from './characters.ts';

// Whether somebody watches or trades. The crowd rests without an audience, so that an idle exchange
// writes nothing to its disk.
//
// Bound: it asks for two numbers each time; requests and sockets do no work for it.

/** What an audience does, as the parts of the server count it anyway. */
export interface AudienceSource {
  /** Requests for books, prices and orders so far: it only grows. */
  readonly requests: () => number;
  /** Open sockets of streams. */
  readonly sockets: () => number;
}

/** How long the crowd goes on after the last sign of an audience. */
const STAYS_MS = 60_000;

export class Audience {
  readonly #source: AudienceSource;
  readonly #monotonicMs: () => number;
  #requests: number;
  #seenMs = Number.NEGATIVE_INFINITY;

  constructor(source: AudienceSource, monotonicMs: () => number) {
    this.#source = source;
    this.#monotonicMs = monotonicMs;
    // Those before a restore of a checkpoint are no sign of an audience now.
    this.#requests = source.requests();
  }

  /** Whether somebody watched or traded in the last minute. */
  isThere(): boolean {
    const nowMs = this.#monotonicMs();
    const requests = this.#source.requests();
    if (this.#source.sockets() > 0 || requests > this.#requests) this.#seenMs = nowMs;
    this.#requests = requests;
    return nowMs - this.#seenMs < STAYS_MS;
  }
}

/** A market of a group. */
export interface Member {
  readonly conditionId: string;
  readonly traits: Traits;
  /** Its first value; those of an event add up to 1. */
  readonly probability: number;
}

interface Walk {
  readonly traits: Traits;
  /** The logarithm of its weight. */
  weight: number;
  /** What its weight is pulled to. */
  usual: number;
}

/** Keeps a value between 0.002 and 0.998, where prices still have a tick on each side. */
const FARTHEST = 6.2;
const MINUTES_PER_HOUR = 60;
/** How much of a jump stays for good. */
const LASTING = 0.5;
/** Markets of an event move less, so that the prices of all stay together near a sum of 1. */
const EVENT_VOLATILITY = 0.6;

function bounded(weight: number): number {
  return Math.min(Math.max(weight, -FARTHEST), FARTHEST);
}

export class ValueGroup {
  readonly #model: CrowdModel;
  readonly #random: Random;
  readonly #walks = new Map<string, Walk>();
  /** The logarithm of the weight of an outcome without a market; none in an event. */
  readonly #rest: readonly number[];

  constructor(members: readonly Member[], model: CrowdModel, random: Random) {
    this.#model = model;
    this.#random = random;
    this.#rest = members.length === 1 ? [0] : [];
    for (const { conditionId, traits, probability } of members) {
      const odds = members.length === 1 ? probability / (1 - probability) : probability;
      const weight = bounded(Math.log(odds));
      this.#walks.set(conditionId, { traits, weight, usual: weight });
    }
  }

  get conditionIds(): Iterable<string> {
    return this.#walks.keys();
  }

  /** Lets time pass. Returns the market that has news, if any. */
  advance(minutes: number): string | undefined {
    const { pullMinutes } = this.#model;
    const volatility = this.#model.volatility * (this.#walks.size > 1 ? EVENT_VOLATILITY : 1);
    const kept = Math.exp(-minutes / pullMinutes);
    for (const walk of this.#walks.values()) {
      const { usual, weight, traits } = walk;
      const move = volatility * traits.volatility * Math.sqrt(minutes) * normal(this.#random);
      walk.weight = bounded(usual + (weight - usual) * kept + move);
    }
    return this.#breakNews(minutes);
  }

  /** The value of a market of this group. */
  probability(conditionId: string): number {
    const walk = this.#walks.get(conditionId);
    if (walk === undefined) throw new Error(`${conditionId} is not in this group`);
    const weights = [...[...this.#walks.values()].map(({ weight }) => weight), ...this.#rest];
    const total = weights.reduce((sum, weight) => sum + Math.exp(weight), 0);
    return Math.exp(walk.weight) / total;
  }

  #breakNews(minutes: number): string | undefined {
    const { newsPerHour, newsSize } = this.#model;
    const conditionId = this.#random.pick([...this.#walks.keys()]);
    const walk = this.#walks.get(conditionId);
    if (walk === undefined) return undefined;
    const expected = (newsPerHour * walk.traits.news * minutes) / MINUTES_PER_HOUR;
    // The first event of a Poisson process in this time.
    if (!happens(this.#random, 1 - Math.exp(-expected))) return undefined;
    const jump = newsSize * normal(this.#random);
    walk.weight = bounded(walk.weight + jump);
    walk.usual = bounded(walk.usual + LASTING * jump);
    return conditionId;
  }
}
