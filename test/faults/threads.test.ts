// The threads of a loaded exchange die, all but the journal's (crashes.test.ts): requests that
// waited for a thread are refused with 503, the thread is started again, and nothing is lost.
import type { Worker } from 'node:worker_threads';
import t, { type Test } from 'tap';
import { startTestExchange, type TestExchange, type Trader } from '../http/exchange-fixture.ts';
import { scrape, total } from '../http/metrics/scrape.ts';
import { until } from '../persistence/store-fixture.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const PASSES = 1;
/** Orders that are answered between two deaths. */
const ORDERS_BETWEEN = 10;
const WRITERS = 3;

/** The living threads of this process, in the order of their start. */
function livingThreads(t: Test): readonly Worker[] {
  const living: Worker[] = [];
  const keep = (worker: Worker): void => {
    living.push(worker);
    worker.once('exit', () => living.splice(living.indexOf(worker), 1));
  };
  process.on('worker', keep);
  t.teardown(() => process.off('worker', keep));
  return living;
}

/** Writes and reads until `isOver` is set; notes accepted orders and counts refusals. */
class Load {
  readonly accepted: string[] = [];
  readonly refused = new Map<string, number>();
  readonly #trader: Trader;
  readonly #tokenId: string;
  isOver = false;

  constructor(trader: Trader, tokenId: string) {
    this.#trader = trader;
    this.#tokenId = tokenId;
  }

  async run(): Promise<void> {
    while (!this.isOver) {
      const placed = await this.#trader.place({
        tokenId: this.#tokenId,
        priceTicks: 100,
        lots: 500,
      });
      if (placed.status === 200) this.accepted.push(placed.body.orderID);
      else this.#refused(placed.status, placed.body.code);
      const read = await this.#trader.signed('GET', '/data/orders');
      if (read.status !== 200) this.#refused(read.status, read.body.code);
    }
  }

  #refused(status: number, code: string): void {
    const what = `${status} ${code}`;
    this.refused.set(what, (this.refused.get(what) ?? 0) + 1);
  }
}

async function isReady({ send }: TestExchange): Promise<boolean> {
  return (await send('GET', '/readyz')).status === 200;
}

t.test('when threads die under load, waiting requests get 503 and no order is lost', async (t) => {
  const living = livingThreads(t);
  const settings = { temporary: false, dataDir: temporaryFolder(t) };
  const exchange = await startTestExchange(t, settings);
  const [journal] = living;
  await until(async () => (await exchange.operator('GET', '/audit')).status === 200);
  const alice = await exchange.trader(1);
  const load = new Load(alice, exchange.plain.tokenIds[0]);
  const writers = Promise.all(Array.from({ length: WRITERS }, () => load.run()));
  let deaths = 0;
  for (let pass = 0; pass < PASSES; pass += 1) {
    for (const worker of living.filter((one) => one !== journal)) {
      const before = load.accepted.length;
      await worker.terminate();
      deaths += 1;
      await until(() => load.accepted.length >= before + ORDERS_BETWEEN);
      await until(() => isReady(exchange));
      await until(async () => (await exchange.operator('GET', '/audit')).status === 200);
    }
  }
  load.isOver = true;
  await writers;
  t.comment(`${deaths} deaths`, [...load.refused].join(', '));
  t.ok(deaths >= 4 * PASSES, 'projector, reader, verifier and follower');
  const shown = total(await scrape(exchange), 'outcome_exchange_failed_threads_total');
  t.equal(shown, deaths);
  for (const what of load.refused.keys()) t.match(what, /^503 (reader_unavailable|verifier_lost)$/);
  for (const orderId of load.accepted) {
    t.equal((await alice.signed('GET', `/data/order/${orderId}`)).status, 200);
  }
});
