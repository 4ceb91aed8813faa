/** Shared by tests of the store: exchanges that close at the end of a test, commands, streams. */
import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import type { Bounds, Command, EngineEvent, Holder, PlaceOrder } from '../../engine/index.ts';
import { BOUNDS, Engine, isChange, lots, micros, ticks } from '../../engine/index.ts';
import type { DurableCommand, Exchange, ExchangeOptions } from '../../persistence/index.ts';
import { openExchange, StoreError } from '../../persistence/index.ts';
import { type VerifyReport, verifyFolder } from '../../persistence/tools/verify.ts';
import { RandomCommands } from '../engine/random/commands.ts';
import { EventObserver } from '../engine/random/event-observer.ts';
import { randomBounds } from '../engine/random/scene.ts';
import type { Scope } from '../temporary-folder.ts';
import { type EventHandlers, handleEvents } from './event-handlers.ts';

/** Options of an exchange under test; `on` handles its events. */
export type TestOptions = Partial<Omit<ExchangeOptions, 'onEvent'>> & {
  readonly on?: EventHandlers;
};

/** Opens an exchange that the test's end closes. A failure without a handler is thrown. */
export async function openFor(
  scope: Scope,
  dataDir: string,
  changes: TestOptions = {},
): Promise<Exchange> {
  const exchange = await openAnyhow(dataDir, changes);
  scope.teardown(() => exchange.close());
  return exchange;
}

/** Like `openFor`, for a test that alters the files of the open exchange. */
export const openSpoilt: typeof openFor = async (scope, dataDir, changes = {}) => {
  const exchange = await openAnyhow(dataDir, changes);
  scope.teardown(() => closeSpoilt(exchange));
  return exchange;
};

/** Closes an exchange whose files were altered, so that its threads may fail while they close. */
export async function closeSpoilt(exchange: Exchange): Promise<void> {
  await exchange.close().catch((error: unknown) => {
    const failures: unknown[] = error instanceof AggregateError ? error.errors : [error];
    const isThread = (one: unknown) => one instanceof StoreError && one.code === 'thread_failed';
    if (!failures.every(isThread)) throw error;
  });
}

function openAnyhow(dataDir: string, { on = {}, ...changes }: TestOptions): Promise<Exchange> {
  return openExchange({
    dataDir,
    temporary: false,
    now: Date.now,
    funding: 'paper',
    onEvent: handleEvents(on),
    // To fill the room of a durable exchange would take half of the time of a start.
    reservedOrders: 1_024,
    // The follower's thread costs each start a tenth of a second.
    snapshotPace: 'never',
    ...changes,
  });
}

/** Like `openFor`, with a follower, which makes a snapshot when the exchange is closed. */
export const openFollowed: typeof openFor = (scope, dataDir, changes = {}) =>
  openFor(scope, dataDir, { snapshotPace: { everyMs: 300_000 }, ...changes });

/** Opens a database that another connection may have open. */
export function openBeside(scope: Scope, path: string): Database {
  const database = new SqliteDatabase(path, { timeout: 5_000 });
  scope.teardown(() => database.close());
  return database;
}

/**
 * Verifies a closed folder: replays and projects its journal and compares the result with its
 * files. Throws the findings but those of the catalog, which has no rows for markets of tests.
 */
export async function replayFolder(dataDir: string): Promise<VerifyReport> {
  const report = await verifyFolder({ dataDir });
  const faults = report.findings.filter(({ kind }) => kind !== 'catalog');
  if (faults.length > 0) throw new Error(JSON.stringify(faults));
  return report;
}

const PATIENCE_MS = 60_000;

/**
 * Waits for a condition that another thread makes true. It gives up when its test has long timed
 * out: without that, the process of the test would never end.
 */
export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = performance.now() + PATIENCE_MS;
  while (!(await isTrue())) {
    if (performance.now() > endMs) throw new Error(`not true within ${PATIENCE_MS} ms`);
    await sleep(2);
  }
}

export const CONDITION = `0x${'c0'.repeat(32)}`;
export const YES = '71';
export const NO = '72';
export const ALICE = `0x${'a1'.repeat(20)}`;
export const BOB = `0x${'b2'.repeat(20)}`;

/** An order id. Ids are spread like real ones, which are hashes. */
export function orderIdOf(number: number): string {
  return `0x${hash('sha256', `order ${number}`)}`;
}

export const createMarket: Command = {
  kind: 'create_market',
  conditionId: CONDITION,
  tokenIds: [YES, NO],
  tickTicks: ticks(100),
  minimumLots: lots(1),
  minimumBudgetMicros: micros(1),
  negRisk: false,
  eventId: 'event',
  selfTrade: 'cancel_maker',
};

export function openAccount(address: string, paperMicros = 1_000_000_000): Command {
  return {
    kind: 'open_account',
    address,
    owner: address,
    wallet: 'eoa',
    paperMicros: micros(paperMicros),
  };
}

/** A GTC BUY of 10 lots YES at 0.50 by Alice, unless the changes say otherwise. */
export function order(number: number, changes: Partial<PlaceOrder> = {}): PlaceOrder {
  return {
    kind: 'place_order',
    orderId: orderIdOf(number),
    account: ALICE,
    owner: ALICE,
    tokenId: YES,
    side: 'BUY',
    type: 'GTC',
    postOnly: false,
    priceTicks: ticks(5_000),
    lots: lots(10),
    budgetMicros: micros(0),
    expiresAtMs: 0,
    minimumLeadMs: 0,
    earlyEndMs: 0,
    idCheckedSeq: Number.MAX_SAFE_INTEGER,
    apiKey: '00000000-0000-4000-8000-000000000001',
    ...changes,
  };
}

/** The same by Bob on NO: it fills `order` by a mint. */
export function counterOrder(number: number, changes: Partial<PlaceOrder> = {}): PlaceOrder {
  return order(number, { account: BOB, owner: BOB, tokenId: NO, ...changes });
}

/** A market and two funded accounts. */
export const WORLD: readonly Command[] = [createMarket, openAccount(ALICE), openAccount(BOB)];

export function submitAll(exchange: Exchange, commands: readonly Command[]) {
  return Promise.all(commands.map((command) => exchange.submit(command)));
}

export interface StreamStep {
  readonly timeMs: number;
  readonly command: Command;
  readonly events: readonly EngineEvent[];
}

export interface Stream {
  readonly steps: readonly StreamStep[];
  /** The commands that changed something, with seqs as in a journal. */
  readonly durable: readonly DurableCommand[];
  /** The holders of a resolved market at the time of its resolution. */
  readonly holdersOf: (conditionId: string) => readonly Holder[];
  readonly engine: Engine;
}

/**
 * Small bounds, so that trades have several buckets. But the engine remembers as many order ids and
 * idempotency keys as usual, because these tests have no index that knows the forgotten ones.
 */
export function smallBounds(seed: number): Partial<Bounds> {
  return {
    ...randomBounds(seed),
    recentOrders: BOUNDS.recentOrders,
    rememberedMoneyKeys: BOUNDS.rememberedMoneyKeys,
  };
}

/** The sequencer refuses other numbers, because JSON can't hold them. */
function hasFiniteNumbers(command: Command): boolean {
  return (
    JSON.stringify(command) ===
    JSON.stringify(command, (_, value) =>
      typeof value === 'number' && !Number.isFinite(value) ? 'none' : value,
    )
  );
}

/**
 * Random commands with the engine's events for them. Like the sequencer, it works off what is due
 * before each command.
 */
export function randomStream(seed: number, count: number, bounds: Partial<Bounds> = {}): Stream {
  const engine = new Engine(bounds);
  const seen = new EventObserver();
  const source = new RandomCommands(seed, { ...BOUNDS, ...bounds }, seen);
  const steps: StreamStep[] = [];
  const durable: DurableCommand[] = [];
  const holders = new Map<string, readonly Holder[]>();
  for (let index = 0; index < count; index += 1) {
    const { timeMs, command } = source.next(durable.length);
    if (!hasFiniteNumbers(command)) continue;
    while (engine.isBehind(timeMs)) apply(timeMs, { kind: 'advance_time' });
    apply(timeMs, command);
  }
  return { steps, durable, engine, holdersOf: (conditionId) => holders.get(conditionId) ?? [] };

  function apply(timeMs: number, command: Command): void {
    const seq = durable.length + 1;
    const events = engine.apply(seq, timeMs, engine.inputOf(command));
    seen.observe(command, events);
    steps.push({ timeMs, command, events });
    for (const event of events) {
      if (event.kind !== 'market_resolved') continue;
      holders.set(event.conditionId, [...engine.holders(event.conditionId)]);
    }
    if (events.some(isChange)) durable.push({ seq, timeMs, command, events });
  }
}
