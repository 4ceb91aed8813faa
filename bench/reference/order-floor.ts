/**
 * The floor of orders over HTTP: a server that does only what no program of this design can leave
 * out for an order that is signed, authenticated and durable, or for its cancel. It takes body and
 * headers, parses the JSON and checks passphrase and HMAC; one thread recovers the signer, another
 * commits one row an order in a transaction of all that came meanwhile; then the answer goes out.
 * It has no engine, balance, book, stream, limit or metric: it is no exchange.
 *
 * Invariant: an answer of success comes after the synced commit of its row.
 */
import Database from 'better-sqlite3';
import { readAuthHeaders } from '../../http/api/header-names.ts';
import { isSameText } from '../../http/auth/level-two.ts';
import { HTTP_BOUNDS } from '../../http/bounds/sizes.ts';
import { BodyReader } from '../../http/server/body.ts';
import { verifyL2 } from '../../http/signing/l2.ts';
import {
  createApp,
  type HttpRequest,
  type HttpResponse,
  listenOn,
  portOf,
} from '../../http/socket/socket-library.ts';
import { startWorker } from '../../persistence/threads/start-worker.ts';
import type { FloorRows } from './order-floor-journal.ts';
import type { FloorOrder, FloorVerdicts } from './order-floor-verifier.ts';
import { Gathering } from './order-gathering.ts';
import type { OrderBody } from './order-server.ts';
import type { ReferenceAccount, ReferenceTerms } from './order-terms.ts';

const WINDOW_MS = 300_000;
const JOURNAL = new URL('./order-floor-journal.ts', import.meta.url);
const VERIFIER = new URL('./order-floor-verifier.ts', import.meta.url);

/** A request in progress. */
interface Asked {
  readonly response: HttpResponse;
  /** Lower case. */
  readonly address: string;
  readonly text: string;
  isOver: boolean;
}

interface Unverified {
  readonly asked: Asked;
  readonly order: FloorOrder;
}

interface Unwritten {
  readonly asked: Asked;
  readonly id: string;
  readonly answer: object;
}

type Reader = (asked: Asked) => void;

class OrderFloor {
  /** By API key, with the address in lower case. */
  readonly #keys: ReadonlyMap<string, ReferenceAccount>;
  readonly #negRisk: ReadonlyMap<string, boolean>;
  readonly #bodies = new BodyReader(HTTP_BOUNDS.partialBodyBytes);
  #verifying!: Gathering<Unverified>; // made by `start`, before anything listens
  #writing!: Gathering<Unwritten>; // likewise

  constructor({ accounts, markets }: ReferenceTerms) {
    this.#keys = new Map(
      accounts.map((account) => [
        account.apiKey,
        { ...account, address: account.address.toLowerCase() },
      ]),
    );
    this.#negRisk = new Map(
      markets.flatMap(({ tokenIds, negRisk }) => tokenIds.map((id) => [id, negRisk] as const)),
    );
  }

  /** Starts the threads and listens. Returns the URL. */
  async start(terms: ReferenceTerms): Promise<string> {
    await this.#startThreads(terms);
    const app = createApp();
    app.post('/order', (response, request) =>
      this.#accept(response, request, 'POST', (asked) => this.#place(asked)),
    );
    app.del('/order', (response, request) =>
      this.#accept(response, request, 'DELETE', (asked) => this.#cancel(asked)),
    );
    const listener = await listenOn(app, '127.0.0.1', 0);
    if (listener === undefined) throw new Error('the floor for orders got no port');
    return `http://127.0.0.1:${portOf(listener)}`;
  }

  async #startThreads(terms: ReferenceTerms): Promise<void> {
    const onDeath = (error: Error): void => {
      throw error;
    };
    const verifier = await startWorker<readonly FloorOrder[], undefined, FloorVerdicts>({
      entry: VERIFIER,
      name: 'the verifier of the floor',
      data: terms,
      onMessage: ({ ids }) => this.#verified(ids),
      onDeath,
    });
    const journal = await startWorker<FloorRows, undefined, { kind: 'committed' }>({
      entry: JOURNAL,
      name: 'the journal of the floor',
      data: terms,
      onMessage: () => this.#committed(),
      onDeath,
    });
    this.#verifying = new Gathering({
      size: HTTP_BOUNDS.verificationsPerMessage,
      messages: HTTP_BOUNDS.messagesPerVerifier,
      send: (waiting) => verifier.worker.post(waiting.map(({ order }) => order)),
    });
    this.#writing = new Gathering({
      size: Number.POSITIVE_INFINITY,
      messages: 1,
      send: (waiting) =>
        journal.worker.post({
          ids: waiting.map(({ id }) => id),
          texts: waiting.map(({ asked }) => asked.text),
        }),
    });
  }

  #accept(response: HttpResponse, request: HttpRequest, method: string, read: Reader): void {
    const { values } = readAuthHeaders('l2', (name) => request.getHeader(name));
    const { API_KEY, PASSPHRASE, TIMESTAMP: timestamp, SIGNATURE: signature } = values;
    const asked = { response, address: values.ADDRESS.toLowerCase(), text: '', isOver: false };
    response.onAborted(() => {
      asked.isOver = true;
    });
    const done = (body: Uint8Array): void => {
      const key = this.#keys.get(API_KEY);
      const signed = { timestamp, signature, method, paths: ['/order'], body };
      const window = { nowMs: Date.now(), windowMs: WINDOW_MS };
      const isProved =
        key !== undefined &&
        isSameText(key.passphrase, PASSPHRASE) &&
        key.address === asked.address &&
        verifyL2(key.secret, signed, window).ok;
      asked.text = Buffer.from(body.buffer, body.byteOffset, body.length).toString();
      if (isProved) read(asked);
      else answer(asked, '401 Unauthorized', { error: 'not authenticated' });
    };
    const refused = (): void => answer(asked, '413 Payload Too Large', { error: 'too large' });
    this.#bodies.read(response, HTTP_BOUNDS.bodyBytes, { done, refused });
  }

  #place(asked: Asked): void {
    // Safe: only benchmarks send requests; the verifier refuses other contents.
    const { order } = JSON.parse(asked.text) as OrderBody;
    const side = order.side === 'BUY' ? 0 : 1;
    this.#verifying.push({
      asked,
      order: {
        order: { struct: 'order11', ...order, side, signatureType: 0 },
        negRisk: this.#negRisk.get(order.tokenId) === true,
        keyAddress: asked.address,
        makerOwner: asked.address,
      },
    });
  }

  #verified(ids: readonly string[]): void {
    for (const [index, { asked }] of this.#verifying.answered().entries()) {
      const id = ids[index] ?? '';
      if (id === '') answer(asked, '400 Bad Request', { error: 'another signer' });
      else this.#writing.push({ asked, id, answer: resultOf(id) });
    }
  }

  #cancel(asked: Asked): void {
    const { orderID: id } = JSON.parse(asked.text) as { orderID: string }; // safe: as above
    this.#writing.push({ asked, id, answer: { canceled: [id], not_canceled: {} } });
  }

  #committed(): void {
    for (const written of this.#writing.answered()) answer(written.asked, '', written.answer);
  }
}

/** The answer to a resting order, with the keys of the exchange's answer. */
function resultOf(id: string) {
  return {
    success: true,
    errorMsg: '',
    orderID: id,
    orderHash: id,
    takingAmount: '',
    makingAmount: '',
    status: 'live',
    transactionsHashes: [],
    tradeIDs: [],
  };
}

/** With status '' the library answers 200. */
function answer({ response, isOver }: Asked, status: string, body: object): void {
  if (isOver) return;
  response.cork(() => {
    if (status !== '') response.writeStatus(status);
    response.writeHeader('content-type', 'application/json');
    response.end(JSON.stringify(body));
  });
}

/** Starts the floor in this process. Returns its URL. */
export async function start(terms: ReferenceTerms): Promise<string> {
  return await new OrderFloor(terms).start(terms);
}

/** The ids in its database, of orders and cancels, in the order of their rows. */
export function readIds(path: string): string[] {
  const database = new Database(path, { readonly: true });
  const ids = database.prepare<[], string>('SELECT order_id FROM requests ORDER BY seq');
  const found = ids.pluck().all();
  database.close();
  return found;
}
