/**
 * Names and evidence of made-up commands: the same number gives the same name, as spread as real
 * ones are.
 */
import { createHash } from 'node:crypto';
import type { Command } from '../../engine/index.ts';
import { evidenceOf as orderEvidenceOf } from '../../http/orders/order-evidence.ts';
import { ZERO_WORD } from '../../http/orders/submission.ts';
import { domainOf } from './order-requests.ts';

export function word(...parts: readonly (string | number)[]): string {
  return `0x${createHash('sha256').update(parts.join(' ')).digest('hex')}`;
}

export function addressOf(account: number): string {
  return word('account', account).slice(0, 42);
}

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

/** As large as an exchange journals it. */
export function evidenceOf(command: Command): unknown {
  if (command.kind !== 'place_order') return { by: 'bench' };
  const { orderId: hash, account: maker, owner: signer, tokenId, side } = command;
  return orderEvidenceOf(
    {
      struct: 'order11',
      salt: String(Number.parseInt(hash.slice(2, 12), 16)),
      maker,
      signer,
      tokenId,
      makerAmount: '49000000',
      takerAmount: '100000000',
      side: side === 'BUY' ? 0 : 1,
      signatureType: 0,
      signature: `${hash}${hash.slice(2)}1b`,
      timestamp: '1760000000000',
      metadata: ZERO_WORD,
      builder: ZERO_WORD,
    },
    DOMAIN,
  );
}

const DOMAIN = domainOf(false);
