/**
 * Markets as the catalog surface tells them (interface.md "Catalog market", wire 8.3, 8.8), with
 * what generic bots read besides: prices, steps and states of trading.
 *
 * Invariant: lists of labels and ids are JSON carried as text; what may be unknown of a book is
 * left out rather than null (wire 8.1); a date that nobody told is null.
 */
import { type Static, Type } from 'typebox';
import { ONE_TICKS } from '../../engine/index.ts';
import type { CatalogEvent } from '../../persistence/index.ts';
import type { TokenBook } from '../views/token-book.ts';
import { halfTicksText, ticksNumber } from './decimal.ts';
import { FullMarket, formatFullMarket } from './full-market.ts';
import { DateOrNull, type LiveMarket, listedPrice } from './market.ts';

const TextList = Type.String({ description: 'A JSON array of two texts, as text' });

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
  outcomePrices: TextList,
  lastTradePrice: Type.Optional(Type.Number({ description: 'Of the first outcome' })),
  bestBid: Type.Optional(Type.Number({ description: 'Of the first outcome' })),
  bestAsk: Type.Optional(Type.Number({ description: 'Of the first outcome' })),
  orderPriceMinTickSize: Type.Number(),
  orderMinSize: Type.Number({ description: 'Tokens' }),
  enableOrderBook: Type.Boolean(),
  acceptingOrders: Type.Boolean(),
  negRisk: Type.Boolean(),
  groupItemTitle: Type.String(),
} as const;

export const ListedCatalogMarket = Type.Object({
  ...MarketFields,
  events: Type.Array(EventBrief),
});

export const OneCatalogMarket = Type.Object({
  ...MarketFields,
  events: Type.Array(EventSummary),
});
type OneCatalogMarket = Static<typeof OneCatalogMarket>;

/** Both forms in one object (wire 0.4); of the key they share, `outcomes`, the catalog's. */
export const MergedMarket = Type.Object({
  ...FullMarket.properties,
  ...OneCatalogMarket.properties,
});

/** With the space that the public catalogs have (wire 8.1). */
const textOf = ([first, second]: readonly [string, string]): string =>
  `[${JSON.stringify(first)}, ${JSON.stringify(second)}]`;

/** The prices of the first outcome, as far as there are any. */
const formatBook = (book: TokenBook | undefined) => {
  if (book === undefined) return {};
  const { bidTicks, askTicks, lastTradeTicks } = book;
  return {
    ...(lastTradeTicks === undefined ? {} : { lastTradePrice: ticksNumber(lastTradeTicks) }),
    ...(bidTicks === 0 ? {} : { bestBid: ticksNumber(bidTicks) }),
    ...(askTicks === ONE_TICKS ? {} : { bestAsk: ticksNumber(askTicks) }),
  };
};

const formatTrading = (live: LiveMarket) => {
  const { market, books, acceptsOrders } = live;
  return {
    outcomePrices: textOf([
      halfTicksText(listedPrice(live, 0)),
      halfTicksText(listedPrice(live, 1)),
    ]),
    ...formatBook(books[0]),
    orderPriceMinTickSize: live.tickSize,
    orderMinSize: live.minimumSize,
    enableOrderBook: market.enableOrderBook,
    acceptingOrders: acceptsOrders,
    negRisk: market.negRisk,
    groupItemTitle: market.groupItemTitle,
  };
};

const formatFields = (live: LiveMarket): Omit<OneCatalogMarket, 'events'> => {
  const { market } = live;
  return {
    id: market.id,
    question: market.question,
    conditionId: market.conditionId,
    slug: market.slug,
    resolutionSource: market.resolutionSource,
    startDate: market.startDate,
    endDate: market.endDate,
    image: market.image,
    icon: market.icon,
    description: market.description,
    outcomes: textOf(market.outcomes),
    clobTokenIds: textOf(market.tokenIds),
    active: market.active,
    closed: live.isClosed,
    archived: market.archived,
    createdAt: market.createdAt,
    updatedAt: market.updatedAt,
    questionID: market.questionId,
    ...formatTrading(live),
  };
};

export const formatListedMarket = (live: LiveMarket): Static<typeof ListedCatalogMarket> => {
  const { eventId: id, eventTicker: ticker, eventSlug: slug, eventTitle: title } = live.market;
  return { ...formatFields(live), events: [{ id, ticker, slug, title }] };
};

/** `events` are the market's parents. */
export const formatOneMarket = (
  live: LiveMarket,
  events: readonly CatalogEvent[],
): OneCatalogMarket => ({ ...formatFields(live), events: events.map((event) => ({ ...event })) });

export const formatMergedMarket = (
  live: LiveMarket,
  events: readonly CatalogEvent[],
): Static<typeof MergedMarket> => ({ ...formatFullMarket(live), ...formatOneMarket(live, events) });
