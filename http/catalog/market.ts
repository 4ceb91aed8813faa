/**
 * Markets and events as the catalog's threads write them (interface.md "Catalog market", "Event",
 * "Series", wire 8.2, 8.3, 8.8): schemas, with what generic bots read besides.
 *
 * Invariant: every field of interface.md is there; mirror fields stand in the markets of one event
 * asked for by its id and nowhere else. Lists of labels and ids are JSON carried as text; what may
 * be unknown of a book is left out rather than null (wire 8.1); a date that nobody told is null.
 */
import { Type } from 'typebox';
import { DateOrNull, FullMarket } from '../format/index.ts';
import { CatalogTag, kept, SeriesBrief } from './people-schemas.ts';

const TextList = Type.String({ description: 'A JSON array of two texts, as text' });
function amount(description: string) {
  return Type.Optional(Type.Number({ description }));
}
function amountText(description: string) {
  return Type.Optional(Type.String({ description }));
}

/** A parent event as lists of markets tell it. */
const EventBrief = Type.Object({
  id: Type.String(),
  ticker: Type.String(),
  slug: Type.String(),
  title: Type.String(),
});

/** A parent event as the answer about one market tells it. */
export const EventSummary = Type.Object({
  ...EventBrief.properties,
  description: Type.String(),
  resolutionSource: Type.String(),
  startDate: DateOrNull,
  creationDate: DateOrNull,
  endDate: DateOrNull,
  image: Type.String(),
  icon: Type.String(),
  active: Type.Boolean(),
  closed: Type.Boolean(),
  archived: Type.Boolean(),
  createdAt: DateOrNull,
  updatedAt: DateOrNull,
});

/** What trading fills in (live-markets.ts), and what was summed up of it lately. */
const TradingFields = {
  outcomePrices: TextList,
  lastTradePrice: amount('Of the first outcome'),
  bestBid: amount('Of the first outcome'),
  bestAsk: amount('Of the first outcome'),
  spread: amount('From the best bid to the best ask, where there are both'),
  orderPriceMinTickSize: Type.Number(),
  orderMinSize: Type.Number({ description: 'Tokens' }),
  acceptingOrders: Type.Boolean(),
  volume: amountText('Collateral that was ever traded'),
  volumeNum: amount('The same as a number'),
  volume24hr: amount('Collateral that was traded in the last 24 hours'),
  liquidity: amountText('Collateral that rests in orders'),
  liquidityNum: amount('The same as a number'),
} as const;

const MarketFields = {
  id: Type.String(),
  question: Type.String(),
  conditionId: Type.String(),
  slug: Type.String(),
  resolutionSource: Type.String(),
  startDate: DateOrNull,
  endDate: DateOrNull,
  image: Type.String(),
  icon: Type.String(),
  description: Type.String(),
  outcomes: TextList,
  clobTokenIds: TextList,
  active: Type.Boolean(),
  closed: Type.Boolean(),
  archived: Type.Boolean(),
  createdAt: DateOrNull,
  updatedAt: DateOrNull,
  questionID: Type.String(),
  enableOrderBook: Type.Boolean(),
  negRisk: Type.Boolean(),
  groupItemTitle: Type.String(),
  ...TradingFields,
} as const;

export const ListedCatalogMarket = kept({ ...MarketFields, events: Type.Array(EventBrief) });

export const OneCatalogMarket = kept({ ...MarketFields, events: Type.Array(EventSummary) });

/** Both forms in one object (wire 0.4); of the key they share, `outcomes`, the catalog's. */
export const MergedMarket = kept({
  ...FullMarket.properties,
  ...OneCatalogMarket.properties,
});

/** Of one event by its id; without what it mirrors where it mirrors nothing. */
export const MirroredMarket = kept({
  ...ListedCatalogMarket.properties,
  mirrorConditionId: Type.Optional(Type.String()),
  mirrorClobTokenIds: Type.Optional(TextList),
});

const EventFields = {
  ...EventSummary.properties,
  tags: Type.Array(CatalogTag),
  series: Type.Array(SeriesBrief),
  eventMetadata: Type.Record(Type.String(), Type.Unknown()),
  negRisk: Type.Boolean(),
  volume: amount('Collateral that was ever traded in its markets'),
  volume24hr: amount('Collateral that was traded in its markets in the last 24 hours'),
  liquidity: amount('Collateral that rests in the orders of its markets'),
  competitive: amount('As the source says'),
  commentCount: Type.Optional(Type.Integer()),
} as const;

export const CatalogEvent = kept({ ...EventFields, markets: Type.Array(ListedCatalogMarket) });

/** By its id. */
export const OneCatalogEvent = kept({ ...EventFields, markets: Type.Array(MirroredMarket) });

export const CatalogSeries = kept({
  ...SeriesBrief.properties,
  events: Type.Array(EventSummary),
});

export const Pagination = Type.Object({
  hasMore: Type.Boolean({ description: 'Whether another page of events follows' }),
  totalResults: Type.Integer({ description: 'Events on all pages; counted up to a bound' }),
});

export const SearchResult = Type.Object({
  events: Type.Array(CatalogEvent),
  tags: Type.Array(
    Type.Object({
      id: Type.String(),
      label: Type.String(),
      slug: Type.String(),
      event_count: Type.Integer(),
    }),
  ),
  pagination: Type.Object({
    hasMore: Type.Boolean({ description: 'Whether another page of events follows' }),
    totalResults: Type.Integer({ description: 'Events that were found' }),
  }),
});
