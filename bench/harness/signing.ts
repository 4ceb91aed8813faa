/** Signs orders and authenticates requests as a client of the exchange does. */
import { lots, micros, type OrderType, type Side, ticks } from '../../engine/index.ts';
import { DEFAULT_DOMAINS, type SigningDomain } from '../../http/signing/domains.ts';
import { signL2 } from '../../http/signing/l2.ts';
import { signKnownOrder } from '../../http/signing/sign-order.ts';
import { type Wallet, walletOf } from '../../http/signing/wrapped-signature.ts';
import type { LoadRequest } from './closed-loop.ts';
import type { LoadAccount } from './exchange.ts';

export const CHAIN_ID = 137;

/** The domain for which orders of plain or of neg-risk markets are signed. */
export function domainOf(negRisk: boolean): SigningDomain {
  const domain = DEFAULT_DOMAINS.find(({ struct, chainId, negRisk: only = negRisk }) => {
    return struct === 'order11' && chainId === CHAIN_ID && only === negRisk;
  });
  if (domain === undefined) throw new Error('the exchange has no signing domain');
  return domain;
}

export interface OrderToSign {
  readonly tokenId: string;
  readonly negRisk: boolean;
  readonly side: Side;
  readonly type: OrderType;
  readonly cents: number;
  /** 0 where the order has a budget instead. */
  readonly lots: number;
  readonly budgetMicros?: number;
  readonly postOnly?: boolean;
}

/** A signed order: its id and the body of its request. */
export interface SignedOrder {
  readonly id: string;
  readonly body: { readonly owner: string } & Readonly<Record<string, unknown>>;
}

/** An account with its keys. It signs each order with the next salt. */
export class Signer {
  readonly account: LoadAccount;
  readonly #wallet: Wallet;
  #salt = 0;

  constructor(account: LoadAccount) {
    this.account = account;
    this.#wallet = walletOf(account.privateKey);
  }

  order(order: OrderToSign, nowMs = Date.now()): SignedOrder {
    this.#salt += 1;
    const { orderId: id, body } = signKnownOrder(
      {
        tokenId: order.tokenId,
        side: order.side,
        type: order.type,
        priceTicks: ticks(order.cents * 100),
        lots: lots(order.lots),
        budgetMicros: micros(order.budgetMicros ?? 0),
        expirationSeconds: 0,
        postOnly: order.postOnly ?? false,
      },
      {
        wallet: this.#wallet,
        domain: domainOf(order.negRisk),
        salt: this.#salt,
        nowMs: Math.floor(nowMs),
      },
    );
    return { id, body: { ...body, owner: this.account.apiKey } };
  }

  /** A request with L2 headers. The signature covers the path without its query. */
  request(
    method: LoadRequest['method'],
    path: string,
    content?: unknown,
    nowMs = Date.now(),
  ): LoadRequest {
    const { address, apiKey, passphrase, secret } = this.account;
    const body = content === undefined ? '' : JSON.stringify(content);
    const timestamp = String(Math.floor(nowMs / 1_000));
    const [signed = ''] = path.split('?');
    const signature = signL2(secret, { timestamp, method, path: signed }, Buffer.from(body));
    const headers = {
      'content-type': 'application/json',
      POLY_ADDRESS: address,
      POLY_API_KEY: apiKey,
      POLY_PASSPHRASE: passphrase,
      POLY_TIMESTAMP: timestamp,
      POLY_SIGNATURE: signature,
    };
    return { method, path, headers, body };
  }
}

/** A read without authentication. */
export function readRequest(path: string): LoadRequest {
  return { method: 'GET', path, headers: {}, body: '' };
}
