/**
 * The requests of the catalog benchmark: lists of 20 records, and searches that return up to 25
 * records of each type. Pages of a venue and bots send such requests, some often and some rarely.
 * The seed is fixed.
 */
import { Random } from '../../http/codec/random.ts';
import type { LoadRequest } from '../harness/closed-loop.ts';
import { readRequest } from '../harness/signing.ts';
import { type CatalogSize, IDS_FROM, rareWord } from './catalog-generator.ts';

const OPEN = 'closed=false&active=true';

export class CatalogRequests {
  readonly #random = new Random(7);
  readonly #size: CatalogSize;

  constructor(size: CatalogSize) {
    this.#size = size;
  }

  lists(count: number): LoadRequest[] {
    return this.#many(count, () => this.#list());
  }

  searches(count: number): LoadRequest[] {
    return this.#many(count, () => `/public-search?q=${encodeURIComponent(this.#words())}`);
  }

  #many(count: number, path: () => string): LoadRequest[] {
    return Array.from({ length: count }, () => readRequest(path()));
  }

  #list(): string {
    const { events, markets, tags, series } = this.#size;
    const random = this.#random;
    const below = (most: number): number => random.below(most);
    const event = IDS_FROM + 1 + below(events);
    const page = `limit=20&offset=${20 * below(10)}`;
    // Frequent kinds of lists come first, in several variants.
    return random.pick([
      `/events?${OPEN}&order=volume24hr&${page}`,
      `/events?${OPEN}&order=volume24hr&limit=20`,
      `/markets?${OPEN}&order=volume24hr&${page}`,
      `/events?${OPEN}&tag_id=${IDS_FROM + 1 + below(tags)}&order=volume24hr&limit=20`,
      `/events?${OPEN}&order=endDate&ascending=true&${page}`,
      `/markets?${page}`,
      `/markets?${OPEN}&tag_id=${IDS_FROM + 1 + below(10)}&order=endDate&limit=20`,
      `/markets?limit=20&offset=${below(markets)}`,
      `/events?series_id=${IDS_FROM + 1 + below(series)}&limit=20`,
      `/events?${OPEN}&volume_min=900000&order=liquidity&limit=20`,
      `/markets?creator=0x${(1 + below(200)).toString(16).padStart(40, '0')}&limit=20`,
      `/comments?parent_entity_type=Event&parent_entity_id=${event}&limit=20`,
      `/tags?${page}`,
    ]);
  }

  #words(): string {
    const random = this.#random;
    const rare = rareWord(1 + random.below(this.#size.events));
    return random.pick([
      rare,
      'bitcoin',
      'election',
      `election ${random.pick(['oslo', 'tokyo', 'cairo'])}`,
      'rate cut',
      'will',
      'i',
      'mu',
      '東',
      'Москва',
      'munchen',
      `price ${rare}`,
      'ele',
      'senate in',
      'nobody asks this',
    ]);
  }
}
