/** The live orders and the newest trades of the account in this market. */
import { ownChannelFailure, retryOwnChannel, SignedIn, session } from '../identity/index.ts';
import { Action, Empty, Failure, Moment, Skeleton, Table, toast } from '../kit/index.ts';
import { lotsOf, type OwnOrder, type OwnTrade, pageStreams, ticksOf } from '../streams/index.ts';
import { centsText, moneyText, tokensText } from '../trading/index.ts';
import { type CancelAnswer, send } from '../wire/index.ts';
import type { Desk } from './desk.ts';

/** Rejects with the reason of the exchange if an order stays. */
async function cancel(ids: readonly string[]): Promise<void> {
  const answer = await send<CancelAnswer>({
    method: 'DELETE',
    path: '/orders',
    body: ids,
    auth: 'l2',
  });
  const [reason] = Object.values(answer.not_canceled);
  const count = answer.canceled.length;
  if (count > 0) toast(count === 1 ? 'The order is canceled.' : `${count} orders are canceled.`);
  if (reason !== undefined) throw new Error(reason);
}

function Kind({ order: { order_type, expiration, status } }: { order: OwnOrder }) {
  if (status === 'DELAYED') return <span class="badge warn">delayed</span>;
  if (order_type !== 'GTD') return <>{order_type}</>;
  return (
    <>
      until <Moment timeMs={Number(expiration) * 1000} />
    </>
  );
}

function SideText({ side, outcome }: { side: 'BUY' | 'SELL'; outcome: string }) {
  return (
    <span class={side === 'BUY' ? 'buy-text' : 'sell-text'}>
      {side === 'BUY' ? 'Buy' : 'Sell'} {outcome}
    </span>
  );
}

function Orders({ orders }: { orders: readonly OwnOrder[] }) {
  return (
    <>
      <Table
        label="Your open orders in this market"
        rows={orders}
        keyOf={({ id }) => id}
        columns={[
          { head: 'Order', cell: (order) => <SideText {...order} /> },
          { head: 'Price', isNumber: true, cell: ({ price }) => centsText(ticksOf(price)) },
          {
            head: 'Filled',
            isNumber: true,
            cell: ({ size_matched, original_size }) =>
              `${tokensText(lotsOf(size_matched))} of ${tokensText(lotsOf(original_size))}`,
          },
          { head: 'Type', isMinor: true, cell: (order) => <Kind order={order} /> },
          {
            head: 'Cancel',
            cell: ({ id, side, price, outcome }) => (
              <Action
                run={() => cancel([id])}
                label={`Cancel: ${side} ${outcome} at ${centsText(ticksOf(price))}`}
              >
                Cancel
              </Action>
            ),
          },
        ]}
        empty="You have no open orders in this market."
      />
      {orders.length > 1 && (
        <p>
          <Action run={() => cancel(orders.map(({ id }) => id))}>Cancel all of this market</Action>
        </p>
      )}
    </>
  );
}

/** What the account did in a trade. */
interface OwnFill {
  readonly key: string;
  readonly side: 'BUY' | 'SELL';
  readonly outcome: string;
  readonly price: string;
  readonly size: string;
  readonly timeMs: number;
}

/** A maker finds what it did among the parts of the trade; the trade itself is the taker's. */
function fillsOf(trade: OwnTrade, address: string): readonly OwnFill[] {
  const { id, side, outcome, price, size, maker_orders } = trade;
  const timeMs = Number(trade.match_time) * 1000;
  if (trade.trader_side === 'TAKER') return [{ key: id, side, outcome, price, size, timeMs }];
  return maker_orders
    .filter(({ maker_address }) => maker_address.toLowerCase() === address)
    .map((part) => ({
      key: `${id} ${part.order_id}`,
      side: part.side,
      outcome: part.outcome,
      price: part.price,
      size: part.matched_amount,
      timeMs,
    }));
}

function Fills({ fills }: { fills: readonly OwnFill[] }) {
  return (
    <Table
      label="Your trades in this market"
      rows={fills}
      keyOf={({ key }) => key}
      columns={[
        { head: 'Trade', cell: (fill) => <SideText {...fill} /> },
        { head: 'Price', isNumber: true, cell: ({ price }) => centsText(ticksOf(price)) },
        { head: 'Tokens', isNumber: true, cell: ({ size }) => tokensText(lotsOf(size)) },
        {
          head: 'Cash',
          isNumber: true,
          isMinor: true,
          cell: ({ size, price }) => moneyText(lotsOf(size) * ticksOf(price)),
        },
        {
          head: 'Time',
          isMinor: true,
          cell: ({ timeMs }) => <Moment timeMs={timeMs} />,
        },
      ]}
      empty="You have not traded in this market yet."
    />
  );
}

function OwnLists({ desk: { rules } }: { desk: Desk }) {
  const { user } = pageStreams();
  const link = user.state.value;
  const failure = ownChannelFailure.value;
  if (failure !== undefined) return <Failure failure={failure} retry={retryOwnChannel} />;
  if (link.kind === 'refused') return <Empty>The exchange refuses: {link.reason}.</Empty>;
  if (!user.isLoaded.value) return <Skeleton />;
  const tokens: readonly string[] = rules.value.tokenIds;
  const orders = [...user.orders.value.values()].filter(({ asset_id }) =>
    tokens.includes(asset_id),
  );
  const identity = session.identity.value;
  const address = identity.kind === 'none' ? '' : identity.address;
  const fills = user.trades.value
    .filter(({ asset_id }) => tokens.includes(asset_id))
    .flatMap((trade) => fillsOf(trade, address));
  return (
    <div class="stack">
      {link.kind !== 'live' && (
        <p class="stale" role="status">
          The connection for your orders is lost. This list may be old.
        </p>
      )}
      <Orders orders={orders} />
      <h3>Your trades</h3>
      <Fills fills={fills} />
    </div>
  );
}

export function OwnOrders({ desk }: { desk: Desk }) {
  return (
    <SignedIn purpose="to see its orders and trades.">
      <OwnLists desk={desk} />
    </SignedIn>
  );
}
