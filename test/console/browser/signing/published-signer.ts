/** A key with which the published client, viem and the console all sign. */

import { createWalletClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { OrderRequest } from '../../../../console/browser/signing/order.ts';
import { lots, micros, ticks } from '../../../../engine/model/index.ts';
import { vectors } from '../../../http/signing/fixtures.ts';

// Safe: it is 0x and 64 hex digits.
export const PRIVATE_KEY = vectors.privateKey as `0x${string}`;
const account = privateKeyToAccount(PRIVATE_KEY);
/** For the published client. It never connects: signing needs no chain. */
export const walletClient = createWalletClient({ account, transport: http('http://127.0.0.1:1') });

export const TICK_SIZES = ['0.1', '0.01', '0.005', '0.0025', '0.001', '0.0001'] as const;

export interface Terms extends Partial<OrderRequest> {
  /** Decimal texts, as the published client takes them. */
  readonly price: string;
  readonly tickSize: (typeof TICK_SIZES)[number];
  /** Tokens; of a budget, cash. */
  readonly quantity: string;
}

function isBudget({ side, type }: Pick<OrderRequest, 'side' | 'type'>): boolean {
  return side === 'BUY' && (type === 'FOK' || type === 'FAK');
}

/** The request of these terms. */
export function requestOf({ price, tickSize: _, quantity, ...terms }: Terms): OrderRequest {
  const kind = { side: 'BUY', type: 'GTC', ...terms } as const;
  const hundredths = Math.round(Number(quantity) * 100);
  return {
    ...{ tokenId: '1234', negRisk: false, expirationSeconds: 0, postOnly: false, ...kind },
    priceTicks: ticks(Math.round(Number(price) * 1e4)),
    lots: lots(isBudget(kind) ? 0 : hundredths),
    budgetMicros: micros(isBudget(kind) ? hundredths * 10_000 : 0),
  };
}
