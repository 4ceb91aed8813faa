/**
 * The rows of a placeholder: what trading depends on comes from the engine, the texts are made up
 * from the condition id.
 */
import {
  CATALOG_BOUNDS,
  DEFAULT_MINIMUM_SIZE,
  DEFAULT_TICK_SIZE,
  type EventRow,
  type KnownMarket,
  type MarketRow,
  type ShownFigures,
  TICKS_OF_TICK_SIZE,
} from '../model/index.ts';
import type { CheckedEvent } from '../records/event-records.ts';
import { deriveHexIdentity } from '../records/identity.ts';

const EVENT_ID = /^[1-9]\d{0,15}$/;

export function placeholderSlug(id: number | ''): string {
  return `lost-event-${id}`;
}

/** The id of the market's event, or the placeholder's own id if there is no valid one. */
function eventIdOf({ eventId = '' }: KnownMarket, id: number): number {
  const known = EVENT_ID.test(eventId) ? Number(eventId) : 0;
  return known >= 1 && known <= CATALOG_BOUNDS.importedId ? known : id;
}

const DEFAULT_TICKS = TICKS_OF_TICK_SIZE.get(DEFAULT_TICK_SIZE) ?? 0;
const DEFAULT_LOTS = DEFAULT_MINIMUM_SIZE * 100;

const NO_DATES = { createdAt: null, updatedAt: null, closedTime: null } as const;
const STATE = { active: 1, closed: 0, archived: 0, ...NO_DATES } as const;
const NO_CONTENT = {
  image: '',
  icon: '',
  resolutionSource: '',
  creator: '',
  record: '{}',
} as const;
const NO_FIGURES: ShownFigures = {
  ...{ volume: 0, volume24hr: 0, volume1wk: 0, volume1mo: 0, volume1yr: 0, liquidity: 0 },
  sourceFigures: '',
};
const DESCRIPTION = 'The catalog lost the description of this market.';

/** The market's event with this market only. The market gets `id`. */
export function placeholderEvent(market: KnownMarket, id: number): CheckedEvent {
  const row = marketRow(market, id);
  return {
    path: '$',
    row: eventRow(row),
    figures: { ...NO_FIGURES, competitive: 0, sourceComments: 0 },
    markets: [
      {
        path: '$',
        row,
        figures: NO_FIGURES,
        tokenIds: market.tokenIds,
        outcomes: ['Yes', 'No'],
      },
    ],
    tags: [],
    series: [],
  };
}

function marketRow(market: KnownMarket, id: number): MarketRow {
  return {
    ...STATE,
    ...NO_CONTENT,
    id,
    eventId: eventIdOf(market, id),
    conditionId: market.conditionId,
    questionId: '',
    slug: `market-${market.conditionId}`,
    question: `Market ${market.conditionId}`,
    description: DESCRIPTION,
    groupItemTitle: '',
    startDate: null,
    endDate: null,
    enableOrderBook: 1,
    acceptingOrders: 1,
    negRisk: market.negRisk === true ? 1 : 0,
    mirrorConditionId: '',
    told: '{}',
    mirrorTokens: '',
    tickTicks: market.tickTicks ?? DEFAULT_TICKS,
    minimumLots: market.minimumLots ?? DEFAULT_LOTS,
  };
}

function eventRow({ id: marketId, eventId: id, question, negRisk }: MarketRow): EventRow {
  const slug = placeholderSlug(id);
  return {
    ...STATE,
    ...NO_CONTENT,
    id,
    slug,
    ticker: slug,
    title: id === marketId ? question : `Event ${id}`,
    description: 'The catalog lost the description of this event.',
    startDate: null,
    creationDate: null,
    endDate: null,
    negRisk,
    negRiskEventId: negRisk === 1 ? deriveHexIdentity('neg-risk-event', `${id}`) : '',
  };
}
