/**
 * The naive twin's operator: trading states and standings, each as a judgement (which answer
 * the command gets instead of a change) and as what it then does.
 */
import type {
  Answer,
  ChangeMarket,
  CloseMarket,
  CloseReason,
  EngineEvent,
  PlaceOrder,
  Rejected,
  SetStanding,
  SetTradingState,
  TradingState,
} from '../../../engine/index.ts';
import { ticks } from '../../../engine/index.ts';
import { isAddress, known, marketFault, reject } from './checks.ts';
import { judgeCollecting, opensFeeAccount } from './fees.ts';
import type { NaiveMarket, NaiveOrder, NaiveState } from './state.ts';
import { marketAt, restingOrders, yesTicks } from './state.ts';

/** Takes an order off the book for a reason, and tells it. */
export type Take = (order: NaiveOrder, reason: CloseReason) => EngineEvent[];

export function closed(market: NaiveMarket): boolean {
  return market.status === 'closed' || market.status === 'resolved';
}

export function judgeTradingState(state: NaiveState, command: SetTradingState): Answer | undefined {
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

export function changeTradingState(
  state: NaiveState,
  command: SetTradingState,
  take: Take,
): EngineEvent[] {
  const market = marketAt(state, command.conditionId);
  const killed = [...state.live.values()]
    .filter((order) => order.phase === 'waiting' && command.state !== 'open')
    .filter((order) => market === undefined || order.conditionId === command.conditionId)
    .flatMap((order) => take(order, 'trading_paused'));
  if (market === undefined) state.tradingState = command.state;
  else market.status = command.state;
  return [...killed, { ...command, kind: 'trading_state_changed' }];
}

export function judgeChange(state: NaiveState, command: ChangeMarket): Answer | undefined {
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
  return opensFeeAccount(after) ? judgeCollecting(state) : undefined;
}

export function changeMarket(state: NaiveState, command: ChangeMarket): EngineEvent[] {
  const { kind: _, ...given } = command;
  const market = marketAt(state, command.conditionId);
  if (market === undefined) return [];
  market.terms = { ...market.terms, ...given };
  const { kind: _1, tokenIds: _2, negRisk: _3, eventId: _4, ...now } = market.terms;
  return [{ kind: 'market_changed', ...now }];
}

/** Of markets whose book or terms changed, those near an end get their finer tick. */
export function refineTicks(state: NaiveState, happened: readonly EngineEvent[]): EngineEvent[] {
  return state.markets
    .filter((market) => !closed(market))
    .filter(({ terms }) => terms.finerTickTicks !== 0)
    .filter(({ terms: { conditionId } }) =>
      happened
        .filter(({ kind }) => kind === 'level_changed' || kind === 'market_changed')
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

export function judgeClosing(state: NaiveState, command: CloseMarket): Answer | undefined {
  const market = marketAt(state, command.conditionId);
  if (market !== undefined) return closed(market) ? known(command) : undefined;
  return reject('market_unknown', { field: 'conditionId', actual: command.conditionId });
}

export function closeMarket(state: NaiveState, command: CloseMarket, take: Take): EngineEvent[] {
  const { conditionId } = command;
  const orders = [...state.live.values()].filter((order) => order.conditionId === conditionId);
  const market = marketAt(state, conditionId);
  if (market !== undefined) market.status = 'closed';
  const events = orders.flatMap((order) => take(order, 'market_closed'));
  return [...events, { kind: 'market_closed', conditionId }];
}

/** Why a market takes no orders now. */
export function judgeTrading(state: NaiveState, market: NaiveMarket): Rejected | undefined {
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

export function judgeRunning(state: NaiveState): Rejected | undefined {
  if (state.tradingState !== 'halted') return undefined;
  return reject('exchange_halted', { field: 'state', actual: 'halted' });
}

export function isMarketHalted(state: NaiveState, conditionId: string): boolean {
  return marketAt(state, conditionId)?.status === 'halted';
}

export function judgeStanding(state: NaiveState, command: SetStanding): Answer | undefined {
  const { owner, standing } = command;
  if (!isAddress(owner)) return reject('address_malformed', { field: 'owner', actual: owner });
  if (!['good', 'closed_only', 'banned'].includes(standing)) {
    return reject('standing_malformed', { field: 'standing', actual: standing });
  }
  const before = standingOf(state, owner);
  if (before === standing) return known(command);
  const [limit, actual] = [state.bounds.standings, state.standings.length];
  if (before !== 'good' || actual < limit) return undefined;
  return reject('too_many_standings', { field: 'owner', limit, actual });
}

function standingOf(state: NaiveState, owner: string): string {
  return state.standings.find((one) => one.owner === owner)?.standing ?? 'good';
}

export function changeStanding(state: NaiveState, command: SetStanding, take: Take): EngineEvent[] {
  const { owner, standing } = command;
  state.standings = state.standings.filter((one) => one.owner !== owner);
  if (standing !== 'good') state.standings.push({ owner, standing });
  const own = [...state.live.values()].filter((order) => order.owner === owner);
  const banned = standing === 'banned' ? own : [];
  const opening = standing === 'closed_only' ? own.filter((order) => order.side === 'BUY') : [];
  return [
    ...banned.flatMap((order) => take(order, 'owner_banned')),
    ...opening.flatMap((order) => take(order, 'closed_only')),
    { ...command, kind: 'standing_changed' },
  ];
}

export function judgeBan(state: NaiveState, owner: string): Rejected | undefined {
  if (standingOf(state, owner) !== 'banned') return undefined;
  return reject('owner_banned', { field: 'owner', actual: owner });
}

/** Whether an owner may buy or sell. */
export function judgeTrader(
  state: NaiveState,
  command: Pick<PlaceOrder, 'owner' | 'side'>,
): Rejected | undefined {
  const { owner, side } = command;
  const isBarred = side === 'BUY' && standingOf(state, owner) === 'closed_only';
  if (isBarred) return reject('owner_closed_only', { field: 'owner', actual: owner });
  return judgeBan(state, owner);
}
