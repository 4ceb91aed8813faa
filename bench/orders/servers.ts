/**
 * The two servers of the orders benchmark: the real program, and the reference, which makes the
 * same checks one by one (reference/order-server.ts). Both have the same accounts, keys and
 * markets, so that the same signed requests go to each.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Target } from '../harness/closed-loop.ts';
import { Exchange } from '../harness/exchange.ts';
import { Orders } from '../harness/orders.ts';
import { Process } from '../harness/process.ts';
import { domainOf } from '../harness/signing.ts';
import type * as Reference from '../reference/order-server.ts';
import type { ReferenceTerms } from '../reference/order-terms.ts';

const REFERENCE = new URL('../reference/order-server.ts', import.meta.url);
/** Enough for all orders of all rounds, for each account. */
const PAPER_UNITS = 1_000_000;
/** The highest number of accounts, because the live orders of each account are bounded. */
export const FLAGS = [
  ...['--paper-amount', String(PAPER_UNITS), '--dev-accounts', '20'],
  ...['--log-level', 'error'],
];

export function referenceTerms(
  { devAccounts: accounts }: Exchange,
  { markets }: Orders,
  cashUnits: number,
  path: string,
): ReferenceTerms {
  const domains = { plain: domainOf(false), negRisk: domainOf(true) };
  return { accounts, markets, domains, cashMicros: cashUnits * 1e6, path };
}

export interface Servers {
  readonly exchange: Exchange;
  readonly reference: Target & { readonly process: Process<typeof Reference> };
  readonly orders: Orders;
  /** What each has accepted: in the end its database must hold exactly that. */
  readonly tally: { exchange: number; canceled: number; reference: number };
}

/** Starts both servers, works with them, stops them and removes their folders. */
export async function withServers<Done>(
  flags: readonly string[],
  work: (servers: Servers) => Promise<Done>,
): Promise<Done> {
  return await Exchange.with([...FLAGS, ...flags], async (exchange) => {
    const orders = await Orders.of(exchange);
    const folder = mkdtempSync(join(tmpdir(), 'exchange-reference-'));
    const process = new Process<typeof Reference>(REFERENCE);
    try {
      const terms = referenceTerms(exchange, orders, PAPER_UNITS, join(folder, 'orders.db'));
      const url = await process.call('start', terms);
      const tally = { exchange: 0, canceled: 0, reference: 0 };
      return await work({ exchange, reference: { url, pid: process.pid, process }, orders, tally });
    } finally {
      await process.kill();
      rmSync(folder, { recursive: true, force: true });
    }
  });
}
