// The streams of a page on a real exchange, with the test's own clock, timers and frames.
import { strict as assert } from 'node:assert';
import type { Test } from 'tap';
import type { Socket } from '../../../../console/browser/streams/environment.ts';
import type { MarketView } from '../../../../console/browser/streams/market-feed.ts';
import type { OwnTrade, TradeRow } from '../../../../console/browser/streams/messages.ts';
import {
  openStreams,
  type Streams,
  type TradeSources,
} from '../../../../console/browser/streams/streams.ts';
import type { TestExchange, Trader } from '../../../http/exchange-fixture.ts';

const CUT_CODE = 1006;

/** A real socket that a test can cut, and whose messages it can hold back. */
class TestSocket implements Socket {
  onopen: Socket['onopen'] = null;
  onmessage: Socket['onmessage'] = null;
  onclose: Socket['onclose'] = null;
  readonly path: string;
  readonly sent: string[] = [];
  /** Messages that have arrived but are not delivered; undefined while they are delivered. */
  held: MessageEvent[] | undefined;
  pongs = 0;
  readonly #real: WebSocket;
  readonly #wake: () => void;

  constructor(url: string, path: string, wake: () => void) {
    this.path = path;
    this.#wake = wake;
    const real = new WebSocket(url + path);
    this.#real = real;
    real.onopen = (event) => this.#tell(() => this.onopen?.(event));
    real.onclose = (event) => this.#tell(() => this.onclose?.(event));
    real.onmessage = (event) => {
      if (event.data === 'PONG') this.pongs += 1;
      if (this.held === undefined) this.#tell(() => this.onmessage?.(event));
      else this.held.push(event);
      this.#wake();
    };
    // The close event has the reason.
    real.onerror = () => {};
  }

  get readyState(): Socket['readyState'] {
    return this.#real.readyState;
  }

  get isOpen(): boolean {
    return this.readyState === WebSocket.OPEN;
  }

  send(data: Parameters<Socket['send']>[0]): void {
    this.sent.push(String(data));
    this.#real.send(data);
  }

  close(): void {
    this.#real.close();
  }

  /** Delivers the first of the held messages, and those that come from now on. */
  deliver(count: number): void {
    const held = this.held ?? [];
    this.held = undefined;
    for (const event of held.slice(0, count)) this.#tell(() => this.onmessage?.(event));
  }

  /** Ends as if the network had failed. */
  cut(): void {
    const { onclose } = this;
    this.onopen = null;
    this.onmessage = null;
    this.onclose = null;
    this.#real.close();
    // Safe: a link reads the code and the reason.
    onclose?.call(this as never, { code: CUT_CODE, reason: '' } as CloseEvent);
    this.#wake();
  }

  #tell(event: () => void): void {
    event();
    this.#wake();
  }
}

interface Timer {
  readonly dueMs: number;
  readonly run: () => void;
}

/** Trades come from the streams alone, so that nothing hides a gap. */
const NO_HISTORY: TradeSources = {
  fetchTrades: async () => [],
  fetchOwnTrades: async () => [],
};

/** Trades before the page listened come from the exchange. */
export function restSources({ send }: TestExchange, trader?: Trader): TradeSources {
  return {
    fetchTrades: async (market) => {
      const { text } = await send('GET', `/trades?market=${market}&limit=200`);
      // Safe: the route answers rows of trades.
      return JSON.parse(text) as TradeRow[];
    },
    fetchOwnTrades: async () => {
      const answer = await trader?.signed('GET', '/data/trades');
      // Safe: the route answers trades of the account.
      return (answer?.body.data ?? []) as unknown as OwnTrade[];
    },
  };
}

export class TestPage {
  readonly streams: Streams;
  readonly sockets: TestSocket[] = [];
  nowMs = 1_000_000;
  #timers: Timer[] = [];
  #frames: (() => void)[] = [];
  frameCount = 0;
  #waiters: (() => void)[] = [];

  constructor(t: Pick<Test, 'teardown'>, url: string, sources: TradeSources = NO_HISTORY) {
    const root = url.replace(/^http/, 'ws');
    const wake = () => {
      for (const waiter of this.#waiters.splice(0)) waiter();
    };
    this.streams = openStreams(
      {
        nowMs: () => this.nowMs,
        random: () => 0.5,
        after: (delayMs, run) => {
          const timer = { dueMs: this.nowMs + delayMs, run };
          this.#timers.push(timer);
          return () => {
            this.#timers = this.#timers.filter((other) => other !== timer);
          };
        },
        onNextFrame: (run) => {
          this.#frames.push(run);
          wake();
        },
        openSocket: (path) => {
          const socket = new TestSocket(root, path, wake);
          this.sockets.push(socket);
          return socket;
        },
      },
      sources,
    );
    t.teardown(() => {
      for (const socket of this.sockets) socket.close();
    });
  }

  /** The newest socket of a path. */
  socket(path: string): TestSocket {
    const socket = this.sockets.findLast((one) => one.path === path);
    assert.ok(socket, `no socket to ${path}`);
    return socket;
  }

  frame(): void {
    const frames = this.#frames;
    this.#frames = [];
    if (frames.length > 0) this.frameCount += 1;
    for (const run of frames) run();
  }

  /** Lets time pass; what is due happens at its time. */
  advance(ms: number): void {
    const endMs = this.nowMs + ms;
    for (;;) {
      const due = this.#timers.toSorted((one, other) => one.dueMs - other.dueMs)[0];
      if (due === undefined || due.dueMs > endMs) break;
      this.#timers = this.#timers.filter((timer) => timer !== due);
      this.nowMs = Math.max(this.nowMs, due.dueMs);
      due.run();
    }
    this.nowMs = endMs;
  }

  /** Waits for messages until a condition holds; draws each time. */
  async until(holds: () => boolean): Promise<void> {
    this.frame();
    while (!holds()) {
      await new Promise<void>((resolve) => {
        this.#waiters.push(resolve);
      });
      this.frame();
    }
  }

  /** Waits until all that the exchange sent on a path by now has arrived, and what it caused. */
  async settled(path: string): Promise<void> {
    const socket = this.socket(path);
    await this.until(() => socket.isOpen);
    let count: number;
    do {
      // The page's own requests go first.
      await Promise.resolve();
      socket.send('PING');
      count = socket.sent.length;
      const pings = socket.sent.filter((text) => text === 'PING').length;
      await this.until(() => socket.pongs >= pings);
      await Promise.resolve();
    } while (socket.sent.length > count);
  }

  /** Texts of the tap that a link wrote about itself. */
  events(): readonly string[] {
    return this.streams.tap
      .messages()
      .filter(({ direction }) => direction === 'event')
      .map(({ text }) => text);
  }
}

interface WireLevel {
  readonly price: string;
  readonly size: string;
}

/** What the page shows of an outcome's book, in the form of `GET /book`: the worst level first. */
export function shownBook({ book }: MarketView, outcome: 0 | 1) {
  const listed = (side: 'bid' | 'ask'): WireLevel[] =>
    book
      .levels(outcome, side)
      .map(({ priceTicks, lots }) => ({
        price: `${priceTicks / 10_000}`,
        size: `${lots / 100}`,
      }))
      .reverse();
  return { bids: listed('bid'), asks: listed('ask') };
}

/** The same of the exchange. */
export async function restBook({ send }: Pick<TestExchange, 'send'>, tokenId: string) {
  const { text } = await send('GET', `/book?token_id=${tokenId}`);
  // Safe: the route answers a book.
  const { bids, asks } = JSON.parse(text) as { bids: WireLevel[]; asks: WireLevel[] };
  return { bids, asks };
}
