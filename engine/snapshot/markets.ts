/** The sections of markets and of neg-risk events. */

import { NONE } from '../book/index.ts';
import { MarketSchedules } from '../fees/schedules.ts';
import { malformedTerm } from '../markets/market-terms.ts';
import {
  type FeeSchedule,
  lots,
  micros,
  ONE_TICKS,
  RESOLVED,
  SELF_TRADE_MODES,
  SnapshotError,
  TRADING_TERMS,
  type TradingTerms,
  ticks,
} from '../model/index.ts';
import type { EngineState } from '../state/engine-state.ts';
import type { Market, MarketTerms } from '../state/market.ts';
import type { Field, RecordReader } from './records.ts';
import { recordSection } from './section.ts';

/** In order of creation. */
export const MARKET_SECTION = recordSection({
  name: 'markets',
  maximum: (bounds) => bounds.markets,
  count: ({ markets }) => markets.length,
  *records({ markets }) {
    for (const market of markets) yield fieldsOf(market);
  },
  begin:
    ({ state }) =>
    (record, index) =>
      putMarket(state, record, index),
});

const MAXIMUM = Number.MAX_SAFE_INTEGER;

function fieldsOf(market: Market): Field[] {
  const { original, terms, status, setsLots, payoutTicks, owedMicros, bundlesLots } = market;
  const isChanged = TRADING_TERMS.some((field) => terms[field] !== original[field]);
  return [
    original.conditionId,
    ...original.tokenIds,
    original.negRisk,
    original.eventId,
    TRADING_TERMS.map((field) => original[field]),
    isChanged ? TRADING_TERMS.map((field) => terms[field]) : null,
    market.book.grain,
    status,
    setsLots,
    payoutTicks,
    owedMicros,
    bundlesLots,
  ];
}

function putMarket(state: EngineState, record: RecordReader, index: number): void {
  const conditionId = record.text('conditionId');
  const [yes, no] = [record.text('YES token'), record.text('NO token')];
  const negRisk = record.flag('negRisk');
  const eventId = record.text('eventId');
  const names = { conditionId, tokenIds: [yes, no], negRisk, eventId } as const;
  const created = readTerms(record.inner('original') ?? record.fail('original', 'terms', null));
  const changed = record.inner('terms');
  const original: MarketTerms = { ...names, ...created };
  const terms: MarketTerms = changed === undefined ? original : { ...names, ...readTerms(changed) };
  for (const one of [original, terms]) checkTerms(state, one, index);
  const isKnown =
    state.marketByCondition.has(conditionId) || state.findToken(yes) || state.findToken(no);
  if (isKnown)
    throw new SnapshotError(
      `markets ${index}: an earlier market has the same condition id or token id`,
    );
  state.addMarket(original);
  const market = state.markets[index]!;
  market.terms = terms;
  market.schedules = new MarketSchedules(terms);
  const grain = ticks(record.whole('grain', 1, original.tickTicks));
  const isDivisor = original.tickTicks % grain === 0 && terms.tickTicks % grain === 0;
  if (!isDivisor) record.fail('grain', 'a divisor of the tick sizes of the market', grain);
  market.book.refine(grain);
  market.status = record.whole('status', 0, RESOLVED);
  // Collateral is behind sets until the resolution, and owed afterwards.
  const isResolved = market.status === RESOLVED;
  const [mostLots, mostMicros] = isResolved ? [0, MAXIMUM] : [MAXIMUM, 0];
  market.setsLots = record.whole('setsLots', 0, mostLots);
  const [minimum, maximum] = isResolved ? [0, ONE_TICKS] : [NONE, NONE];
  market.payoutTicks = record.whole('payoutTicks', minimum, maximum);
  market.owedMicros = record.whole('owedMicros', 0, mostMicros);
  market.bundlesLots = record.whole('bundlesLots', 0, mostLots);
}

function checkTerms(state: EngineState, terms: MarketTerms, index: number): void {
  const malformed = malformedTerm(state, terms);
  if (malformed === undefined) return;
  const { field, actual } = malformed;
  throw new SnapshotError(
    `markets ${index}: ${field} is out of bounds: ${String(actual).slice(0, 200)}`,
  );
}

/** Reads terms in the order of TRADING_TERMS. `checkTerms` checks their values afterwards. */
function readTerms(record: RecordReader): TradingTerms {
  const terms: TradingTerms = {
    tickTicks: ticks(record.whole('tickTicks')),
    minimumLots: lots(record.whole('minimumLots')),
    minimumBudgetMicros: micros(record.whole('minimumBudgetMicros')),
    selfTrade: record.oneOf('selfTrade', SELF_TRADE_MODES),
    takerFeeBps: record.whole('takerFeeBps'),
    makerFeeBps: record.whole('makerFeeBps'),
    feeExponent: record.whole('feeExponent') as FeeSchedule['feeExponent'], // checked afterwards
    delaySeconds: record.whole('delaySeconds'),
    takerDelayMs: record.whole('takerDelayMs'),
    finerTickTicks: ticks(record.whole('finerTickTicks')),
  };
  record.end();
  return terms;
}

/** In order of opening. An event has all markets of its id, because none can be added later. */
export const EVENT_SECTION = recordSection({
  name: 'events',
  maximum: (bounds) => bounds.markets,
  count: ({ negRiskEvents }) => negRiskEvents.size,
  *records({ negRiskEvents }) {
    for (const { eventId, noneConditionId, winner } of negRiskEvents.values()) {
      yield [eventId, noneConditionId, winner?.index ?? NONE];
    }
  },
  begin:
    ({ state }) =>
    (record) =>
      putEvent(state, record),
});

function putEvent(state: EngineState, record: RecordReader): void {
  const eventId = record.text('eventId');
  const noneConditionId = record.text('noneConditionId');
  const winner = state.markets[record.whole('winner', NONE, state.markets.length - 1)];
  const markets = state.marketsByEvent.get(eventId);
  if (markets === undefined || state.negRiskEvents.has(eventId)) {
    throw record.fault('eventId', 'the id of an event with markets, in no earlier record', eventId);
  }
  state.openEvent({ eventId, noneConditionId, markets: [...markets] });
  const event = state.negRiskEvents.get(eventId)!;
  if (noneConditionId !== '' && !event.places.has(noneConditionId)) {
    record.fail('noneConditionId', "one of the event's markets", noneConditionId);
  }
  if (winner !== undefined && !markets.includes(winner)) {
    record.fail('winner', "one of the event's markets", winner.index);
  }
  event.winner = winner;
}
