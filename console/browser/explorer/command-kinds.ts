/** The kinds of commands, and what each asks for in a few words. */
import type { Command } from '../../../engine/index.ts';
import { grouped } from '../kit/index.ts';
import type { ExplorerListedCommand } from '../wire/index.ts';
import { cashText } from './amounts.tsx';

export type CommandKind = Command['kind'];

/** The compiler says if one is missing. */
export const KIND_TEXTS: Readonly<Record<CommandKind, string>> = {
  create_market: 'Create market',
  open_account: 'Open account',
  deposit: 'Deposit',
  withdraw: 'Withdraw',
  issue_api_key: 'Issue API key',
  revoke_api_key: 'Revoke API key',
  place_order: 'Place order',
  cancel_orders: 'Cancel orders',
  cancel_all: 'Cancel all',
  arm_switch: 'Arm switch',
  trip_switch: 'Trip switch',
  dismiss_notifications: 'Dismiss notifications',
  split: 'Split',
  merge: 'Merge',
  redeem: 'Redeem',
  convert: 'Convert',
  set_trading_state: 'Set trading state',
  change_market: 'Change market',
  close_market: 'Close market',
  resolve_market: 'Resolve market',
  open_event: 'Open event',
  resolve_event: 'Resolve event',
  set_standing: 'Set standing',
  set_builder: 'Set builder',
  advance_time: 'Advance time',
};

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
