/**
 * What a core or standby has in place of `analytics.db` and its readers: a core spends its
 * processor time on commands alone. Idempotency keys are looked up in the journal, because commands
 * of operators need them; everything else is refused with the name of a node that has it.
 */

import type { ExchangeReads } from '../persistence/index.ts';
import { type MoneyKeyIndex, openMoneyKeyIndex } from '../persistence/journal/index.ts';
import { type DisposableStack, StoreError } from '../persistence/shared/index.ts';

export function openCoreReads(journalPath: string, closers: DisposableStack): ExchangeReads {
  let keys: MoneyKeyIndex | undefined;
  closers.defer(async () => keys?.close());
  const refuse = (): Promise<never> => Promise.reject(onlyAtGateways());
  return {
    reader: {
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
    },
    analytics: { ask: refuse },
    projectedSeq: undefined,
    threads: [],
    advance: () => undefined,
    begin: () => undefined,
  };
}

function onlyAtGateways(): StoreError {
  return new StoreError(
    'other_node',
    'a core and a standby keep no tables of orders, trades and positions: ask a gateway',
  );
}
