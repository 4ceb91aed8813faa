/**
 * `npm run bench -- image`: how long a whole state takes to leave the engine as an image and to
 * come back, by how many orders rest, in 10,000 accounts and 50 markets. `--orders N` measures one
 * size alone; with `--fees` every order is charged.
 */
import {
  BOUNDS,
  type Command,
  Engine,
  lots,
  micros,
  SnapshotLoader,
  type SnapshotPart,
  type TradingTerms,
  ticks,
} from '../../engine/index.ts';
import { Random } from '../../test/engine/random/random.ts';
import { readOptions } from '../harness/options.ts';
import { fixed, printLine, printProgress, printTable, whole } from '../harness/print.ts';
import { machine, recordResult } from '../harness/results.ts';
import { type SummaryRow, summaryRow } from '../harness/summary.ts';

const ORDERS = [10_000, 100_000, 1_000_000];
const ACCOUNTS = 10_000;
const MARKETS = 50;
const START_MS = 1_760_000_000_000;
const SETS_LOTS = 1_000_000;
const FEES: Partial<TradingTerms> = { takerFeeBps: 700 };
export const IMAGE_OPTIONS = { orders: 'number', fees: 'flag' } as const;

/** Everybody has cash and sets of a market; then orders rest, of both outcomes and sides. */
function* commands(orders: number, feeTerms: Partial<TradingTerms>): Generator<Command> {
  const random = new Random(7);
  const tokens: string[] = [];
  const markets = Array.from({ length: MARKETS }, () => `0x${random.hex(64)}`);
  for (const [at, conditionId] of markets.entries()) {
    const tokenIds = [`9${at}1`.padStart(40, '7'), `9${at}2`.padStart(40, '7')] as const;
    tokens.push(...tokenIds);
    yield {
      kind: 'create_market',
      conditionId,
      tokenIds,
      tickTicks: ticks(10),
      minimumLots: lots(1),
      minimumBudgetMicros: micros(1),
      negRisk: false,
      eventId: '',
      selfTrade: 'cancel_maker',
      ...feeTerms,
    };
  }
  const people = Array.from({ length: ACCOUNTS }, () => `0x${random.hex(40)}`);
  for (const [at, address] of people.entries()) {
    const paperMicros = micros(100_000_000_000);
    yield { kind: 'open_account', address, owner: address, wallet: 'eoa', paperMicros };
    const conditionId = markets[at % MARKETS]!;
    const sets = { conditionId, lots: lots(SETS_LOTS), key: `sets${at}` };
    yield { kind: 'split', account: address, owner: address, ...sets };
  }
  for (let at = 0; at < orders; at += 1) {
    const person = at % ACCOUNTS;
    const outcome = random.below(2);
    const sells = random.chance(40);
    const priceTicks = ticks(
      sells ? 5_010 + random.below(490) * 10 : 4_990 - random.below(490) * 10,
    );
    yield {
      kind: 'place_order',
      orderId: `0x${random.hex(64)}`,
      account: people[person]!,
      owner: people[person]!,
      tokenId: tokens[(person % MARKETS) * 2 + outcome]!,
      side: sells ? 'SELL' : 'BUY',
      type: random.chance(50) ? 'GTC' : 'GTD',
      postOnly: false,
      priceTicks,
      lots: lots(random.between(500, 2_000)),
      budgetMicros: micros(0),
      expiresAtMs: 0,
      minimumLeadMs: 0,
      idCheckedSeq: BOUNDS.totalMicros,
      apiKey: '',
    };
  }
}

function fill(orders: number, feeTerms: Partial<TradingTerms>): Engine {
  const engine = new Engine({}, { reserveOrders: orders });
  let seq = 0;
  for (const command of commands(orders, feeTerms)) {
    seq += 1;
    const timed =
      command.kind === 'place_order' && command.type === 'GTD'
        ? { ...command, expiresAtMs: START_MS + 1_000_000 + (seq % 1_000) }
        : command;
    const events = engine.apply(seq, START_MS, timed);
    const first = events[0];
    if (first?.kind === 'rejected') throw new Error(JSON.stringify(first));
  }
  return engine;
}

interface Figures {
  readonly resting: number;
  readonly bytes: number;
  readonly parts: number;
  readonly writeMs: number;
  readonly loadMs: number;
  /** Of the parts that the loader takes one by one. */
  readonly longestTakeMs: number;
  readonly outlineMs: number;
}

function measure(orders: number, feeTerms: Partial<TradingTerms>): Figures {
  const engine = fill(orders, feeTerms);
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
  let levels = 0;
  for (const { bids, asks } of loaded.summary().markets) levels += bids.length + asks.length;
  const outlineMs = performance.now() - loadedMs;
  if (levels === 0) throw new Error('no levels');
  loaded.validate();
  return {
    resting: loaded.totals().liveOrders,
    bytes: parts.reduce((sum, part) => sum + part.bytes.length, 0),
    parts: parts.length,
    writeMs: writtenMs - beganMs,
    loadMs: loadedMs - writtenMs,
    longestTakeMs,
    outlineMs,
  };
}

function seconds(ms: number): string {
  return fixed(ms / 1_000, 2);
}

export async function benchImage(options: readonly string[]): Promise<readonly SummaryRow[]> {
  const { orders, fees } = readOptions(options, IMAGE_OPTIONS);
  const rows: Figures[] = [];
  for (const count of orders === undefined ? ORDERS : [orders]) {
    printProgress(`image: ${whole(count)} orders`);
    rows.push(measure(count, fees === 1 ? FEES : {}));
  }
  printLine(`the engine's image, one go (${machine()})`);
  printLine();
  printTable([
    ['resting', 'MB', 'parts', 'write s', 'load s', 'longest take ms', 'outline ms'],
    ...rows.map((row) => [
      whole(row.resting),
      fixed(row.bytes / 1e6, 1),
      whole(row.parts),
      seconds(row.writeMs),
      seconds(row.loadMs),
      fixed(row.longestTakeMs, 0),
      fixed(row.outlineMs, 1),
    ]),
  ]);
  recordResult('image', { fees: fees === 1, rows });
  return rows.slice(-1).map(({ resting, writeMs, loadMs }) =>
    summaryRow({
      what: `image of ${whole(resting)} resting, written and loaded`,
      ours: `${seconds(writeMs)} s and ${seconds(loadMs)} s`,
    }),
  );
}
