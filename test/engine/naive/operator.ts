/**
 * The operator's commands about markets and trading states in the naive engine, each with its check
 * and its effect.
 */
import type {
  Answer,
  ChangeMarket,
  CloseMarket,
  CreateMarket,
  EngineEvent,
  Rejected,
  SetTradingState,
  TradingState,
} from '../../../engine/index.ts';
import { ticks } from '../../../engine/index.ts';
import { checkCollecting, opensFeeAccount } from './accounts.ts';
import { known, reject } from './answers.ts';
import { marketFault } from './market-terms.ts';
import type { NaiveMarket, NaiveState } from './state.ts';
import { marketAt, marketOfToken, marketsOfEvent, restingOrders, yesTicks } from './state.ts';

export function closed(market: NaiveMarket): boolean {
  return market.status === 'closed' || market.status === 'resolved';
}

export function checkTradingState(state: NaiveState, command: SetTradingState): Answer | undefined {
  const { conditionId } = command;
  if (!['open', 'cancel_only', 'halted'].includes(command.state)) {
    return reject('trading_state_malformed', { field: 'state', actual: command.state });
  }
  if (conditionId === '') {
    return state.tradingState === command.state ? known(command) : undefined;
  }
  const market = marketAt(state, conditionId);
  const details = { field: 'conditionId', actual: conditionId };
  if (market === undefined) return reject('market_unknown', details);
  if (closed(market)) return reject('market_closed', details);
  return market.status === command.state ? known(command) : undefined;
}

export function changeTradingState(state: NaiveState, command: SetTradingState): EngineEvent[] {
  const market = marketAt(state, command.conditionId);
  if (market === undefined) state.tradingState = command.state;
  else market.status = command.state;
  return [{ ...command, kind: 'trading_state_changed' }];
}

export function checkChange(state: NaiveState, command: ChangeMarket): Answer | undefined {
  const { kind: _, conditionId, ...given } = command;
  const details = { field: 'conditionId', actual: conditionId };
  const market = marketAt(state, conditionId);
  if (market === undefined) return reject('market_unknown', details);
  if (closed(market)) return reject('market_closed', details);
  if (Object.keys(given).length === 0) {
    const limit =
      'tickTicks,minimumLots,minimumBudgetMicros,selfTrade,takerFeeBps,makerFeeBps,feeExponent,' +
      'delaySeconds,takerDelayMs,finerTickTicks';
    return reject('market_malformed', { field: 'terms', limit, actual: '' });
  }
  const after = { ...market.terms, ...given };
  const fault = marketFault(state, after);
  if (fault !== undefined) return reject('market_malformed', fault);
  if (JSON.stringify(after) === JSON.stringify(market.terms)) return known(command);
  return opensFeeAccount(after) ? checkCollecting(state) : undefined;
}

export function changeMarket(state: NaiveState, command: ChangeMarket): EngineEvent[] {
  const { kind: _, ...given } = command;
  const market = marketAt(state, command.conditionId);
  if (market === undefined) return [];
  market.terms = { ...market.terms, ...given };
  const { kind: _1, tokenIds: _2, negRisk: _3, eventId: _4, ...now } = market.terms;
  return [{ kind: 'market_changed', ...now }];
}

/** Applies the finer tick of markets near 0 or 1 whose book or terms have changed. */
/** An order that is continued counts for its last part too. */
const CHANGES: readonly EngineEvent['kind'][] = [
  'level_changed',
  'market_changed',
  'order_continued',
];

export function refineTicks(state: NaiveState, happened: readonly EngineEvent[]): EngineEvent[] {
  return state.markets
    .filter((market) => !closed(market))
    .filter(({ terms }) => terms.finerTickTicks !== 0)
    .filter(({ terms }) => terms.conditionId !== state.unfinished?.conditionId)
    .filter((market) => !isEnding(state, market))
    .filter(({ terms: { conditionId } }) =>
      happened
        .filter(({ kind }) => CHANGES.includes(kind))
        .some((one) => 'conditionId' in one && one.conditionId === conditionId),
    )
    .filter(({ terms: { conditionId } }) => {
      const [bid] = restingOrders(state, conditionId, 'bid');
      const [ask] = restingOrders(state, conditionId, 'ask');
      if (bid === undefined || ask === undefined) return false;
      const midpoint = (yesTicks(bid) + yesTicks(ask)) / 2;
      return midpoint < 400 || midpoint > 9_600;
    })
    .flatMap(({ terms: { conditionId, finerTickTicks } }) =>
      changeMarket(state, {
        kind: 'change_market',
        conditionId,
        tickTicks: ticks(finerTickTicks),
        finerTickTicks: 0,
      }),
    );
}

export function checkClosing(state: NaiveState, command: CloseMarket): Answer | undefined {
  const market = marketAt(state, command.conditionId);
  if (market !== undefined) return closed(market) ? known(command) : undefined;
  return reject('market_unknown', { field: 'conditionId', actual: command.conditionId });
}

export function closeMarket(state: NaiveState, { conditionId }: CloseMarket): EngineEvent[] {
  const market = marketAt(state, conditionId);
  if (market !== undefined) market.status = 'closed';
  return [{ kind: 'market_closed', conditionId }];
}

/** Whether the orders of a market that closes or resolves are being ended. */
function isEnding({ clearing }: NaiveState, { terms }: NaiveMarket): boolean {
  if (clearing === undefined || clearing.kind === 'set_trading_state') return false;
  if ('eventId' in clearing) return clearing.eventId === terms.eventId;
  return 'conditionId' in clearing && clearing.conditionId === terms.conditionId;
}

/** The refusal for an order while its market or the exchange is not open. */
export function checkTrading(state: NaiveState, market: NaiveMarket): Rejected | undefined {
  const exchange: TradingState = state.tradingState;
  if (exchange !== 'open') {
    return reject('exchange_paused', { field: 'state', actual: exchange });
  }
  if (closed(market)) {
    const actual = market.terms.conditionId;
    return reject('market_closed', { field: 'conditionId', actual });
  }
  if (market.status === 'open') return undefined;
  return reject('market_paused', { field: 'tokenId', actual: market.status });
}

export function checkRunning(state: NaiveState): Rejected | undefined {
  if (state.tradingState !== 'halted') return undefined;
  return reject('exchange_halted', { field: 'state', actual: 'halted' });
}

export function isMarketHalted(state: NaiveState, conditionId: string): boolean {
  return marketAt(state, conditionId)?.status === 'halted';
}

export function checkMarket(state: NaiveState, command: CreateMarket): Answer | undefined {
  const { bounds, markets } = state;
  const fault = marketFault(state, command);
  if (fault !== undefined) return reject('market_malformed', fault);
  const same = markets.find((market) => market.terms.conditionId === command.conditionId);
  if (same !== undefined) {
    if (termsText(same.created) === termsText(command)) return known(command);
    return reject('market_exists', { field: 'conditionId', actual: command.conditionId });
  }
  const taken = command.tokenIds.find((tokenId) => marketOfToken(state, tokenId) !== undefined);
  if (taken !== undefined) return reject('market_exists', { field: 'tokenIds', actual: taken });
  const isSealed = state.events.some((event) => event.eventId === command.eventId);
  if (isSealed) return reject('event_sealed', { field: 'eventId', actual: command.eventId });
  const siblings = marketsOfEvent(state, command.eventId).length;
  if (command.negRisk && siblings >= bounds.marketsPerEvent) {
    const details = { field: 'eventId', limit: bounds.marketsPerEvent, actual: siblings };
    return reject('event_malformed', details);
  }
  if (markets.length >= bounds.markets) {
    const details = { field: 'conditionId', limit: bounds.markets, actual: markets.length };
    return reject('too_many_markets', details);
  }
  return opensFeeAccount(command) ? checkCollecting(state) : undefined;
}

function termsText(terms: CreateMarket): string {
  return JSON.stringify([
    terms.conditionId,
    terms.tokenIds,
    terms.tickTicks,
    terms.minimumLots,
    terms.minimumBudgetMicros,
    terms.negRisk,
    terms.eventId,
    terms.selfTrade,
    terms.takerFeeBps ?? 0,
    terms.makerFeeBps ?? 0,
    terms.feeExponent ?? 0,
    terms.delaySeconds ?? 0,
    terms.takerDelayMs ?? 0,
    terms.finerTickTicks ?? 0,
  ]);
}
