/**
 * `npm run bench -- reads`: the reads of a book over HTTP from the real program, beside a bare
 * uWebSockets.js server that answers the same bytes. `--rounds N` sets the number of rounds,
 * `--seconds N` the length of each.
 */
import { isAccepted, repeatRead, runClosedLoop } from '../harness/closed-loop.ts';
import { Exchange } from '../harness/exchange.ts';
import { Orders } from '../harness/orders.ts';
import { whole } from '../harness/print.ts';
import { Process } from '../harness/process.ts';
import type { BenchResult } from '../harness/results.ts';
import { type SummaryRow, summaryRow } from '../harness/summary.ts';
import { comparePair } from '../harness/turns.ts';
import type * as BareRoutes from '../reference/bare-routes.ts';

/** The rows of a server beside a bare one that sends the same bytes. */
type Compared = Omit<Awaited<ReturnType<typeof comparePair>>, 'rounds'>;

/** A row for speed, which has the budget, and one for processor time of the servers. */
export function rowsBesideBare(what: string, compared: Compared, budget: string): SummaryRow[] {
  const { ours, bare, ratio, work } = compared;
  const reference = `${whole(bare.median)} bare`;
  const value = ratio.median;
  return [
    summaryRow({ what: `${what}/s`, ours: whole(ours.median), reference, ratio, budget, value }),
    summaryRow({ what: `${what}, processor time`, ours: '-', ratio: work }),
  ];
}

const BARE = new URL('../reference/bare-routes.ts', import.meta.url);
const CONNECTIONS = 40;
const PIPELINED = 4;
const ORDERS = 4_000;

type Pace = Readonly<Record<'rounds' | 'seconds', number>>;

/** Fills the books. Returns a token of a market whose book was filled. */
async function fillBooks(exchange: Exchange): Promise<string> {
  const orders = await Orders.of(exchange);
  const requests = orders.make(ORDERS);
  const terms = { requests, connections: 100, isSuccess: isAccepted };
  const { errors } = await runClosedLoop(exchange, terms);
  if (errors > 0) throw new Error(`${errors} orders were refused`);
  // Work that the orders leave behind is not that of reads.
  await exchange.caughtUp();
  const order = JSON.parse(requests[0]!.body) as { order: { tokenId: string } }; // ours
  return order.order.tokenId;
}

async function measure(exchange: Exchange, { rounds, seconds }: Pace) {
  const tokenId = await fillBooks(exchange);
  const paths = [
    `/book?token_id=${tokenId}`,
    `/price?token_id=${tokenId}&side=BUY`,
    `/midpoint?token_id=${tokenId}`,
  ];
  const bodies: Record<string, string> = {};
  for (const path of paths) {
    bodies[path.split('?')[0]!] = await (await fetch(exchange.url + path)).text();
  }
  const process = new Process<typeof BareRoutes>(BARE);
  const url = await process.call('startBareRoutes', bodies);
  const bare = { url, pid: process.pid };
  const rows: (Awaited<ReturnType<typeof comparePair>> & { path: string; bytes: number })[] = [];
  const pace = { connections: CONNECTIONS, pipelined: PIPELINED, seconds };
  for (const path of paths) {
    const name = path.split('?')[0]!;
    const compared = await comparePair({
      what: `reads: ${name}`,
      rounds,
      ours: () => repeatRead(exchange, path, pace),
      bare: () => repeatRead(bare, path, pace),
    });
    rows.push({ path: name, bytes: Buffer.byteLength(bodies[name]!), ...compared });
  }
  await process.stop();
  return rows;
}

export async function benchReads({ rounds = 7, seconds = 2 }): Promise<BenchResult> {
  const flags = ['--paper-amount', '1000000', '--log-level', 'error'];
  const rows = await Exchange.with(flags, (exchange) => measure(exchange, { rounds, seconds }));
  const summary = rows.flatMap(({ path, ...compared }) =>
    rowsBesideBare(`GET ${path}, answers`, compared, 'at least 0.85'),
  );
  const load = { connections: CONNECTIONS, pipelined: PIPELINED };
  return { figures: { ...load, seconds, rounds, rows }, rows: summary };
}
