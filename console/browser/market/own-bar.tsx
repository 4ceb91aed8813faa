/**
 * What the account has in this market, at the lower edge of the screen: its position with its
 * profit, and its orders with their places in the queue. On a phone it also leads to the ticket.
 */
import { useRef } from 'preact/hooks';
import { lotsOf, ONE_TICKS, ticksOf } from '../decimal/index.ts';
import { session } from '../identity/index.ts';
import { useAnswer } from '../kit/index.ts';
import type { Outcome } from '../streams/market-book.ts';
import type { OwnOrder } from '../streams/messages.ts';
import { pageStreams } from '../streams/streams.ts';
import { Gain } from '../trading/gain.tsx';
import { centsText, microsOf, shortMoney, tokensText } from '../trading/units.ts';
import type { OpenPosition } from '../wire/index.ts';
import { currentTicks } from './price-chart.tsx';
import type { Desk } from './use-sending.ts';
import { useWhileBookChanges } from './while-book-changes.ts';

/** Lots of an order that are on the book. */
function restingLots({ original_size, size_matched }: OwnOrder): number {
  return lotsOf(original_size) - lotsOf(size_matched);
}

/** An order and its level come on two sockets: soon after it was placed, one may be ahead. */
const SETTLE_MS = 1_000;

/**
 * How many lots are served before each own order, at most: those that were at its price when the
 * page first saw it there, or fewer once the level has fewer. Orders that come later stand behind.
 */
function useAhead({ view, rules }: Desk, orders: readonly OwnOrder[]): ReadonlyMap<string, number> {
  const seen = useRef(new Map<string, { readonly sinceMs: number; lots: number }>());
  return useWhileBookChanges([view], () => {
    const before = seen.current;
    seen.current = new Map();
    for (const order of orders) {
      const { id, asset_id, side, price } = order;
      const outcome = asset_id === rules.peek().tokenIds[0] ? 0 : 1;
      const at = view.book.lotsAt(outcome, side === 'BUY' ? 'bid' : 'ask', ticksOf(price));
      const known = before.get(id) ?? { sinceMs: Date.now(), lots: Number.POSITIVE_INFINITY };
      if (Date.now() - known.sinceMs > SETTLE_MS) {
        known.lots = Math.min(known.lots, Math.max(0, at - restingLots(order)));
      }
      seen.current.set(id, known);
    }
    return new Map([...seen.current].map(([id, { lots }]) => [id, lots] as const));
  }, [orders.map(({ id, size_matched }) => id + size_matched).join()]);
}

/** The live orders of the account in this market. */
export function ownOrdersOf({ rules }: Desk): readonly OwnOrder[] {
  const tokens: readonly string[] = rules.value.tokenIds;
  const all = [...pageStreams().user.orders.value.values()];
  return all.filter(({ asset_id }) => tokens.includes(asset_id));
}

function Position({ desk, position }: { desk: Desk; position: OpenPosition }) {
  const outcome: Outcome = position.outcomeIndex === 0 ? 0 : 1;
  const ticks = useWhileBookChanges([desk.view], () => currentTicks(desk.view, outcome), [outcome]);
  const paid = microsOf(position.initialValue);
  const value = microsOf((position.size * (ticks ?? position.curPrice * ONE_TICKS)) / ONE_TICKS);
  return (
    <span>
      <b>
        {tokensText(Math.round(position.size * 100))} {position.outcome}
      </b>{' '}
      <span class="minor">at {centsText(position.avgPrice * ONE_TICKS)}, </span>
      {shortMoney(value)} <Gain micros={value - paid} />
    </span>
  );
}

function aheadText(lots: number | undefined): string {
  if (lots === undefined || !Number.isFinite(lots)) return '';
  return lots === 0 ? ', first in the queue' : `, at most ${tokensText(lots)} ahead`;
}

function orderText(order: OwnOrder): string {
  const verb = order.side === 'BUY' ? 'Buy' : 'Sell';
  const size = tokensText(restingLots(order));
  return `${verb} ${size} ${order.outcome} at ${centsText(ticksOf(order.price))}`;
}

/** Orders that the bar names; the tab has them all. */
const NAMED = 2;

function Orders({ desk, onOrders }: { desk: Desk; onOrders: () => void }) {
  const orders = ownOrdersOf(desk);
  const ahead = useAhead(desk, orders);
  if (orders.length === 0) return <span class="muted">No open orders</span>;
  return (
    <>
      {orders.slice(0, NAMED).map((order) => (
        <span key={order.id} class="minor">
          {orderText(order)}
          <span class="muted">{aheadText(ahead.get(order.id))}</span>
        </span>
      ))}
      <button type="button" class="link" onClick={onOrders}>
        {orders.length === 1 ? '1 open order' : `${orders.length} open orders`}
      </button>
    </>
  );
}

function Own({ desk, address, onOrders }: OwnBarProps & { address: string }) {
  const { user } = pageStreams();
  const market = desk.rules.value.conditionId;
  const [newest] = user.trades.value;
  const query = { user: address, market, sizeThreshold: 0 };
  const inputs = [newest?.id, newest?.status, user.balances.value];
  const now = useAnswer('/positions', { query }, { inputs }).now.value;
  const positions = now.state === 'ready' ? now.value : [];
  return (
    <div class="own">
      {positions.length === 0 && <span class="muted">No position</span>}
      {positions.map((position) => (
        <Position key={position.asset} desk={desk} position={position} />
      ))}
      <Orders desk={desk} onOrders={onOrders} />
    </div>
  );
}

function BuyButtons({ desk: { rules, ticket } }: { desk: Desk }) {
  return (
    <div class="buy-bar">
      {rules.value.outcomes.map((name, place) => {
        const outcome: Outcome = place === 0 ? 0 : 1;
        const price = ticket.bestPrice(outcome);
        return (
          <button
            key={outcome}
            type="button"
            class={outcome === 0 ? 'buy' : 'sell'}
            onClick={() => {
              ticket.chooseSide('BUY');
              ticket.chooseOutcome(outcome);
              document.querySelector('.ticket')?.scrollIntoView();
              document.querySelector<HTMLElement>('.ticket-quantity input')?.focus();
            }}
          >
            Buy {name} {price !== undefined && centsText(price)}
          </button>
        );
      })}
    </div>
  );
}

interface OwnBarProps {
  readonly desk: Desk;
  readonly onOrders: () => void;
}

export function OwnBar(props: OwnBarProps) {
  const identity = session.identity.value;
  const isOpen = !props.desk.market.value.closed;
  return (
    <section class="own-bar" aria-label="My position and orders">
      {identity.kind !== 'none' && <Own {...props} address={identity.address} />}
      {isOpen && <BuyButtons desk={props.desk} />}
    </section>
  );
}
