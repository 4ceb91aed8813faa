/**
 * What lists of orders and trades say of their markets. The words are the catalog's; trading never
 * depends on them.
 */
import type { OutcomeLabels } from '../codec/index.ts';

export interface MarketWords {
  readonly question: string;
  readonly slug: string;
  readonly icon: string;
  readonly image: string;
  readonly eventSlug: string;
  readonly outcomes: OutcomeLabels;
}

/** Where words come from: the catalog, by condition id. */
export interface WordSource {
  marketByCondition(conditionId: string): MarketWords | undefined;
}

const NO_WORDS: MarketWords = {
  question: '',
  slug: '',
  icon: '',
  image: '',
  eventSlug: '',
  outcomes: ['Yes', 'No'],
};

/** Finds words and asks the catalog once a market: made for one reply and dropped with it. */
export function wordFinder(source: WordSource): (conditionId: string) => MarketWords {
  const found = new Map<string, MarketWords>();
  return (conditionId) => {
    const known = found.get(conditionId);
    if (known !== undefined) return known;
    const words = source.marketByCondition(conditionId) ?? NO_WORDS;
    found.set(conditionId, words);
    return words;
  };
}
