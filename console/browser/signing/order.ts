/**
 * Makes and signs orders of 11 fields (wire 3.1), which all dev accounts and browser wallets use:
 * the maker is the address that signs (signature type 0).
 *
 * Invariant: the body is the one that `@polymarket/clob-client-v2` sends, except that addresses are
 * in lower case.
 */
import { type Amounts, type AmountTerms, amountsOf, type OrderType } from './amounts.ts';
import { randomSalt } from './random.ts';
import { type Signer, SigningError } from './signer.ts';
import { type OrderDomain, orderTypedData, type TypedData } from './typed-data.ts';

export interface OrderTerms extends AmountTerms {
  readonly tokenId: string;
  /** Whether the market is of a neg-risk event: it chooses the contract in the signature. */
  readonly negRisk: boolean;
  /** False by default. For GTC and GTD only. */
  readonly postOnly?: boolean;
  /** Seconds since the epoch by the exchange's clock: for GTD, and only for it. */
  readonly expirationSeconds?: number;
  /** 32 bytes of hex. */
  readonly builder?: string;
}

/** The chain and the domains of orders, as the exchange says them. */
export interface Domains {
  readonly chainId: number;
  readonly domains: readonly OrderDomain[];
}

export interface OrderContext extends Domains {
  /** Lower case. */
  readonly address: string;
  /** Of the API key that sends the order. */
  readonly apiKey: string;
  readonly nowMs: number;
}

export interface OrderMessage extends Amounts {
  /** Different in each order of an address. */
  readonly salt: number;
  readonly maker: string;
  readonly signer: string;
  readonly tokenId: string;
  readonly side: 'BUY' | 'SELL';
  readonly signatureType: 0;
  /** Milliseconds since the epoch. */
  readonly timestamp: string;
  /** Seconds since the epoch; "0" for none. It is not signed. */
  readonly expiration: string;
  readonly metadata: string;
  readonly builder: string;
}

/** The body of POST /order and POST /debug/order, and an element of that of POST /orders. */
export interface OrderBody {
  readonly deferExec: false;
  readonly postOnly: boolean;
  readonly order: OrderMessage & { readonly signature: string };
  /** The API key. */
  readonly owner: string;
  readonly orderType: OrderType;
}

const ZERO_WORD = `0x${'0'.repeat(64)}`;
const WORD = /^0x[0-9a-fA-F]{64}$/;
const TOKEN_ID = /^(0|[1-9]\d{0,77})$/;
/** A well-formed signature of no key. */
const NO_SIGNATURE = `0x${'0'.repeat(63)}1${'0'.repeat(63)}11b`;

function invalid(field: string, message: string): SigningError {
  return new SigningError('invalid_order', message, field);
}

function checkTerms({ tokenId, type, postOnly, expirationSeconds, builder }: OrderTerms): void {
  if (!TOKEN_ID.test(tokenId)) {
    throw invalid('tokenId', `The token id is ${tokenId}. It must be a decimal number.`);
  }
  if (postOnly === true && (type === 'FOK' || type === 'FAK')) {
    throw invalid('postOnly', `Post-only is for GTC and GTD orders, not for ${type}.`);
  }
  if (type === 'GTD' ? !(Number(expirationSeconds) > 0) : Number(expirationSeconds ?? 0) !== 0) {
    const message = 'A GTD order needs an expiration; orders of other types have none.';
    throw invalid('expiration', message);
  }
  if (builder !== undefined && !WORD.test(builder)) {
    throw invalid('builder', `The builder is ${builder}. It must be 0x and 64 hex digits.`);
  }
}

/** The order of these terms, not signed. Throws `invalid_order`. */
function messageOf(terms: OrderTerms, { address, nowMs }: OrderContext): OrderMessage {
  checkTerms(terms);
  const { makerAmount, takerAmount } = amountsOf(terms);
  return {
    salt: randomSalt(),
    maker: address,
    signer: address,
    tokenId: terms.tokenId,
    makerAmount,
    takerAmount,
    side: terms.side,
    signatureType: 0,
    timestamp: String(nowMs),
    expiration: String(terms.expirationSeconds ?? 0),
    metadata: ZERO_WORD,
    builder: terms.builder ?? ZERO_WORD,
  };
}

function domainFor({ chainId, domains }: Domains, negRisk: boolean): OrderDomain {
  const found = domains.find(
    (domain) =>
      domain.struct === 'order11' &&
      domain.chainId === chainId &&
      (domain.negRisk ?? negRisk) === negRisk,
  );
  if (found !== undefined) return found;
  const kind = negRisk ? 'neg-risk' : 'plain';
  throw invalid(
    'negRisk',
    `This exchange has no signing domain for ${kind} markets of chain ${chainId}.`,
  );
}

/** What is signed for an order. Numbers are texts, as wallets want them. */
export function typedDataOf(order: OrderMessage, domains: Domains, negRisk: boolean): TypedData {
  const { salt, maker, signer, tokenId, makerAmount, takerAmount, side, signatureType } = order;
  const { timestamp, metadata, builder } = order;
  const message = {
    ...{ salt: String(salt), maker, signer, tokenId, makerAmount, takerAmount },
    ...{ side: side === 'BUY' ? 0 : 1, signatureType, timestamp, metadata, builder },
  };
  return orderTypedData(message, domainFor(domains, negRisk));
}

function bodyOf(
  order: OrderMessage,
  signature: string,
  { type, postOnly = false }: OrderTerms,
  { apiKey }: OrderContext,
): OrderBody {
  return {
    deferExec: false,
    postOnly,
    order: { ...order, signature },
    owner: apiKey,
    orderType: type,
  };
}

export interface SignedOrder {
  /** The id that the order will have. */
  readonly orderId: string;
  readonly body: OrderBody;
}

/**
 * Signs an order. Rejects with `invalid_order` for terms that are not possible, and with what the
 * signer rejects with.
 */
export async function signOrder(
  terms: OrderTerms,
  signer: Signer,
  context: Omit<OrderContext, 'address'>,
): Promise<SignedOrder> {
  const whole = { ...context, address: signer.address };
  const order = messageOf(terms, whole);
  const data = typedDataOf(order, whole, terms.negRisk);
  const { typedDataHash } = await import('./cryptography.ts');
  const signature = await signer.signTypedData(data);
  return { orderId: typedDataHash(data), body: bodyOf(order, signature, terms, whole) };
}

/**
 * The body with a signature of no key, for POST /debug/order: a wallet would ask its user
 * for each signature. Throws `invalid_order`.
 */
export function unsignedOrder(terms: OrderTerms, context: OrderContext): OrderBody {
  return bodyOf(messageOf(terms, context), NO_SIGNATURE, terms, context);
}
