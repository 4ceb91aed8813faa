/** Orders and their states, as pages of the explorer show them. */
import { SideText, Table } from '../kit/index.ts';
import type { ExplorerOrderState } from '../wire/index.ts';
import { PRICE, SIZE } from './amount-columns.tsx';
import { Amount, CommandLink, RecordLink } from './amounts.tsx';

const TONES: Readonly<Record<ExplorerOrderState['status'], string>> = {
  live: 'good',
  delayed: 'warn',
  matched: 'good',
  canceled: '',
  unmatched: '',
};

export function OrderStatus({ order }: { order: ExplorerOrderState }) {
  return <span class={`badge ${TONES[order.status]}`}>{order.status}</span>;
}

export function OrderTable({ rows }: { rows: readonly ExplorerOrderState[] }) {
  return (
    <Table
      label="List of open orders"
      rows={rows}
      keyOf={({ order_id }) => order_id}
      empty="It has no open order."
      columns={[
        { head: 'Order', cell: ({ order_id }) => <RecordLink kind="order" id={order_id} /> },
        {
          head: 'Side',
          cell: ({ side, outcome_label }) => <SideText side={side} outcome={outcome_label} />,
        },
        {
          head: 'Market',
          cell: ({ condition_id }) => <RecordLink kind="market" id={condition_id} />,
        },
        PRICE,
        SIZE,
        {
          ...{ head: 'Filled', isNumber: true },
          cell: ({ filled_lots, filled_tokens }) => (
            <Amount unit="lots" raw={filled_lots} decimal={filled_tokens} />
          ),
        },
        {
          ...{ head: 'Command', isNumber: true },
          cell: ({ accepted_seq }) => <CommandLink seq={accepted_seq} />,
        },
      ]}
    />
  );
}
