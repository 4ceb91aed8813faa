/**
 * Measures how smoothly the market page runs while its book changes a thousand times a second:
 * `node test/console/browser/market/book-frames.ts [SECONDS] [CHANGES]`. It is no test,
 * because tests have no timings. Exchange, generator and browser share the machine.
 */
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { lots, micros, type PlaceOrder, ticks } from '../../../../engine/index.ts';
import { measureFrames } from '../../../browser/frame-times.ts';
import { bookShows, startMarketPages, ticketOf } from './market-fixture.ts';

const [seconds = 10, changesPerSecond = 1_000] = process.argv.slice(2).map(Number);
const TURN_MS = 10;
const LEVELS = 30;

interface Book {
  readonly bids: readonly { readonly price: string; readonly size: string }[];
  readonly asks: Book['bids'];
}

const SHOWN = 40;

/** The rows that the page shows of each side, as the exchange says them. */
async function bestRows(url: string, tokenId: string): Promise<string[]> {
  const response = await fetch(`${url}/book?token_id=${tokenId}`);
  // Safe: the schema of the answer is proved by the examples.
  const { bids, asks } = (await response.json()) as Book;
  const rowsOf = (levels: Book['bids']): string[] => {
    let sum = 0;
    return levels
      .slice(-SHOWN)
      .toReversed()
      .map(({ price, size }) => {
        sum += Math.round(Number(size) * 100);
        const total = (sum / 100).toLocaleString('en-US');
        return `${Math.round(Number(price) * 100)}¢ ${size} ${total}`;
      });
  };
  return [...rowsOf(asks).toReversed(), ...rowsOf(bids)];
}

const { share, open } = await startMarketPages(t);

t.test('a book that changes a thousand times a second', async (t) => {
  const { plain: market, trader, running } = share();
  const { address } = await trader(1);
  const { exchange } = running.services;
  let count = 0;
  function orderAt(level: number): PlaceOrder {
    count += 1;
    return {
      kind: 'place_order',
      orderId: `0x${String(count).padStart(64, '0')}`,
      account: address,
      owner: address,
      tokenId: market.tokenIds[count % 2]!,
      side: 'BUY',
      type: 'GTC',
      postOnly: false,
      priceTicks: ticks(4_500 - 100 * level),
      lots: lots(500 + (count % 1_000)),
      budgetMicros: micros(0),
      expiresAtMs: 0,
      minimumLeadMs: 1,
      earlyEndMs: 0,
      idCheckedSeq: Number.MAX_SAFE_INTEGER,
      apiKey: '',
    };
  }
  const page = await open(t, market, { account: 2 });
  // A ticket that sums up what its order would do has the most to draw.
  const ticket = ticketOf(page);
  await ticket.getByLabel('Price').fill('60');
  await ticket.getByLabel('Size').fill('100');
  const resting: PlaceOrder[] = [];
  const changes = (changesPerSecond * TURN_MS) / 1_000;
  let sent = 0;
  /** An order rests, and later the same level loses it: each is one change of the book. */
  async function change(): Promise<void> {
    sent += 1;
    const oldest = resting.length >= 2 * LEVELS ? resting.shift() : undefined;
    if (oldest !== undefined) {
      const { orderId } = oldest;
      await exchange.submit({ kind: 'cancel_orders', owner: address, orderIds: [orderId] });
      return;
    }
    const order = orderAt(Math.floor(Math.random() * LEVELS));
    resting.push(order);
    await exchange.submit(order);
  }
  const times = await measureFrames(page, async () => {
    const startMs = performance.now();
    for (let turn = 1; turn * TURN_MS <= seconds * 1_000; turn += 1) {
      await Promise.all(Array.from({ length: changes }, change));
      await delay(startMs + turn * TURN_MS - performance.now());
    }
  });
  await bookShows(page, await bestRows(running.url, market.tokenIds[0]));
  const sorted = [...times].sort((one, other) => one - other);
  const at = (part: number) => sorted[Math.floor(part * (sorted.length - 1))]?.toFixed(1);
  t.comment(
    `${sent} changes in ${seconds} s; ${times.length} frames; ` +
      `milliseconds of a frame: ` +
      `median ${at(0.5)}, 95% ${at(0.95)}, 99% ${at(0.99)}, longest ${at(1)}`,
  );
});
