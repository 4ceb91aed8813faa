/**
 * The texts of markets in replies and messages. They come from the catalog; trading ignores them.
 */
import type { CatalogMarket } from '../../persistence/index.ts';

export type MarketTexts = Pick<
  CatalogMarket,
  'question' | 'slug' | 'icon' | 'image' | 'eventSlug' | 'outcomes' | 'tags' | 'creator'
>;

/** Labels of outcome 0 and 1: "Yes" and "No", or the names of two teams. */
export type OutcomeLabels = MarketTexts['outcomes'];

/** The catalog, by condition id. */
export interface MarketTextSource {
  marketByCondition(conditionId: string): MarketTexts | undefined;
}

/** The texts of a market that the catalog does not have. */
export const NO_TEXTS: MarketTexts = {
  question: '',
  slug: '',
  icon: '',
  image: '',
  eventSlug: '',
  outcomes: ['Yes', 'No'],
  tags: [],
  creator: '',
};

/** Reads each market once. Make a finder for one reply and drop it with the reply. */
export function textFinder(source: MarketTextSource): (conditionId: string) => MarketTexts {
  const found = new Map<string, MarketTexts>();
  return (conditionId) => {
    const known = found.get(conditionId);
    if (known !== undefined) return known;
    const texts = source.marketByCondition(conditionId) ?? NO_TEXTS;
    found.set(conditionId, texts);
    return texts;
  };
}
