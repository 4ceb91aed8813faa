/**
 * What a core or standby has in place of `analytics.db` and its readers: a core spends its
 * processor time on commands alone. Idempotency keys are looked up in the journal, because commands
 * of operators need them; everything else is refused with the name of a node that has it.
 */
import { type MoneyKeyIndex, openMoneyKeyIndex } from './journal/index.ts';
import type { ExchangeAnalytics } from './reads/analytics/index.ts';
import type { ExchangeExplorer } from './reads/explorer/index.ts';
import type { Reader } from './reads/index.ts';
import { StoreError } from './shared/index.ts';

export interface LeanReads {
  readonly reader: Reader;
  readonly asked: ExchangeAnalytics & ExchangeExplorer;
  close(): void;
}

export function leanReads(journalPath: string): LeanReads {
  let keys: MoneyKeyIndex | undefined;
  const refuse = (): Promise<never> => Promise.reject(onlyAtGateways());
  const reader: Reader = {
    // One look-up of microseconds, for a command of an operator.
    moneyKey: async (key) => {
      keys ??= openMoneyKeyIndex(journalPath);
      return keys.lookup(key);
    },
    order: refuse,
    orders: refuse,
    openOrders: refuse,
    liveOrders: refuse,
    trades: refuse,
    notifications: refuse,
    actions: refuse,
    volumes: refuse,
    priceHistory: refuse,
  };
  return { reader, asked: { ask: refuse }, close: () => keys?.close() };
}

function onlyAtGateways(): StoreError {
  return new StoreError(
    'other_node',
    'a core and a standby keep no tables of orders, trades and positions: ask a gateway',
  );
}
