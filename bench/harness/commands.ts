/**
 * Engine commands for the benchmarks that need no HTTP. Ids and addresses are hashes of numbers, so
 * the same number gives the same id, and ids are spread as evenly as real ones.
 */
import { createHash } from 'node:crypto';
import {
  type Command,
  type CreateMarket,
  lots,
  micros,
  type PlaceOrder,
  ticks,
} from '../../engine/index.ts';
import { evidenceOf as orderEvidence } from '../../http/orders/order-evidence.ts';
import { ZERO_WORD } from '../../http/orders/submission.ts';
import { domainOf } from './signing.ts';

/** A 32-byte id in hex that depends on the parts alone. */
export function word(...parts: readonly (string | number)[]): string {
  return `0x${createHash('sha256').update(parts.join(' ')).digest('hex')}`;
}

export function addressOf(account: number): string {
  return word('account', account).slice(0, 42);
}

export function apiKeyOf(account: number): string {
  const hex = word('key', account).slice(2);
  const [a, b, c, d] = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(13, 16), hex.slice(17, 20)];
  return `${a}-${b}-4${c}-8${d}-${hex.slice(20, 32)}`;
}

/** Copies an ASCII text. V8 has no cached hash of the copy, as of a text from a request. */
export function copyText(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}

export function createMarket(
  market: Pick<CreateMarket, 'conditionId' | 'tokenIds'> & Partial<CreateMarket>,
): CreateMarket {
  return {
    kind: 'create_market',
    tickTicks: ticks(100),
    minimumLots: lots(1),
    minimumBudgetMicros: micros(1),
    negRisk: false,
    eventId: 'bench',
    selfTrade: 'cancel_maker',
    ...market,
  };
}

/** An account that is its own owner. */
type OpenAccount = Extract<Command, { kind: 'open_account' }>;

export function openAccount(address: string, paperMicros: number): OpenAccount {
  const cash = micros(paperMicros);
  return { kind: 'open_account', address, owner: address, wallet: 'eoa', paperMicros: cash };
}

type PlainTerms = Pick<PlaceOrder, 'orderId' | 'account' | 'tokenId' | 'side' | 'type' | 'apiKey'>;

interface OrderTerms extends PlainTerms {
  readonly priceTicks: number;
  /** 0 if the order has a budget. */
  readonly lots: number;
  readonly budgetMicros?: number;
  readonly expiresAtMs?: number;
  /** By default later than any command, so that the engine does not refuse the id as unchecked. */
  readonly idCheckedSeq?: number;
}

/** The account is its own owner. All commands have their fields in one order, for speed. */
export function placeOrder(terms: OrderTerms): PlaceOrder {
  return {
    kind: 'place_order',
    orderId: terms.orderId,
    account: terms.account,
    owner: terms.account,
    tokenId: terms.tokenId,
    side: terms.side,
    type: terms.type,
    postOnly: false,
    priceTicks: ticks(terms.priceTicks),
    lots: lots(terms.lots),
    budgetMicros: micros(terms.budgetMicros ?? 0),
    expiresAtMs: terms.expiresAtMs ?? 0,
    minimumLeadMs: 0,
    earlyEndMs: 0,
    idCheckedSeq: terms.idCheckedSeq ?? Number.MAX_SAFE_INTEGER,
    apiKey: terms.apiKey,
  };
}

const DOMAIN = domainOf(false);

/** Evidence as large as that of a real exchange. */
export function evidenceOf(command: Command): unknown {
  if (command.kind !== 'place_order') return { by: 'bench' };
  const { orderId: hash, account: maker, owner: signer, tokenId, side } = command;
  return orderEvidence(
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
