/** Orders and their states, and the columns that several tables of the explorer have. */
import type { ComponentChildren } from 'preact';
import { type ColumnTerms, SideText, Table } from '../kit/index.ts';
import type { ExplorerOrderState } from '../wire/index.ts';
import { Amount, CommandLink, RecordLink } from './amounts.tsx';
import type { RecordKind, Unit } from './fields.ts';

/** A column with an amount and its raw units. */
export function amountColumn<Whole extends string, Decimal extends string>(
  head: string,
  unit: Unit,
  whole: Whole,
  decimal: Decimal,
): ColumnTerms<{ readonly [Key in Whole]: number } & { readonly [Key in Decimal]: string | null }> {
  return [
    head,
    (row) => <Amount unit={unit} raw={row[whole]} decimal={row[decimal]} />,
    unit === 'ms' ? 'text' : 'number',
  ];
}

export const PRICE = amountColumn('Price', 'ticks', 'price_ticks', 'price');
export const SIZE = amountColumn('Size', 'lots', 'lots', 'tokens');
export const FEE = amountColumn('Fee', 'micros', 'fee_micros', 'fee_cash');

export function linkColumn<Field extends string>(
  head: string,
  kind: RecordKind,
  field: Field,
): ColumnTerms<{ readonly [Key in Field]: string }> {
  return [head, (row) => <RecordLink kind={kind} id={row[field]} />];
}

interface Sided {
  readonly side: 'BUY' | 'SELL';
  readonly outcome_label: string;
}

export const SIDE: ColumnTerms<Sided> = [
  'Side',
  ({ side, outcome_label }): ComponentChildren => <SideText side={side} outcome={outcome_label} />,
];

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

const COLUMNS: readonly ColumnTerms<ExplorerOrderState>[] = [
  linkColumn('Order', 'order', 'order_id'),
  SIDE,
  linkColumn('Market', 'market', 'condition_id'),
  PRICE,
  SIZE,
  amountColumn('Filled', 'lots', 'filled_lots', 'filled_tokens'),
  ['Command', ({ accepted_seq }) => <CommandLink seq={accepted_seq} />, 'number'],
];

export function OrderTable({ rows }: { rows: readonly ExplorerOrderState[] }) {
  return (
    <Table
      label="List of open orders"
      rows={rows}
      keyOf={({ order_id }) => order_id}
      empty="It has no open order."
      columns={COLUMNS}
    />
  );
}
