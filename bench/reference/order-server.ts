/**
 * The reference for orders over HTTP: POST /order and DELETE /order with the usual packages,
 * Fastify with its schemas, node:crypto, viem and better-sqlite3. It accepts what the benchmark
 * sends, which is GTC BUYs and their cancels. It makes the checks of our routes one by one, and
 * gives the same answer when the order is on the disk. It has one process, one thread and one
 * transaction for each order.
 */
import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { Keys } from './order-keys.ts';
import { type OrderFields, verifyOrder } from './order-signature.ts';
import { type OrderRow, openOrderStore } from './order-store.ts';
import { type ReferenceTerms, Refusal } from './order-terms.ts';
import { type NewOrder, type Placed, type Trade, Venue } from './order-venue.ts';

export interface OrderBody {
  readonly order: OrderFields;
  readonly owner: string;
}

interface CancelBody {
  readonly orderID: string;
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
  side: { type: 'string', enum: ['BUY'] },
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
    orderType: { type: 'string', enum: ['GTC'] },
    postOnly: { type: 'boolean', enum: [false] },
  },
};

const cancelSchema = {
  type: 'object',
  required: ['orderID'],
  properties: { orderID: { type: 'string', minLength: 1, maxLength: 128 } },
};

/** What an order asks for, in lots and ticks; throws `Refusal` 400 when it is off the grid. */
function newOrder(id: string, order: OrderFields): NewOrder {
  const micros = Number(order.makerAmount);
  const lots = Number(order.takerAmount) / MICRO_TOKENS_PER_LOT;
  if (!Number.isSafeInteger(micros) || !Number.isSafeInteger(lots) || lots < 1) {
    throw new Refusal(400, 'The amounts are off the grid');
  }
  const owner = order.maker.toLowerCase();
  return { id, owner, tokenId: order.tokenId, lots, priceTicks: micros / lots };
}

function rowOf(order: NewOrder, body: string, trades: readonly Trade[]): OrderRow {
  return { ...order, createdMs: Date.now(), body, trades: JSON.stringify(trades) };
}

function decimal(micros: number): string {
  return micros === 0 ? '' : String(micros / 1e6);
}

/** The answer to an accepted order, with the keys of wire 3.10. */
function resultOf(id: string, { trades, status }: Placed) {
  let [lots, micros] = [0, 0];
  for (const trade of trades) {
    lots += trade.lots;
    micros += trade.lots * trade.priceTicks;
  }
  const tradeIDs = trades.map(() => randomUUID());
  return {
    success: true,
    errorMsg: '',
    orderID: id,
    orderHash: id,
    takingAmount: decimal(lots * MICRO_TOKENS_PER_LOT),
    makingAmount: decimal(micros),
    status,
    transactionsHashes: [],
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
  readonly #domains: ReferenceTerms['domains'];
  readonly #keys: Keys;
  readonly #venue: Venue;
  readonly #store: ReturnType<typeof openOrderStore>;
  /** The bytes of the requests in progress, which the HMAC covers. */
  readonly #bodies = new WeakMap<FastifyRequest, Buffer>();

  constructor(terms: ReferenceTerms) {
    this.#domains = terms.domains;
    this.#keys = new Keys(terms.accounts);
    this.#venue = new Venue(terms);
    this.#store = openOrderStore(terms.path);
  }

  /** Makes the server with its routes; it does not listen yet. */
  create(): FastifyInstance {
    const app = Fastify();
    app.removeContentTypeParser('application/json');
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
    app.post<{ Body: OrderBody }>('/order', { schema: { body: orderSchema } }, (request) =>
      this.#place(request),
    );
    app.delete<{ Body: CancelBody }>(
      '/order',
      { schema: { body: cancelSchema } },
      async (request) => this.#cancel(request),
    );
    return app;
  }

  /** Places resting orders without checking who signed them. A body is that of POST /order. */
  fill(orders: readonly { readonly id: string; readonly body: object }[]): void {
    const rows = orders.map(({ id, body }) => {
      const order = newOrder(id, (body as OrderBody).order);
      this.#venue.place(order);
      return rowOf(order, JSON.stringify(body), []);
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

  async #place(request: FastifyRequest<{ Body: OrderBody }>) {
    const { order, owner } = request.body;
    const { caller, bytes } = this.#authenticate(request);
    if (owner !== caller.apiKey) throw new Refusal(400, 'The owner has to be the API key');
    if (order.signer.toLowerCase() !== caller.address) {
      throw new Refusal(403, "The signer has to be the API key's address");
    }
    if (order.maker.toLowerCase() !== caller.address) {
      throw new Refusal(403, 'The maker has to be the signer');
    }
    const { market } = this.#venue.token(order.tokenId);
    const id = await verifyOrder(order, this.#domains[market.negRisk ? 'negRisk' : 'plain']);
    if (this.#store.has(id)) throw new Refusal(400, `order ${id} is invalid. Duplicated.`);
    const wanted = newOrder(id, order);
    const placed = this.#venue.place(wanted);
    this.#store.insert(rowOf(wanted, bytes.toString(), placed.trades));
    return resultOf(id, placed);
  }

  #cancel(request: FastifyRequest<{ Body: CancelBody }>) {
    const { orderID: id } = request.body;
    const { caller } = this.#authenticate(request);
    if (!this.#venue.cancel(id, caller.address)) {
      const reason = "order can't be found - already canceled or matched";
      return { canceled: [], not_canceled: { [id]: reason } };
    }
    this.#store.cancel(id, Date.now());
    return { canceled: [id], not_canceled: {} };
  }

  #authenticate(request: FastifyRequest) {
    const { method, url, headers } = request;
    const bytes = this.#bodies.get(request) ?? Buffer.alloc(0);
    return { caller: this.#keys.authenticate(headers, method + url, bytes), bytes };
  }
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
