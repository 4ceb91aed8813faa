/**
 * Schemas of markets and events as the catalog's threads write them (wire 8.2, 8.3).
 *
 * Invariant: mirror fields are only in `GET /events/{id}`, in the event's markets. Lists of labels
 * and ids are JSON in a string. An unknown price is left out, never null (wire 8.1); an unknown
 * date is null.
 */
import { Type } from 'typebox';
import { DateOrNull, FullMarket, openObject } from '../../http/format/index.ts';
import { OptionalText, OrNull, Text, TrueFalse } from '../../http/parameters/index.ts';
import { VOLUME_DAYS, VOLUME_WINDOWS, type VolumeWindow } from '../model/index.ts';
import { CatalogTag, SeriesBrief } from './people-schemas.ts';

const TextList = Text('A JSON array of two strings, itself in a string');
function amount(description: string) {
  return Type.Optional(Type.Number({ description }));
}

/** A field for each volume of the last days. */
function windowAmounts<End extends string = ''>(what: string, end?: End) {
  const fields = VOLUME_WINDOWS.map((name) => {
    const days = VOLUME_DAYS[name] === 1 ? '24 hours' : `${VOLUME_DAYS[name]} days`;
    return [`${name}${end ?? ''}`, amount(`${what} in the last ${days}`)] as const;
  });
  // Safe: there is an entry for each window.
  type Names = `${VolumeWindow}${End}`;
  return Object.fromEntries(fields) as Record<Names, ReturnType<typeof amount>>;
}

const EventBrief = Type.Object({
  id: Type.String(),
  ticker: Type.String(),
  slug: Type.String(),
  title: Type.String(),
});

/** An event without its lists and figures. */
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
  closedTime: OptionalText('When its last market ended, ISO 8601'),
});

const EventFigures = {
  eventMetadata: Type.Record(Type.String(), Type.Unknown()),
  negRisk: Type.Boolean(),
  volume: amount('Collateral traded in its markets in total'),
  ...windowAmounts('Collateral traded in its markets'),
  liquidity: amount('Collateral in resting orders of its markets'),
  liquidityClob: amount('The same'),
  competitive: amount('As the source gave it'),
  commentCount: Type.Optional(Type.Integer()),
} as const;

export const MarketFeeSchedule = Type.Object(
  {
    exponent: amount('The fee of a token at price p is the rate times (p(1-p)) to this power'),
    rate: amount('The rate of the taker'),
    takerOnly: Type.Optional(Type.Boolean()),
    rebateRate: amount('The share of the fees that makers get back: 0'),
  },
  { description: 'Until a market trades here, as its source gave it' },
);

/** Fields that trading fills in (views/live-markets.ts), and figures of trading. */
const TradingFields = {
  outcomePrices: TextList,
  lastTradePrice: amount('Of the first outcome'),
  bestBid: amount('Of the first outcome'),
  bestAsk: amount('Of the first outcome'),
  spread: amount('The best ask minus the best bid, if there are both'),
  orderPriceMinTickSize: Type.Number(),
  orderMinSize: Type.Number({ description: 'Tokens' }),
  acceptingOrders: Type.Boolean(),
  umaResolutionStatuses: Text('A JSON array of all its statuses so far, itself in a string'),
  umaResolutionStatus: OptionalText('`resolved` when it is resolved here; else as its source'),
  closedTime: OptionalText('When its trading ended, `2026-06-03 01:12:06+00`'),
  feesEnabled: Type.Optional(Type.Boolean({ description: 'Whether trading costs fees' })),
  makerBaseFee: amount('Basis points'),
  takerBaseFee: amount('Basis points'),
  feeSchedule: Type.Optional(MarketFeeSchedule),
  volume: OptionalText('Collateral traded in total'),
  volumeNum: amount('The same as a number'),
  volumeClob: amount('The same'),
  ...windowAmounts('Collateral traded'),
  ...windowAmounts('The same: collateral traded', 'Clob'),
  liquidity: OptionalText('Collateral in resting orders'),
  liquidityNum: amount('The same as a number'),
  liquidityClob: amount('The same'),
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
  marketMakerAddress: Text('As in public catalogs, where it is mostly empty'),
  startDateIso: OrNull(Type.String(), 'The day of `startDate`'),
  endDateIso: OrNull(Type.String(), 'The day of `endDate`'),
  ...TradingFields,
} as const;

/** The event of a market: all but its markets, tags and series. */
export const EventOfMarket = openObject({ ...EventSummary.properties, ...EventFigures });

export const OneCatalogMarket = openObject({ ...MarketFields, events: Type.Array(EventOfMarket) });

export const InnerMarket = openObject({ ...MarketFields, events: Type.Array(EventBrief) });

/** Both forms in one object (wire 0.4). Both have a key `outcomes`; the catalog's is used. */
export const MergedMarket = openObject({
  ...FullMarket.properties,
  ...OneCatalogMarket.properties,
});

/** A market in `GET /events/{id}`. Without a mirror, the mirror fields are missing. */
export const MirroredMarket = openObject({
  ...InnerMarket.properties,
  mirrorConditionId: Type.Optional(Type.String()),
  mirrorClobTokenIds: Type.Optional(TextList),
});

const EventFields = {
  ...EventSummary.properties,
  ...EventFigures,
  tags: Type.Array(CatalogTag),
  series: Type.Array(SeriesBrief),
} as const;

export const CatalogEvent = openObject({
  ...EventFields,
  markets: Type.Array(InnerMarket),
});

export const OneCatalogEvent = openObject({ ...EventFields, markets: Type.Array(MirroredMarket) });

export const CatalogSeries = openObject({
  ...SeriesBrief.properties,
  events: Type.Array(EventSummary),
});

export const Pagination = Type.Object({
  hasMore: TrueFalse('Whether another page of events follows'),
  totalResults: Type.Integer({ description: 'Events on all pages, counted up to a bound' }),
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
    hasMore: TrueFalse('Whether another page of events follows'),
    totalResults: Type.Integer({ description: 'Events that were found' }),
  }),
});
