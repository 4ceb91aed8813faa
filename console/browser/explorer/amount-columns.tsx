/** Columns that several tables of the explorer have. */
import type { Column } from '../kit/index.ts';
import { Amount } from './amounts.tsx';

export const PRICE: Column<{ readonly price: string; readonly price_ticks: number }> = {
  ...{ head: 'Price', isNumber: true },
  cell: ({ price, price_ticks }) => <Amount unit="ticks" raw={price_ticks} decimal={price} />,
};

export const SIZE: Column<{ readonly tokens: string; readonly lots: number }> = {
  ...{ head: 'Size', isNumber: true },
  cell: ({ tokens, lots }) => <Amount unit="lots" raw={lots} decimal={tokens} />,
};

export const FEE: Column<{ readonly fee_cash: string; readonly fee_micros: number }> = {
  ...{ head: 'Fee', isNumber: true },
  cell: ({ fee_cash, fee_micros }) => <Amount unit="micros" raw={fee_micros} decimal={fee_cash} />,
};
