/**
 * Reads at an even rate beside a flow of signed orders, both in open loops to the real program.
 * The catalog and analytics benchmarks use it.
 */
import type { LoadRequest } from '../harness/closed-loop.ts';
import type { Exchange } from '../harness/exchange.ts';
import { evenly, runOpenLoop } from '../harness/open-loop.ts';
import { Orders } from '../harness/orders.ts';

const CONNECTIONS = 50;
const ORDERS_PER_SECOND = 50;

export class BesideOrders {
  readonly #exchange: Exchange;
  readonly #orders: Orders;
  readonly #seconds: number;

  private constructor(exchange: Exchange, orders: Orders, seconds: number) {
    this.#exchange = exchange;
    this.#orders = orders;
    this.#seconds = seconds;
  }

  /** `seconds` is the length of each run. */
  static async of(exchange: Exchange, seconds: number): Promise<BesideOrders> {
    return new BesideOrders(exchange, await Orders.of(exchange), seconds);
  }

  /** Spreads the reads, if any, evenly over a run. Throws if an answer is not 200 or 207. */
  async run(reads: readonly LoadRequest[]) {
    const orders = this.#orders.make(ORDERS_PER_SECOND * this.#seconds);
    const before = this.#exchange.processorSeconds();
    const [readsMs, ordersMs] = await Promise.all([this.#send(reads), this.#send(orders)]);
    /** Processor time of the program, for reads and orders together. */
    const processorSeconds = this.#exchange.processorSeconds() - before;
    return { readsMs, ordersMs, processorSeconds };
  }

  /** Returns the latencies in ms. */
  async #send(requests: readonly LoadRequest[]): Promise<Float64Array> {
    const dueMs = evenly(requests.length, requests.length / this.#seconds);
    const { url } = this.#exchange;
    const answers = await runOpenLoop({ url, connections: CONNECTIONS, requests, dueMs });
    const wrong = answers.statuses.findIndex((status) => status !== 200 && status !== 207);
    if (wrong < 0) return answers.latenciesMs;
    const { method, path } = requests[wrong]!;
    throw new Error(`${method} ${path} answers ${answers.statuses[wrong]}`);
  }
}
