/**
 * The reference for orders over HTTP: POST /order and DELETE /order with the usual packages,
 * Fastify with its schemas, node:crypto, viem and better-sqlite3. It takes the requests that our
 * routes take, makes the same checks one by one, and gives the same answer when the order is on the
 * disk. One process, one thread, one transaction an order.
 */
import { createHash, randomUUID } from 'node:crypto';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { Keys } from './order-keys.ts';
import { type OrderFields, verifyOrder } from './order-signature.ts';
import { type OrderRow, openOrderStore } from './order-store.ts';
import { type ReferenceTerms, Refusal } from './order-terms.ts';
import { type NewOrder, type Placed, Venue } from './order-venue.ts';

export interface OrderBody {
  readonly order: OrderFields;
  readonly owner: string;
  readonly orderType: 'GTC' | 'FOK' | 'FAK';
  readonly postOnly?: boolean;
}

interface CancelBody {
  readonly orderID: string;
}

/** The sender of a request, found by the hooks. */
interface Caller {
  readonly address: string;
  readonly apiKey: string;
}

const MICRO_TOKENS_PER_LOT = 10_000;

const address = { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' };
const digits = { type: 'string', pattern: '^(0|[1-9][0-9]{0,77})$' };
const word = { type: 'string', pattern: '^0x[0-9a-fA-F]{64}$' };

const orderFields = {
  salt: digits,
  maker: address,
  signer: address,
  tokenId: digits,
  makerAmount: digits,
  takerAmount: digits,
  side: { type: 'string', enum: ['BUY', 'SELL'] },
  signatureType: { type: 'integer', enum: [0] },
  timestamp: digits,
  metadata: word,
  builder: word,
  expiration: { type: 'string', enum: ['0'] },
  signature: { type: 'string', pattern: '^0x[0-9a-fA-F]{130}$' },
};

const orderSchema = {
  type: 'object',
  required: ['order', 'owner', 'orderType'],
  properties: {
    order: { type: 'object', required: Object.keys(orderFields), properties: orderFields },
    owner: { type: 'string' },
    orderType: { type: 'string', enum: ['GTC', 'FOK', 'FAK'] },
    postOnly: { type: 'boolean' },
  },
};

const cancelSchema = {
  type: 'object',
  required: ['orderID'],
  properties: { orderID: { type: 'string', minLength: 1, maxLength: 128 } },
};

/** What an order asks for, in lots and ticks; throws `Refusal` 400 when it is off the grid. */
function measure({ side, makerAmount, takerAmount }: OrderFields) {
  const [cash, tokens] =
    side === 'BUY'
      ? [Number(makerAmount), Number(takerAmount)]
      : [Number(takerAmount), Number(makerAmount)];
  const lots = tokens / MICRO_TOKENS_PER_LOT;
  if (!Number.isSafeInteger(cash) || !Number.isSafeInteger(lots) || lots < 1) {
    throw new Refusal(400, 'The amounts are off the grid');
  }
  return { lots, priceTicks: cash / lots };
}

function decimal(micros: number): string {
  return String(micros / 1e6);
}

/** The answer to an accepted order, with the keys of wire 3.10. */
function resultOf({ id, isBuy }: NewOrder, { trades, status }: Placed) {
  let [lots, micros] = [0, 0];
  for (const trade of trades) {
    lots += trade.lots;
    micros += trade.lots * trade.priceTicks;
  }
  const cash = lots === 0 ? '' : decimal(micros);
  const tokens = lots === 0 ? '' : decimal(lots * MICRO_TOKENS_PER_LOT);
  const tradeIDs = trades.map(() => randomUUID());
  return {
    success: true,
    errorMsg: '',
    orderID: id,
    orderHash: id,
    takingAmount: isBuy ? tokens : cash,
    makingAmount: isBuy ? cash : tokens,
    status,
    transactionsHashes: tradeIDs.map(
      (tradeId) => `0x${createHash('sha256').update(tradeId).digest('hex')}`,
    ),
    tradeIDs,
  };
}

function refusalOf(sentence: string) {
  return {
    success: false,
    error: sentence,
    errorMsg: sentence,
    orderID: '',
    orderHash: null,
    takingAmount: '',
    makingAmount: '',
    status: 'error',
    transactionsHashes: [],
    tradeIDs: [],
  };
}

export class OrderServer {
  readonly #terms: ReferenceTerms;
  readonly #keys: Keys;
  readonly #venue: Venue;
  readonly #store: ReturnType<typeof openOrderStore>;
  /** Bytes and sender of the requests in progress. */
  readonly #bodies = new WeakMap<FastifyRequest, Buffer>();
  readonly #callers = new WeakMap<FastifyRequest, Caller>();

  constructor(terms: ReferenceTerms) {
    this.#terms = terms;
    this.#keys = new Keys(terms.accounts);
    this.#venue = new Venue(terms);
    this.#store = openOrderStore(terms.path);
  }

  /** Makes the server with its routes; it does not listen yet. */
  create(): FastifyInstance {
    const app = Fastify();
    app.removeContentTypeParser('application/json');
    // The HMAC covers the bytes.
    const kept = { parseAs: 'buffer' } as const;
    app.addContentTypeParser<Buffer>('application/json', kept, (request, bytes, done) => {
      this.#bodies.set(request, bytes);
      try {
        done(null, JSON.parse(bytes.toString()));
      } catch {
        done(new Refusal(400, 'The body is not JSON'));
      }
    });
    app.setErrorHandler((error, _request, reply) => {
      const known = error instanceof Error ? error : new Error(String(error));
      const isInvalid = 'validation' in known;
      const status = known instanceof Refusal ? known.status : isInvalid ? 400 : 500;
      return reply.status(status).send(refusalOf(known.message));
    });
    app.addHook('preValidation', async (request) => {
      const { method, url, headers } = request;
      const body = this.#bodies.get(request) ?? Buffer.alloc(0);
      this.#callers.set(request, this.#keys.authenticate(headers, method + url, body));
    });
    app.post<{ Body: OrderBody }>('/order', { schema: { body: orderSchema } }, (request) =>
      this.#place(request.body, this.#callerOf(request), this.#textOf(request)),
    );
    app.delete<{ Body: CancelBody }>(
      '/order',
      { schema: { body: cancelSchema } },
      async (request) => this.#cancel(request.body.orderID, this.#callerOf(request)),
    );
    return app;
  }

  /** Puts orders that rest on the books, without any check. */
  fill(orders: readonly { readonly id: string; readonly body: OrderBody }[]): void {
    const rows = orders.map(({ id, body }) => {
      const wanted = newOrder(id, body);
      this.#venue.place(wanted);
      return rowOf(wanted, JSON.stringify(body), []);
    });
    this.#store.insertAll(rows);
  }

  /** Orders in the database. */
  count(): number {
    return this.#store.count();
  }

  close(): void {
    this.#store.close();
  }

  async #place(body: OrderBody, caller: Caller, text: string) {
    const { order, owner } = body;
    if (owner !== caller.apiKey) throw new Refusal(400, 'The owner has to be the API key');
    if (order.signer.toLowerCase() !== caller.address) {
      throw new Refusal(403, "The signer has to be the API key's address");
    }
    if (order.maker.toLowerCase() !== caller.address) {
      throw new Refusal(403, 'The maker has to be the signer');
    }
    const { market } = this.#venue.token(order.tokenId);
    const { negRiskDomain, plainDomain } = this.#terms;
    const id = await verifyOrder(order, market.negRisk ? negRiskDomain : plainDomain);
    if (this.#venue.isLive(id) || this.#store.has(id)) {
      throw new Refusal(400, `order ${id} is invalid. Duplicated.`);
    }
    const wanted = newOrder(id, body);
    const placed = this.#venue.place(wanted);
    this.#store.insert(rowOf(wanted, text, placed.trades));
    return resultOf(wanted, placed);
  }

  #cancel(id: string, { address: owner }: Caller) {
    if (!this.#venue.cancel(id, owner)) {
      const reason = "order can't be found - already canceled or matched";
      return { canceled: [], not_canceled: { [id]: reason } };
    }
    this.#store.cancel(id, Date.now());
    return { canceled: [id], not_canceled: {} };
  }

  #callerOf(request: FastifyRequest): Caller {
    const caller = this.#callers.get(request);
    if (caller === undefined) throw new Refusal(401, 'The sender is unknown');
    return caller;
  }

  #textOf(request: FastifyRequest): string {
    return (this.#bodies.get(request) ?? '').toString();
  }
}

function newOrder(id: string, { order, orderType, postOnly = false }: OrderBody): NewOrder {
  return {
    id,
    owner: order.maker.toLowerCase(),
    tokenId: order.tokenId,
    isBuy: order.side === 'BUY',
    type: orderType,
    postOnly,
    ...measure(order),
  };
}

function rowOf(order: NewOrder, body: string, trades: Placed['trades']): OrderRow {
  return {
    id: order.id,
    account: order.owner,
    tokenId: order.tokenId,
    side: order.isBuy ? 'BUY' : 'SELL',
    type: order.type,
    priceTicks: order.priceTicks,
    lots: order.lots,
    createdMs: Date.now(),
    body,
    trades: JSON.stringify(trades),
  };
}

let running: OrderServer | undefined;

/** Starts the server in this process. Returns its URL. */
export async function start(terms: ReferenceTerms): Promise<string> {
  running = new OrderServer(terms);
  return await running.create().listen({ host: '127.0.0.1', port: 0 });
}

export function fill(orders: Parameters<OrderServer['fill']>[0]): void {
  running?.fill(orders);
}

export function count(): number {
  return running?.count() ?? 0;
}
