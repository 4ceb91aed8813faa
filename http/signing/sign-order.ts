/**
 * Makes the signed 11-field order that a client sends (wire 3.1, 3.9): for `place-order`, and for
 * the accounts that trade inside this process.
 */
import { domainSeparator } from './domain-table.ts';
import type { SigningDomain } from './domains.ts';
import { bytesToHex } from './hash.ts';
import { structHash } from './order-hash.ts';
import { type Order11, type OrderRequest, orderContent } from './order-struct.ts';
import { typedDataDigest } from './typed-data.ts';
import type { Wallet } from './wrapped-signature.ts';

export interface SigningContext {
  readonly wallet: Wallet;
  readonly domain: SigningDomain;
  /** Below 2^53, and different in each order of a wallet. */
  readonly salt: number;
  readonly nowMs: number;
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
  const { wallet, salt, nowMs } = context;
  const content = orderContent(request, { address: wallet.address, salt, nowMs });
  const digest = digestOf(content, context.domain);
  const { struct: _, ...fields } = content;
  const order = {
    ...fields,
    side: request.side,
    expiration: String(request.expirationSeconds),
    signature: wallet.sign(digest),
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
