/** The orders that a command ends before it takes effect, in the naive engine. */
import type { CloseReason, Command } from '../../../engine/index.ts';
import type { NaiveOrder, NaiveState } from './state.ts';
import { eventAt, restingOrders } from './state.ts';

/** An order to end, and why. */
type Ending = readonly [NaiveOrder, CloseReason];

/** In the order in which they end, over several commands if they are many. */
export function ordersToEnd(state: NaiveState, command: Command): Ending[] {
  switch (command.kind) {
    case 'close_market':
      return inMarket(state, command.conditionId, 'market_closed');
    case 'resolve_market':
      return inMarket(state, command.conditionId, 'market_resolved');
    case 'resolve_event': {
      const markets = eventAt(state, command.eventId)?.markets ?? [];
      return markets.flatMap(({ terms }) => inMarket(state, terms.conditionId, 'market_resolved'));
    }
    case 'set_trading_state': {
      const { conditionId } = command;
      return command.state === 'open'
        ? []
        : waiting(state)
            .filter((order) => conditionId === '' || order.conditionId === conditionId)
            .map((order) => [order, 'trading_paused']);
    }
    case 'set_standing': {
      const { owner, standing } = command;
      const own = [...state.live.values()].filter((order) => order.owner === owner);
      if (standing === 'banned') return own.map((order) => [order, 'owner_banned']);
      const buys = own.filter(({ side }) => standing === 'closed_only' && side === 'BUY');
      return buys.map((order) => [order, 'closed_only']);
    }
    default:
      return [];
  }
}

/** The bids from the best on, the asks from the best on, and then the delayed orders. */
function inMarket(state: NaiveState, conditionId: string, reason: CloseReason): Ending[] {
  const orders = [
    ...restingOrders(state, conditionId, 'bid'),
    ...restingOrders(state, conditionId, 'ask'),
    ...waiting(state).filter((order) => order.conditionId === conditionId),
  ];
  return orders.map((order) => [order, reason]);
}

/** The delayed orders, in order of acceptance. */
function waiting({ live }: NaiveState): NaiveOrder[] {
  return [...live.values()].filter((order) => order.phase === 'waiting');
}
