/**
 * Makes and signs orders of 11 fields (wire 3.1), which all dev accounts and browser wallets use:
 * the maker is the address that signs (signature type 0).
 *
 * Invariant: the body is the one that `@polymarket/clob-client-v2` sends, except that addresses are
 * in lower case.
 */
import type { OrderType, Side } from '../../../engine/model/index.ts';
import type { SigningDomain } from '../../../http/signing/domains.ts';
import {
  type Order11,
  type OrderRequest as OrderTerms,
  orderContent,
  orderDomain,
} from '../../../http/signing/order-struct.ts';
import { randomSalt } from './random.ts';
import { type Signer, SigningError } from './signer.ts';
import { orderTypedData, type TypedData } from './typed-data.ts';

export interface OrderRequest extends OrderTerms {
  /** Whether the market is of a neg-risk event: it chooses the contract in the signature. */
  readonly negRisk: boolean;
}

/** The chain and the domains of orders, as the exchange says them. */
export interface Domains {
  readonly chainId: number;
  readonly domains: readonly SigningDomain[];
}

export interface OrderContext extends Domains {
  /** Lower case. */
  readonly address: string;
  /** Of the API key that sends the order. */
  readonly apiKey: string;
  readonly nowMs: number;
}

/** The content of an order in the form of a body. */
export interface OrderMessage extends Omit<Order11, 'struct' | 'salt' | 'side' | 'signature'> {
  readonly salt: number;
  readonly side: Side;
  /** Seconds since the epoch; "0" for none. It is not signed. */
  readonly expiration: string;
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

/** A well-formed signature of no key. */
const NO_SIGNATURE = `0x${'0'.repeat(63)}1${'0'.repeat(63)}11b`;

/** The order of a request, not signed. */
function messageOf(request: OrderRequest, { address, nowMs }: OrderContext): OrderMessage {
  const salt = randomSalt();
  const content = orderContent(request, { address, salt, nowMs });
  const { struct: _, signature: __, metadata, builder, ...rest } = content;
  const expiration = String(request.expirationSeconds);
  return { ...rest, salt, side: request.side, expiration, metadata, builder };
}

function domainFor({ chainId, domains }: Domains, negRisk: boolean): SigningDomain {
  const found = orderDomain(domains, { chainId, negRisk });
  if (found !== undefined) return found;
  const kind = negRisk ? 'neg-risk' : 'plain';
  const text = `This exchange has no signing domain for ${kind} markets of chain ${chainId}.`;
  throw new SigningError('invalid_order', text);
}

/** What is signed for an order. Numbers are texts, as wallets want them. */
export function typedDataOf(order: OrderMessage, domains: Domains, negRisk: boolean): TypedData {
  const values = { ...order, salt: String(order.salt), side: order.side === 'BUY' ? 0 : 1 };
  return orderTypedData(values, domainFor(domains, negRisk));
}

function bodyOf(
  order: OrderMessage,
  signature: string,
  { type, postOnly }: OrderRequest,
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
  readonly orderId: string;
  readonly body: OrderBody;
}

/** Signs an order. Rejects with what the signer rejects with. */
export async function signOrder(
  request: OrderRequest,
  signer: Signer,
  context: Omit<OrderContext, 'address'>,
): Promise<SignedOrder> {
  const whole = { ...context, address: signer.address };
  const order = messageOf(request, whole);
  const data = typedDataOf(order, whole, request.negRisk);
  const { typedDataHash } = await import('./cryptography.ts');
  const signature = await signer.signTypedData(data);
  return { orderId: typedDataHash(data), body: bodyOf(order, signature, request, whole) };
}

/**
 * The body with a signature of no key, for POST /debug/order: a wallet would ask its user
 * for each signature.
 */
export function unsignedOrder(request: OrderRequest, context: OrderContext): OrderBody {
  return bodyOf(messageOf(request, context), NO_SIGNATURE, request, context);
}
