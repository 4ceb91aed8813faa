/**
 * The three servers of the orders benchmark: the real program; the reference, which makes the same
 * checks one by one (reference/order-server.ts); and the floor, which does only what cannot be left
 * out (reference/order-floor.ts). All have the same accounts, keys and markets, so that the same
 * signed requests go to each.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Target } from '../harness/closed-loop.ts';
import { Exchange, type LoadAccount } from '../harness/exchange.ts';
import { type LoadMarket, Orders } from '../harness/orders.ts';
import { Process } from '../harness/process.ts';
import { domainOf } from '../harness/signing.ts';
import type * as Floor from '../reference/order-floor.ts';
import type * as Reference from '../reference/order-server.ts';
import type { ReferenceTerms } from '../reference/order-terms.ts';

/** Enough for all orders of all rounds, for each account. */
const PAPER_UNITS = 1_000_000;
/** The highest number of accounts, because the live orders of each account are bounded. */
export const FLAGS = [
  ...['--paper-amount', String(PAPER_UNITS), '--dev-accounts', '20'],
  ...['--log-level', 'error'],
];
const TICKS = 10_000;

/** What a server beside ours must know of the real program. */
export interface BesideInput {
  readonly accounts: readonly LoadAccount[];
  readonly markets: readonly LoadMarket[];
  readonly cashMicros: number;
}

/** A server beside ours, with its database in a temporary folder. */
export interface Beside<Module> extends Target {
  readonly process: Process<Module>;
  /** The path of its database. */
  readonly path: string;
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>;
  remove(): void;
}

export function referenceTerms(input: BesideInput, path: string): ReferenceTerms {
  return {
    accounts: input.accounts,
    markets: input.markets.map(({ tokenIds, negRisk, step }) => ({
      tokenIds,
      negRisk,
      stepTicks: Math.round(step * TICKS),
    })),
    plainDomain: domainOf(false),
    negRiskDomain: domainOf(true),
    cashMicros: input.cashMicros,
    path,
  };
}

async function start<Module>(
  file: URL,
  input: BesideInput,
  url: (process: Process<Module>, terms: ReferenceTerms) => Promise<string>,
): Promise<Beside<Module>> {
  const folder = mkdtempSync(join(tmpdir(), 'exchange-beside-'));
  const path = join(folder, 'orders.db');
  const process = new Process<Module>(file);
  return {
    process,
    path,
    url: await url(process, referenceTerms(input, path)),
    pid: process.pid,
    processorSeconds: () => process.processorSeconds(),
    kill: () => process.kill(),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function startReference(input: BesideInput): Promise<Beside<typeof Reference>> {
  const file = new URL('../reference/order-server.ts', import.meta.url);
  return start<typeof Reference>(file, input, (one, terms) => one.call('start', terms));
}

export function startFloor(input: BesideInput): Promise<Beside<typeof Floor>> {
  const file = new URL('../reference/order-floor.ts', import.meta.url);
  return start<typeof Floor>(file, input, (one, terms) => one.call('start', terms));
}

/** The servers, and what each accepted: in the end its database must hold exactly that. */
export interface Servers {
  readonly exchange: Exchange;
  readonly reference: Beside<typeof Reference>;
  readonly floor: Beside<typeof Floor>;
  readonly orders: Orders;
  /** The floor counts orders and cancels. */
  readonly tally: { ours: number; oursCanceled: number; reference: number; floor: number };
}

export async function withServers<Done>(work: (servers: Servers) => Promise<Done>): Promise<Done> {
  return await Exchange.with(FLAGS, async (exchange) => {
    const orders = await Orders.of(exchange);
    const { markets } = orders;
    const input = { accounts: exchange.devAccounts, markets, cashMicros: PAPER_UNITS * 1e6 };
    const [reference, floor] = [await startReference(input), await startFloor(input)];
    const tally = { ours: 0, oursCanceled: 0, reference: 0, floor: 0 };
    try {
      return await work({ exchange, reference, floor, orders, tally });
    } finally {
      for (const beside of [reference, floor]) {
        await beside.kill();
        beside.remove();
      }
    }
  });
}
