/**
 * Names and evidence of made-up commands: the same number gives the same name, as spread as real
 * ones are.
 */
import { createHash } from 'node:crypto';
import type { Command } from '../engine/index.ts';

export const word = (...parts: readonly (string | number)[]): string =>
  `0x${createHash('sha256').update(parts.join(' ')).digest('hex')}`;

export const addressOf = (account: number): string => word('account', account).slice(0, 42);

export function apiKeyOf(account: number): string {
  const hex = word('key', account).slice(2);
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
  ];
  return [...parts, hex.slice(20, 32)].join('-');
}

/** As large as that of a signed order. */
export function evidenceOf(command: Command): unknown {
  if (command.kind !== 'place_order') return { by: 'bench' };
  const { orderId: salt, account: maker, owner: signer, tokenId, side } = command;
  const amounts = { makerAmount: '49000000', takerAmount: '100000000' };
  const order = { salt, maker, signer, taker: NOBODY, tokenId, ...amounts, side };
  return {
    order: { ...order, expiration: '0', nonce: '0', feeRateBps: '0', signatureType: 0 },
    signature: `${salt}${salt.slice(2)}1b`,
  };
}

const NOBODY = addressOf(0);
