/** The open orders of all accounts of who is signed in. One, some or all of them are canceled. */
import { useSignal } from '@preact/signals';
import { ownChannelFailure, retryOwnChannel } from '../identity/index.ts';
import { Action, Check, Choice, Failure, Id, Skeleton, set, setter } from '../kit/index.ts';
import type { OwnOrder } from '../streams/messages.ts';
import { pageStreams } from '../streams/streams.ts';
import type { CancelAnswer } from '../wire/index.ts';
import { cancelAll, cancelMarket, cancelOrders, cancelText } from './cancel.ts';
import { describe, isDelayed, OpenOrders } from './order-table.tsx';
import { PORTFOLIO_BOUNDS, useNames } from './use-pages.ts';

const ALL = '';

/** What came of the last cancel. The orders are those of before it. */
interface Result {
  readonly answer: CancelAnswer;
  readonly orders: ReadonlyMap<string, OwnOrder>;
}

function ResultText({ answer, orders }: Result) {
  const kept = Object.entries(answer.not_canceled);
  return (
    <div class={kept.length > 0 ? 'stale' : 'muted'}>
      {cancelText(answer)}
      {kept.length > 0 && (
        <ul>
          {kept.slice(0, PORTFOLIO_BOUNDS.ordersPerPage).map(([orderId, reason]) => {
            const order = orders.get(orderId);
            return (
              <li key={orderId}>
                {order === undefined ? <Id text={orderId} /> : describe(order)}: {reason}
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}

/** The newest first. */
function newestFirst(orders: ReadonlyMap<string, OwnOrder>): readonly OwnOrder[] {
  // A snapshot lists the oldest first, and new orders are added at the end.
  return [...orders.values()].reverse();
}

function Orders({ account }: { account: string }) {
  const all = newestFirst(pageStreams().user.orders.value);
  const selected = useSignal<ReadonlySet<string>>(new Set());
  const market = useSignal(ALL);
  const limit = useSignal<number>(PORTFOLIO_BOUNDS.ordersPerPage);
  const result = useSignal<Result | undefined>(undefined);
  const markets = [...new Set(all.map((order) => order.market))];
  const names = useNames(markets);
  // A market whose orders are gone is no longer one of the choices.
  const only = markets.includes(market.value) ? market.value : ALL;
  const orders = all.filter((order) => only === ALL || order.market === only);
  const shown = orders.slice(0, limit.value);
  const free = shown.filter((order) => !isDelayed(order));
  // An order that is filled or canceled leaves the selection by itself.
  const chosen = free.filter(({ id }) => selected.value.has(id)).map(({ id }) => id);
  async function cancel(run: () => Promise<CancelAnswer>): Promise<void> {
    const before = pageStreams().user.orders.peek();
    result.value = undefined;
    result.value = { answer: await run(), orders: before };
  }
  return (
    <div class="stack">
      {all.length > 0 && (
        <div class="row">
          <Check
            label="Select all"
            value={free.length > 0 && chosen.length === free.length}
            onChange={(isAll) => set(selected, new Set(isAll ? free.map(({ id }) => id) : []))}
          />
          <Action isDisabled={chosen.length === 0} run={() => cancel(() => cancelOrders(chosen))}>
            Cancel selected{chosen.length > 0 && ` (${chosen.length})`}
          </Action>
          {only !== ALL && (
            <Action tone="danger" run={() => cancel(() => cancelMarket(only))}>
              Cancel all of this market
            </Action>
          )}
          {only === ALL && (
            <Action tone="danger" run={() => cancel(cancelAll)}>
              Cancel all
            </Action>
          )}
        </div>
      )}
      {markets.length > 1 && (
        <Choice
          label="Market"
          value={only}
          options={[
            [ALL, 'All markets'] as const,
            ...markets.map((id) => [id, names.get(id) ?? id] as const),
          ]}
          onChange={setter(market)}
        />
      )}
      <div role="status">{result.value !== undefined && <ResultText {...result.value} />}</div>
      <OpenOrders
        orders={shown}
        selected={selected}
        names={names}
        showsAccount={all.some(({ maker_address }) => maker_address.toLowerCase() !== account)}
        cancel={cancel}
      />
      {orders.some(isDelayed) && (
        <p class="muted">
          A delayed order can't be canceled: its market lets it trade when the delay is over.
        </p>
      )}
      {orders.length > shown.length && (
        <p>
          <button
            type="button"
            onClick={() => {
              limit.value += PORTFOLIO_BOUNDS.ordersPerPage;
            }}
          >
            Show more of {orders.length} orders
          </button>
        </p>
      )}
    </div>
  );
}

/** `account` is the own address: an order of another account names its account. */
export function OrdersPanel({ account }: { account: string }) {
  if (ownChannelFailure.value !== undefined) {
    return <Failure failure={ownChannelFailure.value} retry={retryOwnChannel} />;
  }
  return pageStreams().user.isLoaded.value ? <Orders account={account} /> : <Skeleton />;
}
