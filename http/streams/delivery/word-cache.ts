/**
 * What messages say of a market in words, as the catalog has them.
 *
 * Invariant: a word is at most `keptWordsMs` old. Trading never depends on it.
 * Bound: `keptWords` markets; the one that was asked for first goes first.
 */
import type { CatalogMarket } from '../../../persistence/index.ts';

/** A few of the many that the catalog has. */
export type MarketWords = Pick<
  CatalogMarket,
  'question' | 'slug' | 'icon' | 'eventSlug' | 'outcomes' | 'tags' | 'creator'
>;

interface WordsOptions {
  readonly read: (conditionId: string) => CatalogMarket | undefined;
  readonly monotonicMs: () => number;
  readonly keptWords: number;
  readonly keptWordsMs: number;
}

const NO_WORDS: MarketWords = {
  question: '',
  slug: '',
  icon: '',
  eventSlug: '',
  outcomes: ['Yes', 'No'],
  tags: [],
  creator: '',
};

interface KeptWords {
  readonly words: MarketWords;
  readonly untilMs: number;
}

export class WordCache {
  readonly #options: WordsOptions;
  readonly #kept = new Map<string, KeptWords>();

  constructor(options: WordsOptions) {
    this.#options = options;
  }

  /** Empty words for a market that the catalog does not have. */
  of(conditionId: string): MarketWords {
    const { read, monotonicMs, keptWords, keptWordsMs } = this.#options;
    const nowMs = monotonicMs();
    const known = this.#kept.get(conditionId);
    if (known !== undefined && nowMs < known.untilMs) return known.words;
    const words = wordsOf(read(conditionId));
    this.#kept.delete(conditionId);
    this.#kept.set(conditionId, { words, untilMs: nowMs + keptWordsMs });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= keptWords) break;
      this.#kept.delete(oldest);
    }
    return words;
  }
}

function wordsOf(market: CatalogMarket | undefined): MarketWords {
  if (market === undefined) return NO_WORDS;
  const { question, slug, icon, eventSlug, outcomes, tags, creator } = market;
  return { question, slug, icon, eventSlug, outcomes, tags, creator };
}
