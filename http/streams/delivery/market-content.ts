/**
 * The content of markets (titles, slugs, tags), as the catalog has it, for messages of streams.
 *
 * A look into the catalog takes about 16 us of the matching thread, and a fill of a followed owner
 * needs four. So content is cached, and is at most `keptContentMs` old. Trading never depends on it.
 * Bound: `keptContent` markets.
 */
import type { CatalogMarket } from '../../../persistence/index.ts';
import { remember } from '../../codec/index.ts';

export type MarketContent = Pick<
  CatalogMarket,
  'question' | 'slug' | 'icon' | 'eventSlug' | 'outcomes' | 'tags' | 'creator'
>;

interface ContentOptions {
  readonly read: (conditionId: string) => CatalogMarket | undefined;
  readonly monotonicMs: () => number;
  readonly keptContent: number;
  readonly keptContentMs: number;
}

const NO_CONTENT: MarketContent = {
  question: '',
  slug: '',
  icon: '',
  eventSlug: '',
  outcomes: ['Yes', 'No'],
  tags: [],
  creator: '',
};

export class ContentCache {
  readonly #options: ContentOptions;
  readonly #kept = new Map<string, { readonly content: MarketContent; readonly untilMs: number }>();

  constructor(options: ContentOptions) {
    this.#options = options;
  }

  /** Empty content for a market that the catalog does not have. */
  of(conditionId: string): MarketContent {
    const { read, monotonicMs, keptContent, keptContentMs } = this.#options;
    const nowMs = monotonicMs();
    const known = this.#kept.get(conditionId);
    if (known !== undefined && nowMs < known.untilMs) return known.content;
    const content = contentOf(read(conditionId));
    remember(this.#kept, conditionId, { content, untilMs: nowMs + keptContentMs }, keptContent);
    return content;
  }
}

/** Without the market's other fields, so that the cache does not keep them in memory. */
function contentOf(market: CatalogMarket | undefined): MarketContent {
  if (market === undefined) return NO_CONTENT;
  const { question, slug, icon, eventSlug, outcomes, tags, creator } = market;
  return { question, slug, icon, eventSlug, outcomes, tags, creator };
}
