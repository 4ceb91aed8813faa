// The row of a market that the engine trades and the catalog lost: what trading depends on is
// known, with the event that it belongs to; the words are made up from the condition id.

import type { EventRow, KnownMarket, MarketRow } from '../model/index.ts';
import {
  CATALOG_BOUNDS,
  DEFAULT_MINIMUM_SIZE,
  DEFAULT_TICK_SIZE,
  TICKS_OF_TICK_SIZE,
} from '../model/index.ts';
import type { CheckedEvent } from '../records/index.ts';
import { deriveHexIdentity } from '../records/index.ts';

const EVENT_ID = /^[1-9]\d{0,15}$/;

/** The slug of an event that stands in. */
export function standInSlug(id: number | ''): string {
  return `lost-event-${id}`;
}

/** The id of the event of a lost market that has `id`. */
function standInEventId({ eventId = '' }: KnownMarket, id: number): number {
  const told = EVENT_ID.test(eventId) ? Number(eventId) : 0;
  return told >= 1 && told <= CATALOG_BOUNDS.importedId ? told : id;
}

const DEFAULT_TICKS = TICKS_OF_TICK_SIZE.get(DEFAULT_TICK_SIZE) ?? 0;
const DEFAULT_LOTS = DEFAULT_MINIMUM_SIZE * 100;

const STATE = { active: 1, closed: 0, archived: 0, createdAt: null, updatedAt: null } as const;
const WORDS = { image: '', icon: '', resolutionSource: '', creator: '', record: '{}' } as const;
const NO_FIGURES = { volume: 0, volume24hr: 0, liquidity: 0 } as const;
const DESCRIPTION = 'The catalog lost the description of this market.';

/** Its event with that one market, which gets `id`. */
export function standInEvent(market: KnownMarket, id: number): CheckedEvent {
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
    ...WORDS,
    id,
    eventId: standInEventId(market, id),
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
  const slug = standInSlug(id);
  return {
    ...STATE,
    ...WORDS,
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
