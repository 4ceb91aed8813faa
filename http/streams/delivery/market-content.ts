/**
 * The texts of markets for messages of streams, cached from the catalog.
 *
 * A catalog lookup takes about 16 us on the matching thread, and a fill of a followed owner needs
 * four. So texts are cached, for at most `keptContentMs`.
 * Bound: `keptContent` markets.
 */
import type { CatalogMarket } from '../../../persistence/index.ts';
import { remember } from '../../codec/index.ts';
import { type MarketTexts, NO_TEXTS } from '../../format/index.ts';

interface ContentOptions {
  readonly read: (conditionId: string) => CatalogMarket | undefined;
  readonly monotonicMs: () => number;
  readonly keptContent: number;
  readonly keptContentMs: number;
}

export class ContentCache {
  readonly #options: ContentOptions;
  readonly #kept = new Map<string, { readonly texts: MarketTexts; readonly untilMs: number }>();

  constructor(options: ContentOptions) {
    this.#options = options;
  }

  /** `NO_TEXTS` for a market that the catalog does not have. */
  of(conditionId: string): MarketTexts {
    const { read, monotonicMs, keptContent, keptContentMs } = this.#options;
    const nowMs = monotonicMs();
    const known = this.#kept.get(conditionId);
    if (known !== undefined && nowMs < known.untilMs) return known.texts;
    const texts = textsOf(read(conditionId));
    remember(this.#kept, conditionId, { texts, untilMs: nowMs + keptContentMs }, keptContent);
    return texts;
  }
}

/** Copies these texts alone, so that the cache does not keep the market's other fields. */
function textsOf(market: CatalogMarket | undefined): MarketTexts {
  if (market === undefined) return NO_TEXTS;
  const { question, slug, icon, image, eventSlug, outcomes, tags, creator } = market;
  return { question, slug, icon, image, eventSlug, outcomes, tags, creator };
}
