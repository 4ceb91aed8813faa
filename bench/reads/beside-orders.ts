/**
 * Reads at an even rate beside a flow of signed orders, both in open loops to the real program.
 * Catalog and analytics measure their reads so.
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

  /** Every run takes so many seconds. */
  static async of(exchange: Exchange, seconds: number): Promise<BesideOrders> {
    return new BesideOrders(exchange, await Orders.of(exchange), seconds);
  }

  /** Sends the reads over the time of a run, or no reads at all. Throws for a wrong answer. */
  async run(reads: readonly LoadRequest[]) {
    const orders = this.#orders.make(ORDERS_PER_SECOND * this.#seconds);
    const before = this.#exchange.processorSeconds();
    const [readsMs, ordersMs] = await Promise.all([this.#send(reads), this.#send(orders)]);
    /** Processor time of the program, with that for the orders. */
    const processorSeconds = this.#exchange.processorSeconds() - before;
    return { readsMs, ordersMs, processorSeconds };
  }

  /** Returns the latencies. */
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
