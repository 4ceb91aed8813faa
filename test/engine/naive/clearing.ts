/** The orders that a command ends, in the naive engine. */
import type { CancelAll, CancelOrders, CloseReason, Command } from '../../../engine/index.ts';
import { isMarketHalted } from './operator.ts';
import type { NaiveOrder, NaiveState } from './state.ts';
import { eventAt, restingOrders } from './state.ts';

/** An order to end, and why. */
type Ending = readonly [NaiveOrder, CloseReason];

/** Those that must end before a command takes effect, in order, over several steps if many. */
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
      const own = ordersOf(state, owner);
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

/** The live orders of an owner, in order of acceptance. */
export function ordersOf({ live }: NaiveState, owner: string): NaiveOrder[] {
  return [...live.values()].filter((order) => order.owner === owner);
}

/** The orders that a cancel command cancels, in order of acceptance. */
export function ordersToCancel(state: NaiveState, command: CancelOrders | CancelAll): NaiveOrder[] {
  const own = ordersOf(state, command.owner).filter(
    (order) => order.phase === 'resting' && !isMarketHalted(state, order.conditionId),
  );
  if (command.kind === 'cancel_orders') {
    return own.filter((order) => command.orderIds.includes(order.orderId));
  }
  const { conditionId, tokenId, step } = command;
  return own
    .filter((order) => conditionId === '' || order.conditionId === conditionId)
    .filter((order) => tokenId === '' || order.tokenId === tokenId)
    .filter((order) => order.acceptedSeq <= (step.upToSeq ?? Infinity))
    .slice(0, step.most);
}
