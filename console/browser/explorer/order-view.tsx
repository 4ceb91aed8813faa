/** One order, live or not, with its fills. */
import { SideText, Table } from '../kit/index.ts';
import type { ExplorerOrder } from '../wire/index.ts';
import { FEE, PRICE, SIZE } from './amount-columns.tsx';
import { Amount, CommandLink, Fields, RecordLink } from './amounts.tsx';
import { OrderStatus } from './order-tables.tsx';
import { Recorded, useRecord } from './source.tsx';

type Fill = ExplorerOrder['fills'][number];

function Fills({ rows }: { rows: readonly Fill[] }) {
  return (
    <Table
      label="List of fills"
      rows={rows}
      keyOf={({ trade_id, role, lots }) => `${trade_id} ${role} ${lots}`}
      empty="It has no fill."
      columns={[
        { head: 'Trade', cell: ({ trade_id }) => <RecordLink kind="trade" id={trade_id} /> },
        { ...{ head: 'Command', isNumber: true }, cell: ({ seq }) => <CommandLink seq={seq} /> },
        { head: 'Role', cell: ({ role }) => role.toLowerCase() },
        PRICE,
        SIZE,
        FEE,
        {
          ...{ head: 'When', isMinor: true },
          cell: ({ time_ms, time }) => <Amount unit="ms" raw={time_ms} decimal={time} />,
        },
      ]}
    />
  );
}

export function ExploredOrder({ id }: { readonly id: string }) {
  const resource = useRecord<ExplorerOrder>({ path: `/orders/${encodeURIComponent(id)}` });
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
