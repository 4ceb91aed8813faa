/**
 * How the markets of a made-up day are grouped into events: most stand alone, others are of an
 * event with several, and of some of those exactly one wins (neg-risk).
 *
 * Invariant: each market is in one event; the same seed makes the same events.
 */
import { Random } from '../../test/engine/random/random.ts';
import type { DayTerms } from './plan.ts';

export interface DayEvent {
  readonly number: number;
  readonly negRisk: boolean;
  /** Ranks of its markets. */
  readonly markets: readonly number[];
}

const SINGLE_PERCENT = 60;
const NEG_RISK_PERCENT = 50;
const MOST_MARKETS = 20;

export function dayEvents({ seed, markets }: DayTerms): readonly DayEvent[] {
  const random = new Random(seed ^ 0x5eed);
  const ranks = Array.from({ length: markets }, (_, rank) => rank);
  for (let at = markets - 1; at > 0; at -= 1) {
    const other = random.below(at + 1);
    [ranks[at], ranks[other]] = [ranks[other]!, ranks[at]!];
  }
  const events: DayEvent[] = [];
  for (let from = 0; from < markets; ) {
    const count = random.chance(SINGLE_PERCENT) ? 1 : random.between(2, MOST_MARKETS);
    const some = ranks.slice(from, from + count);
    const negRisk = some.length > 1 && random.chance(NEG_RISK_PERCENT);
    events.push({ number: events.length, negRisk, markets: some });
    from += count;
  }
  return events;
}

/** Of each market, by rank, those of the neg-risk event that it is of; of others none. */
export function negRiskMarkets(
  events: readonly DayEvent[],
): ReadonlyMap<number, readonly number[]> {
  const negRisk = events.filter((event) => event.negRisk);
  return new Map(negRisk.flatMap(({ markets }) => markets.map((rank) => [rank, markets] as const)));
}
