/** What a command asks for, in a few words. */
import { grouped } from '../kit/index.ts';
import type { ExplorerListedCommand } from '../wire/index.ts';
import { cashText } from './amounts.tsx';

/** The decimals that say most, with their unit. */
const AMOUNTS = ['tokens', 'amount_cash', 'cash', 'paper_cash'] as const;

export function summaryOf({
  kind,
  command,
}: Pick<ExplorerListedCommand, 'kind' | 'command'>): string {
  if (kind === 'place_order') return orderSummary(command);
  const { order_ids: ids } = command;
  if (Array.isArray(ids)) return ids.length === 1 ? '1 order' : `${ids.length} orders`;
  const name = AMOUNTS.find((one) => typeof command[one] === 'string');
  if (name === undefined) return '';
  const amount = String(command[name]);
  return name === 'tokens' ? `${grouped(amount)} sets` : cashText(amount);
}

function orderSummary(order: ExplorerListedCommand['command']): string {
  const { side, type, tokens, budget_cash, lots, price } = order;
  const size = lots === 0 ? `for ${cashText(String(budget_cash))}` : grouped(String(tokens));
  return `${side} ${size} at ${price}, ${type}`;
}
