// The catalog an empty data folder starts with: about twenty events and fifty markets of the
// kinds such venues list. It is expanded from definitions to the public catalog's own form
// (catalog-record.ts), the same on every machine: ids are given, hashes come from slugs
// (catalog-identity.ts), and there is one date of creation. Each event has its first tag's picture.

import { DEFAULT_MINIMUM_SIZE, DEFAULT_TICK_SIZE } from '../model/index.ts';
import type { EventRecord, MarketRecord, SeriesRecord, TagRecord } from '../records/index.ts';
import { deriveHexIdentity, deriveTokenIds } from '../records/index.ts';
import {
  BUILTIN_SERIES,
  BUILTIN_TAGS,
  type EventDefinition,
  type MarketDefinition,
} from './definition.ts';
import { imagePath } from './images.ts';
import { BUILTIN_CREATOR } from './people-and-sports.ts';
import { PUBLIC_AFFAIRS } from './public-affairs.ts';
import { CRYPTO, CULTURE_AND_SCIENCE, SPORTS } from './sports-prices-culture.ts';

const CREATED_AT = '2026-01-15T12:00:00Z';
const DATES = { createdAt: CREATED_AT, updatedAt: CREATED_AT } as const;
const OPEN = { active: true, closed: false, archived: false } as const;
const MARKETS_AN_EVENT = 100;
const IMAGES = [
  'politics',
  'sports',
  'crypto',
  'weather',
  'economy',
  'culture',
  'science',
] as const;

/** The events, by ascending id; made anew at each call. */
export function builtinCatalog(): readonly EventRecord[] {
  return [...PUBLIC_AFFAIRS, ...SPORTS, ...CRYPTO, ...CULTURE_AND_SCIENCE].map(expandEvent);
}

function expandEvent(event: EventDefinition): EventRecord {
  const isNegRisk = event.negRisk ?? false;
  return {
    ...OPEN,
    ...DATES,
    ...pictureOf(event.tags),
    id: `${event.id}`,
    creator: BUILTIN_CREATOR,
    ticker: event.slug,
    slug: event.slug,
    title: event.title,
    description: event.rules,
    resolutionSource: event.source,
    startDate: CREATED_AT,
    creationDate: CREATED_AT,
    endDate: event.endDate,
    negRisk: isNegRisk,
    negRiskMarketID: isNegRisk ? deriveHexIdentity('neg-risk-event', `${event.id}`) : '',
    tags: event.tags.map(expandTag),
    markets: event.markets.map((market, index) => expandMarket(event, market, index)),
    series: event.series === undefined ? [] : [expandSeries(event.series)],
    eventMetadata: {},
  };
}

function expandMarket(
  event: EventDefinition,
  market: MarketDefinition,
  index: number,
): MarketRecord {
  const slug = slugOf(market.question);
  const conditionId = deriveHexIdentity('condition', slug);
  return {
    ...OPEN,
    ...DATES,
    ...pictureOf(event.tags),
    id: `${event.id * MARKETS_AN_EVENT + index}`,
    question: market.question,
    conditionId,
    slug,
    resolutionSource: event.source,
    startDate: CREATED_AT,
    endDate: event.endDate,
    description: event.rules,
    outcomes: textOf(market.outcomes ?? ['Yes', 'No']),
    clobTokenIds: textOf(deriveTokenIds(conditionId)),
    questionID: deriveHexIdentity('question', slug),
    groupItemTitle: market.label ?? '',
    orderPriceMinTickSize: event.tick ?? DEFAULT_TICK_SIZE,
    orderMinSize: event.minimum ?? DEFAULT_MINIMUM_SIZE,
    negRisk: event.negRisk ?? false,
    enableOrderBook: true,
    acceptingOrders: true,
  };
}

/** Of the first tag that has one. */
function pictureOf(tags: readonly string[]) {
  const name = tags.flatMap((tag) => IMAGES.find((image) => image === tag) ?? [])[0] ?? 'house';
  return { image: imagePath(name), icon: imagePath(name) };
}

function expandTag(slug: keyof typeof BUILTIN_TAGS): TagRecord {
  const { id, label } = BUILTIN_TAGS[slug];
  return { id: `${id}`, label, slug, ...DATES, requiresTranslation: false };
}

function expandSeries(slug: keyof typeof BUILTIN_SERIES): SeriesRecord {
  const { id, title, recurrence, picture } = BUILTIN_SERIES[slug];
  const words = { ticker: slug, slug, title, seriesType: 'single', recurrence };
  const { image, icon } = pictureOf([picture]);
  return { ...OPEN, ...DATES, id: `${id}`, ...words, image, icon };
}

/** A question in lower case, its words joined by hyphens; "$100,000" stays one word. */
function slugOf(question: string): string {
  const words = question
    .toLowerCase()
    .replaceAll(',', '')
    .match(/[a-z0-9.]*[a-z0-9]/g);
  return (words ?? []).join('-').replaceAll('.', 'pt');
}

/** A list carried as a text, with the space the public catalogs have (wire 8.1). */
function textOf(pair: readonly [string, string]): string {
  return `[${JSON.stringify(pair[0])}, ${JSON.stringify(pair[1])}]`;
}
