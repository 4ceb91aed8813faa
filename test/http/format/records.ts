// Records as the readers of persistence return them. A test changes the fields that it needs.
import { lots, micros, ticks } from '../../../engine/index.ts';
import type { CatalogMarket, OrderRecord, TradeRecord } from '../../../persistence/index.ts';
import { CONDITION, CREATED_MS, NO_TOKEN, YES_TOKEN } from '../durable-commands.ts';

/** In lower case, and with the checksum as in the vectors. */
export const TAKER = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
export const TAKER_CHECKSUM = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
export const MAKER = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
export const MAKER_CHECKSUM = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
export const TAKER_KEY = '00000000-0000-4000-8000-000000000001';
export const MAKER_KEY = '00000000-0000-4000-8000-000000000002';
export const LABELS = ['Rain', 'No rain'] as const;

export function orderRecord(changes: Partial<OrderRecord> = {}): OrderRecord {
  return {
    orderId: `0x${'4c'.repeat(32)}`,
    acceptedSeq: 7,
    account: TAKER,
    owner: TAKER,
    apiKey: TAKER_KEY,
    builder: '',
    conditionId: CONDITION,
    tokenId: YES_TOKEN,
    outcome: 0,
    side: 'BUY',
    type: 'GTC',
    postOnly: false,
    priceTicks: ticks(5_000),
    lots: lots(1_000),
    budgetMicros: micros(0),
    filledLots: lots(0),
    filledMicros: micros(0),
    feeMicros: micros(0),
    status: 'live',
    closeReason: '',
    createdMs: CREATED_MS,
    updatedMs: CREATED_MS,
    expiresAtMs: 0,
    releaseMs: 0,
    closedSeq: 0,
    tradeIds: [],
    transactionHashes: [],
    ...changes,
  };
}

const NO_FEES = { feeMicros: micros(0), builderFeeMicros: micros(0), feeBps: 0 };

/** The mint of wire 9.6: the taker buys YES at 0.55, the maker NO at 0.45. */
export function tradeRecord(changes: Partial<TradeRecord> = {}): TradeRecord {
  return {
    tradeId: '28c4d2eb-bbea-40e7-a9f0-b2fdb56b2c2e',
    transactionHash: `0x${'9a'.repeat(32)}`,
    seq: 8,
    timeMs: CREATED_MS,
    bucket: 1,
    conditionId: CONDITION,
    takerOrderId: `0x${'4c'.repeat(32)}`,
    takerAccount: TAKER,
    takerOwner: TAKER,
    takerApiKey: TAKER_KEY,
    takerBuilder: '',
    tokenId: YES_TOKEN,
    outcome: 0,
    side: 'BUY',
    priceTicks: ticks(5_500),
    lots: lots(6_000),
    ...NO_FEES,
    makers: [
      {
        orderId: `0x${'5d'.repeat(32)}`,
        account: MAKER,
        owner: MAKER,
        apiKey: MAKER_KEY,
        builder: '',
        tokenId: NO_TOKEN,
        outcome: 1,
        side: 'BUY',
        priceTicks: ticks(4_500),
        lots: lots(6_000),
        ...NO_FEES,
      },
    ],
    ...changes,
  };
}

export function catalogMarket(changes: Partial<CatalogMarket> = {}): CatalogMarket {
  return {
    id: '501',
    question: 'Will it rain in Oslo on 1 June?',
    conditionId: CONDITION,
    slug: 'rain-oslo-jun-1',
    description: '',
    resolutionSource: '',
    groupItemTitle: '',
    questionId: '',
    outcomes: LABELS,
    tokenIds: [YES_TOKEN, NO_TOKEN],
    startDate: null,
    endDate: null,
    gameStartTime: null,
    image: '',
    icon: '',
    active: true,
    closed: false,
    archived: false,
    enableOrderBook: true,
    acceptingOrders: true,
    createdAt: null,
    updatedAt: null,
    eventId: '132',
    eventSlug: 'rain-oslo',
    eventTitle: 'Rain in Oslo',
    eventTicker: 'rain-oslo',
    eventDescription: '',
    negRisk: false,
    negRiskEventId: '',
    tags: ['weather'],
    creator: '',
    mirrorConditionId: '',
    mirrorTokenIds: ['', ''],
    sourcePrices: undefined,
    minimumTickSize: 0.01,
    minimumOrderSize: 5,
    ...changes,
  };
}
