/**
 * `npm run bench -- image`: how long the engine takes to write its whole state as a snapshot and to
 * load it, by the number of resting orders, with 10,000 accounts and 50 markets. `--orders N`
 * measures one size alone.
 */
import {
  type Command,
  Engine,
  lots,
  SnapshotLoader,
  type SnapshotPart,
  ticks,
} from '../../engine/index.ts';
import { Random } from '../../test/engine/random/random.ts';
import type { Options } from '../harness/arguments.ts';
import { createMarket, openAccount, placeOrder } from '../harness/commands.ts';
import { fixed, printProgress, printReport, whole } from '../harness/print.ts';
import { type BenchResult, machine } from '../harness/results.ts';
import { sumOf } from '../harness/statistics.ts';
import { summaryRow } from '../harness/summary.ts';

export const IMAGE_OPTIONS = { orders: 'number' } as const;
const ORDERS = [10_000, 100_000, 1_000_000];
const ACCOUNTS = 10_000;
const MARKETS = 50;
const START_MS = 1_760_000_000_000;

/** Every account has cash and sets of a market; then orders of both outcomes and sides rest. */
function* commands(orders: number): Generator<Command> {
  const random = new Random(7);
  const markets = Array.from({ length: MARKETS }, () => `0x${random.hex(64)}`);
  const tokenOf = (market: number, outcome: number): string =>
    `9${market}${outcome + 1}`.padStart(40, '7');
  for (const [at, conditionId] of markets.entries()) {
    const tokenIds = [tokenOf(at, 0), tokenOf(at, 1)] as const;
    yield createMarket({ conditionId, tokenIds, tickTicks: ticks(10), eventId: '' });
  }
  const accounts = Array.from({ length: ACCOUNTS }, () => `0x${random.hex(40)}`);
  for (const [at, account] of accounts.entries()) {
    yield openAccount(account, 100_000_000_000);
    const sets = { conditionId: markets[at % MARKETS]!, lots: lots(1_000_000), key: `sets${at}` };
    yield { kind: 'split', account, owner: account, ...sets };
  }
  for (let at = 0; at < orders; at += 1) {
    const isSell = random.chance(40);
    const away = random.below(490) * 10;
    const isTimed = random.chance(50);
    yield placeOrder({
      orderId: `0x${random.hex(64)}`,
      account: accounts[at % ACCOUNTS]!,
      tokenId: tokenOf((at % ACCOUNTS) % MARKETS, random.below(2)),
      side: isSell ? 'SELL' : 'BUY',
      type: isTimed ? 'GTD' : 'GTC',
      priceTicks: isSell ? 5_010 + away : 4_990 - away,
      lots: random.between(500, 2_000),
      expiresAtMs: isTimed ? START_MS + 1_000_000 + (at % 1_000) : 0,
      apiKey: '',
    });
  }
}

function fill(orders: number): Engine {
  const engine = new Engine({}, { reserveOrders: orders });
  let seq = 0;
  for (const command of commands(orders)) {
    seq += 1;
    const [first] = engine.apply(seq, START_MS, command);
    if (first?.kind === 'rejected') throw new Error(JSON.stringify(first));
  }
  return engine;
}

function measure(orders: number) {
  printProgress(`image: ${whole(orders)} orders`);
  const engine = fill(orders);
  const beganMs = performance.now();
  const parts: SnapshotPart[] = [...engine.snapshot()];
  const writtenMs = performance.now();
  const loader = new SnapshotLoader({}, { hashSeed: 12_345 });
  let longestTakeMs = 0;
  for (const part of parts) {
    const fromMs = performance.now();
    loader.take(part);
    longestTakeMs = Math.max(longestTakeMs, performance.now() - fromMs);
  }
  const loaded = loader.finish();
  const loadedMs = performance.now();
  loaded.validate();
  return {
    resting: loaded.totals().liveOrders,
    bytes: sumOf(parts, ({ bytes }) => bytes.length),
    parts: parts.length,
    writeMs: writtenMs - beganMs,
    loadMs: loadedMs - writtenMs,
    longestTakeMs,
  };
}

export async function benchImage({ orders }: Options<typeof IMAGE_OPTIONS>): Promise<BenchResult> {
  const rows = (orders === undefined ? ORDERS : [orders]).map(measure);
  const seconds = (ms: number): string => fixed(ms / 1_000, 2);
  printReport(`the state of the engine as a snapshot, one measurement (${machine()})`, [
    ['resting', 'MB', 'parts', 'write s', 'load s', 'longest take ms'],
    ...rows.map((row) => [
      whole(row.resting),
      fixed(row.bytes / 1e6, 1),
      whole(row.parts),
      seconds(row.writeMs),
      seconds(row.loadMs),
      fixed(row.longestTakeMs, 0),
    ]),
  ]);
  const summary = rows.slice(-1).map(({ resting, writeMs, loadMs }) =>
    summaryRow({
      what: `image of ${whole(resting)} resting, written and loaded`,
      ours: `${seconds(writeMs)} s and ${seconds(loadMs)} s`,
    }),
  );
  return { figures: { rows }, rows: summary };
}
