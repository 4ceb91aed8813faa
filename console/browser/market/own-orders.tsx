/** The live orders and the newest trades of the account in this market. */
import { lotsOf, ticksOf } from '../decimal/index.ts';
import { ownAccounts, ownChannelFailure, retryOwnChannel, SignedIn } from '../identity/index.ts';
import { Action, Empty, Failure, Moment, SideText, Skeleton, Table, toast } from '../kit/index.ts';
import type { OwnOrder } from '../streams/messages.ts';
import { pageStreams } from '../streams/streams.ts';
import { type Fill, fillsOf } from '../trading/fills.ts';
import { centsText, moneyText, tokensText } from '../trading/units.ts';
import { send } from '../wire/index.ts';
import { ownOrdersOf } from './own-bar.tsx';
import type { Desk } from './use-sending.ts';

/** Rejects with the reason of the exchange if an order stays. */
async function cancel(ids: readonly string[]): Promise<void> {
  const answer = await send({
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

function Orders({ orders }: { orders: readonly OwnOrder[] }) {
  return (
    <>
      <Table
        label="Your open orders in this market"
        rows={orders}
        keyOf={({ id }) => id}
        columns={[
          ['Order', (order) => <SideText {...order} />],
          ['Price', ({ price }) => centsText(ticksOf(price)), 'number'],
          [
            'Filled',
            ({ size_matched, original_size }) =>
              `${tokensText(lotsOf(size_matched))} of ${tokensText(lotsOf(original_size))}`,
            'number',
          ],
          ['Type', (order) => <Kind order={order} />, undefined, 'minor'],
          [
            'Cancel',
            ({ id, side, price, outcome }) => (
              <Action
                run={() => cancel([id])}
                label={`Cancel: ${side} ${outcome} at ${centsText(ticksOf(price))}`}
              >
                Cancel
              </Action>
            ),
          ],
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

function Fills({ fills }: { fills: readonly Fill[] }) {
  return (
    <Table
      label="Your trades in this market"
      rows={fills}
      keyOf={({ key }) => key}
      columns={[
        ['Trade', (fill) => <SideText {...fill} />],
        ['Price', ({ priceTicks }) => centsText(priceTicks), 'number'],
        ['Tokens', ({ lots }) => tokensText(lots), 'number'],
        ['Cash', ({ lots, priceTicks }) => moneyText(lots * priceTicks), 'number', 'minor'],
        ['Time', ({ timeMs }) => <Moment timeMs={timeMs} />, undefined, 'minor'],
      ]}
      empty="You have not traded in this market yet."
    />
  );
}

function OwnLists({ desk }: { desk: Desk }) {
  const { rules } = desk;
  const { user } = pageStreams();
  const link = user.state.value;
  const failure = ownChannelFailure.value;
  if (failure !== undefined) return <Failure failure={failure} retry={retryOwnChannel} />;
  if (link.kind === 'refused') return <Empty>The exchange refuses: {link.reason}.</Empty>;
  if (!user.isLoaded.value) return <Skeleton />;
  const orders = ownOrdersOf(desk);
  const accounts = ownAccounts();
  const fills = user.trades.value
    .filter(({ market }) => market === rules.value.conditionId)
    .flatMap((trade) => fillsOf(trade, accounts));
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
