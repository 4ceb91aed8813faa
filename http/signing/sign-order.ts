/**
 * Makes the signed 11-field order that a client sends (wire 3.1, 3.9): for `place-order`, and for
 * the accounts that trade inside this process.
 *
 * Invariant: amounts are whole base units and exactly on the grid, except that the tokens of a cash
 * budget are rounded down.
 */
import {
  cashFor,
  type Lots,
  MICRO_TOKENS_PER_LOT,
  type Micros,
  type OrderType,
  type Side,
  type Ticks,
} from '../../engine/model/index.ts';
import { domainSeparator } from './domain-table.ts';
import type { SigningDomain } from './domains.ts';
import { bytesToHex } from './hash.ts';
import { type Order11, structHash } from './order-hash.ts';
import { typedDataDigest } from './typed-data.ts';
import type { Wallet } from './wallet.ts';

export interface OrderRequest {
  readonly tokenId: string;
  readonly side: Side;
  readonly type: OrderType;
  readonly priceTicks: Ticks;
  /** 0 when `budgetMicros` is given. */
  readonly lots: Lots;
  /** Cash of a FOK or FAK BUY; 0 otherwise. */
  readonly budgetMicros: Micros;
  /** Seconds since the epoch; 0 for none. */
  readonly expirationSeconds: number;
  readonly postOnly: boolean;
}

export interface SigningContext {
  readonly wallet: Wallet;
  readonly domain: SigningDomain;
  /** Below 2^53, and different in each order of a wallet. */
  readonly salt: number;
  readonly nowMs: number;
}

const ZERO_WORD = `0x${'0'.repeat(64)}`;

/** The amounts that the maker gives and takes, in base units (wire 4.2, 4.5). */
function amountsOf({
  side,
  priceTicks,
  lots,
  budgetMicros,
}: OrderRequest): Pick<Order11, 'makerAmount' | 'takerAmount'> {
  if (budgetMicros > 0) {
    // A lot is 10,000 micro-tokens and costs one micro for each tick.
    const microTokens = (BigInt(budgetMicros) * BigInt(MICRO_TOKENS_PER_LOT)) / BigInt(priceTicks);
    return { makerAmount: String(budgetMicros), takerAmount: String(microTokens) };
  }
  const cash = String(cashFor(lots, priceTicks));
  const tokens = String(lots * MICRO_TOKENS_PER_LOT);
  return side === 'BUY'
    ? { makerAmount: cash, takerAmount: tokens }
    : { makerAmount: tokens, takerAmount: cash };
}

/**
 * The first domain of the 11-field struct for a kind of market and a chain, by default any;
 * undefined for none.
 */
export function orderDomain(
  domains: readonly SigningDomain[],
  { chainId, negRisk }: { readonly chainId?: number; readonly negRisk: boolean },
): SigningDomain | undefined {
  return domains.find(
    (domain) =>
      domain.struct === 'order11' &&
      (chainId === undefined || domain.chainId === chainId) &&
      (domain.negRisk ?? negRisk) === negRisk,
  );
}

/** The digest that is signed. It is also the order's id. */
function digestOf(order: Order11, domain: SigningDomain): Uint8Array {
  const contents = structHash(order);
  if (!contents.ok) {
    throw new Error(`${contents.field} is ${contents.actual}; it must be ${contents.expected}`);
  }
  return typedDataDigest(domainSeparator(domain), contents.hash);
}

interface SignedRequest {
  readonly orderId: string;
  /** The body of POST /order without its `owner`. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** Signs an order. Returns its id too, so that it can be cancelled before it is answered. */
export function signKnownOrder(request: OrderRequest, context: SigningContext): SignedRequest {
  const { address } = context.wallet;
  const content: Order11 = {
    struct: 'order11',
    salt: String(context.salt),
    maker: address,
    signer: address,
    tokenId: request.tokenId,
    ...amountsOf(request),
    side: request.side === 'BUY' ? 0 : 1,
    signatureType: 0,
    timestamp: String(context.nowMs),
    metadata: ZERO_WORD,
    builder: ZERO_WORD,
    signature: '',
  };
  const digest = digestOf(content, context.domain);
  const { struct: _, ...fields } = content;
  const order = {
    ...fields,
    side: request.side,
    expiration: String(request.expirationSeconds),
    signature: context.wallet.sign(digest),
  };
  const body = { order, orderType: request.type, postOnly: request.postOnly };
  return { orderId: bytesToHex(digest), body };
}

/** The body of POST /order without its `owner`. */
export function signOrder(
  request: OrderRequest,
  context: SigningContext,
): Readonly<Record<string, unknown>> {
  return signKnownOrder(request, context).body;
}
