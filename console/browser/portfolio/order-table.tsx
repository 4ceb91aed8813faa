/** The rows of open orders. */

import type { Signal } from '@preact/signals';
import { lotsOf, ticksOf } from '../decimal/index.ts';
import { Action, Moment, SideText, Table } from '../kit/index.ts';
import type { OwnOrder } from '../streams/messages.ts';
import { timeMsOf } from '../trading/fills.ts';
import { centsText, tokensText } from '../trading/units.ts';
import type { CancelAnswer } from '../wire/index.ts';
import { cancelOrders } from './cancel.ts';

import { MarketCell } from './cells.tsx';

export function isDelayed({ status }: OwnOrder): boolean {
  return status === 'DELAYED';
}

export function describe({ side, outcome, original_size, price }: OwnOrder): string {
  const size = tokensText(lotsOf(original_size));
  return `${side === 'BUY' ? 'Buy' : 'Sell'} ${size} ${outcome} at ${centsText(ticksOf(price))}`;
}

interface SelectionProps {
  readonly orders: readonly OwnOrder[];
  readonly selected: Signal<ReadonlySet<string>>;
}

function Select({ order, selected }: { order: OwnOrder } & Pick<SelectionProps, 'selected'>) {
  const { id } = order;
  return (
    <input
      type="checkbox"
      aria-label={`Select: ${describe(order)}`}
      disabled={isDelayed(order)}
      checked={selected.value.has(id)}
      onChange={(event) => {
        const next = new Set(selected.peek());
        if (event.currentTarget.checked) next.add(id);
        else next.delete(id);
        selected.value = next;
      }}
    />
  );
}

function Kind({ order }: { order: OwnOrder }) {
  const { order_type, expiration } = order;
  if (isDelayed(order)) {
    return (
      <span
        class="badge warn"
        title="Its market delays it. It can't be canceled until the delay ends."
      >
        delayed
      </span>
    );
  }
  if (order_type !== 'GTD') return <>{order_type}</>;
  return (
    <>
      until <Moment timeMs={Number(expiration) * 1_000} />
    </>
  );
}

interface OpenOrdersProps extends SelectionProps {
  readonly names: ReadonlyMap<string, string>;
  /** Whether the orders are of several accounts. */
  readonly showsAccount: boolean;
  readonly cancel: (run: () => Promise<CancelAnswer>) => Promise<void>;
}

export function OpenOrders({ orders, selected, names, showsAccount, cancel }: OpenOrdersProps) {
  return (
    <Table
      label="Open orders"
      rows={orders}
      keyOf={({ id }) => id}
      columns={[
        ['Select', (order) => <Select order={order} selected={selected} />],
        [
          'Order',
          (order) => (
            <MarketCell conditionId={order.market} title={names.get(order.market) ?? order.market}>
              <SideText {...order} />
            </MarketCell>
          ),
        ],
        ['Price', ({ price }) => centsText(ticksOf(price)), 'number'],
        [
          'Filled',
          ({ size_matched, original_size }) =>
            `${tokensText(lotsOf(size_matched))} of ${tokensText(lotsOf(original_size))}`,
          'number',
          'minor',
        ],
        ['Type', (order) => <Kind order={order} />, undefined, 'minor'],
        [
          'Placed',
          ({ created_at }) => <Moment timeMs={timeMsOf(created_at)} />,
          undefined,
          'minor',
        ],
        ...(showsAccount ? [['Account', 'maker_address', 'id', 'minor'] as const] : []),
        [
          'Cancel',
          (order) => (
            <Action
              isDisabled={isDelayed(order)}
              run={() => cancel(() => cancelOrders([order.id]))}
              label={`Cancel: ${describe(order)}`}
            >
              Cancel
            </Action>
          ),
        ],
      ]}
      empty="There are no open orders."
    />
  );
}
