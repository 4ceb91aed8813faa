/**
 * What messages of streams show from the catalog: texts of markets, and profiles of accounts.
 *
 * A look-up in the catalog takes about 16 us on the matching thread, and a fill of a followed owner
 * needs four. So what was found is cached, for at most `keptContentMs`.
 * Bound: `keptContent` entries.
 */
import type { CatalogMarket } from '../../../persistence/index.ts';
import { remember } from '../../codec/index.ts';
import { type MarketTexts, NO_TEXTS } from '../../format/index.ts';

interface ContentOptions<Content> {
  /** Returns what the cache keeps, so no more than is shown. */
  readonly read: (name: string) => Content;
  readonly monotonicMs: () => number;
  readonly keptContent: number;
  readonly keptContentMs: number;
}

export class ContentCache<Content> {
  readonly #options: ContentOptions<Content>;
  readonly #kept = new Map<string, { readonly content: Content; readonly untilMs: number }>();

  constructor(options: ContentOptions<Content>) {
    this.#options = options;
  }

  of(name: string): Content {
    const { read, monotonicMs, keptContent, keptContentMs } = this.#options;
    const nowMs = monotonicMs();
    const known = this.#kept.get(name);
    if (known !== undefined && nowMs < known.untilMs) return known.content;
    const content = read(name);
    remember(this.#kept, name, { content, untilMs: nowMs + keptContentMs }, keptContent);
    return content;
  }
}

/** The texts of a market alone; `NO_TEXTS` for a market that the catalog does not have. */
export function marketTextsOf(market: CatalogMarket | undefined): MarketTexts {
  if (market === undefined) return NO_TEXTS;
  const { question, slug, icon, image, eventSlug, outcomes, tags, creator } = market;
  return { question, slug, icon, image, eventSlug, outcomes, tags, creator };
}
