/** Markets, with their terms and what became of them, and neg-risk events, in images. */

import { NONE } from '../book/index.ts';
import { malformedField, TERMS } from '../markets/index.ts';
import type { FeeSchedule, SelfTradeMode, TradingTerms } from '../model/index.ts';
import { SnapshotError, lots, micros, ONE_TICKS, RESOLVED, ticks } from '../model/index.ts';
import type { Core, Market, MarketTerms } from '../state/index.ts';
import { MarketFees } from '../state/index.ts';
import type { Field, ImageRecord } from './records.ts';
import { recordSection } from './section.ts';

const MOST = Number.MAX_SAFE_INTEGER;
const SELF_TRADE_MODES: readonly SelfTradeMode[] = ['cancel_maker', 'cancel_taker', 'cancel_both'];

/** In order of creation. */
export const MARKETS = recordSection({
  name: 'markets',
  most: (bounds) => bounds.markets,
  count: ({ markets }) => markets.length,
  *records({ markets }) {
    for (const market of markets) yield fieldsOf(market);
  },
  begin:
    ({ core }) =>
    (record, index) =>
      putMarket(core, record, index),
});

function fieldsOf(market: Market): Field[] {
  const { original, terms, status, setsLots, payoutTicks, owedMicros, bundlesLots } = market;
  const isChanged = TERMS.some((field) => terms[field] !== original[field]);
  return [
    original.conditionId,
    ...original.tokenIds,
    original.negRisk,
    original.eventId,
    TERMS.map((field) => original[field]),
    isChanged ? TERMS.map((field) => terms[field]) : null,
    market.book.grain,
    status,
    setsLots,
    payoutTicks,
    owedMicros,
    bundlesLots,
  ];
}

function putMarket(core: Core, record: ImageRecord, index: number): void {
  const [conditionId, yes, no] = [
    record.text('conditionId'),
    record.text('YES token'),
    record.text('NO token'),
  ];
  const names = {
    conditionId,
    tokenIds: [yes, no],
    negRisk: record.flag('negRisk'),
    eventId: record.text('eventId'),
  } as const;
  const first = readTerms(record.inner('original') ?? record.fail('original', 'terms', null));
  const changed = record.inner('terms');
  const original: MarketTerms = { ...names, ...first };
  const terms: MarketTerms = changed === undefined ? original : { ...names, ...readTerms(changed) };
  for (const one of [original, terms]) checkTerms(core, one, index);
  const isKnown =
    core.marketByCondition.has(conditionId) || core.findToken(yes) || core.findToken(no);
  if (isKnown) throw new SnapshotError(`markets ${index}: an id of its is of another market too`);
  core.addMarket(original);
  const market = core.markets[index]!;
  market.terms = terms;
  market.fees = new MarketFees(terms);
  const grain = ticks(record.whole('grain', 1, original.tickTicks));
  const isDivisor = original.tickTicks % grain === 0 && terms.tickTicks % grain === 0;
  if (!isDivisor) record.fail('grain', 'a divisor of its ticks', grain);
  market.book.refine(grain);
  market.status = record.whole('status', 0, RESOLVED);
  market.setsLots = record.whole('setsLots', 0, MOST);
  const isResolved = market.status === RESOLVED;
  market.payoutTicks = record.whole(
    'payoutTicks',
    isResolved ? 0 : NONE,
    isResolved ? ONE_TICKS : NONE,
  );
  market.owedMicros = record.whole('owedMicros', 0, MOST);
  market.bundlesLots = record.whole('bundlesLots', 0, MOST);
}

function checkTerms(core: Core, terms: MarketTerms, index: number): void {
  const malformed = malformedField(core, terms);
  if (malformed === undefined) return;
  const { field, actual } = malformed;
  throw new SnapshotError(`markets ${index}: ${field} can't be ${String(actual).slice(0, 200)}`);
}

/** In the order of TERMS; what they may be is checked with all of them. */
function readTerms(record: ImageRecord): TradingTerms {
  const whole = (field: keyof TradingTerms): number => record.whole(field, 0, MOST);
  const terms: TradingTerms = {
    tickTicks: ticks(whole('tickTicks')),
    minimumLots: lots(whole('minimumLots')),
    minimumBudgetMicros: micros(whole('minimumBudgetMicros')),
    selfTrade: record.oneOf('selfTrade', SELF_TRADE_MODES),
    takerFeeBps: whole('takerFeeBps'),
    makerFeeBps: whole('makerFeeBps'),
    feeExponent: whole('feeExponent') as FeeSchedule['feeExponent'], // checked with all of them
    delaySeconds: whole('delaySeconds'),
    takerDelayMs: whole('takerDelayMs'),
    finerTickTicks: ticks(whole('finerTickTicks')),
  };
  record.end();
  return terms;
}

/** In order of opening. Their markets are all of that event: none can have come later. */
export const EVENTS = recordSection({
  name: 'events',
  most: (bounds) => bounds.markets,
  count: ({ negRiskEvents }) => negRiskEvents.size,
  *records({ negRiskEvents }) {
    for (const { eventId, noneConditionId, winner } of negRiskEvents.values()) {
      yield [eventId, noneConditionId, winner?.index ?? NONE];
    }
  },
  begin:
    ({ core }) =>
    (record) =>
      putEvent(core, record),
});

function putEvent(core: Core, record: ImageRecord): void {
  const eventId = record.text('eventId');
  const noneConditionId = record.text('noneConditionId');
  const winner = core.markets[record.whole('winner', NONE, core.markets.length - 1)];
  const markets = core.marketsByEvent.get(eventId);
  const isRight = markets !== undefined && !core.negRiskEvents.has(eventId);
  if (!isRight) throw record.fault('eventId', 'an event of markets, opened once', eventId);
  core.openEvent({ eventId, noneConditionId, markets: [...markets] });
  const event = core.negRiskEvents.get(eventId)!;
  if (noneConditionId !== '' && !event.places.has(noneConditionId)) {
    record.fail('noneConditionId', "one of the event's markets", noneConditionId);
  }
  if (winner !== undefined && !markets.includes(winner)) {
    record.fail('winner', "one of the event's markets", winner.index);
  }
  event.winner = winner;
}
