/** One order, live or not, with its fills. */
import { type ColumnTerms, SideText, Table } from '../kit/index.ts';
import type { ExplorerOrder } from '../wire/index.ts';
import { Amount, CommandLink, Fields } from './amounts.tsx';
import { FEE, linkColumn, OrderStatus, PRICE, SIZE } from './order-tables.tsx';
import { Recorded, useRecord } from './source.tsx';

type Fill = ExplorerOrder['fills'][number];

const FILL_COLUMNS: readonly ColumnTerms<Fill>[] = [
  linkColumn('Trade', 'trade', 'trade_id'),
  ['Command', ({ seq }) => <CommandLink seq={seq} />, 'number'],
  ['Role', ({ role }) => role.toLowerCase()],
  PRICE,
  SIZE,
  FEE,
  ['When', (fill) => <Amount unit="ms" raw={fill.time_ms} decimal={fill.time} />, 'text', 'minor'],
];

function Fills({ rows }: { rows: readonly Fill[] }) {
  return (
    <Table
      label="List of fills"
      rows={rows}
      keyOf={({ trade_id, role, lots }) => `${trade_id} ${role} ${lots}`}
      empty="It has no fill."
      columns={FILL_COLUMNS}
    />
  );
}

export function ExploredOrder({ id }: { readonly id: string }) {
  const resource = useRecord('/explorer/orders/{id}', { params: { id } });
  return (
    <Recorded resource={resource}>
      {({ fills, has_older_fills, ...order }) => (
        <>
          <section class="panel" aria-labelledby="order">
            <div class="row apart">
              <h2 id="order">
                Order: <SideText side={order.side} outcome={order.outcome_label} />
              </h2>
              <OrderStatus order={order} />
            </div>
            <Fields record={order} />
          </section>
          <section class="panel" aria-labelledby="fills">
            <h2 id="fills">Fills</h2>
            <Fills rows={fills} />
            {has_older_fills && (
              <p class="muted">These are the newest {fills.length} fills. There are older ones.</p>
            )}
          </section>
        </>
      )}
    </Recorded>
  );
}
