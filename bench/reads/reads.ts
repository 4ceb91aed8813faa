/**
 * `npm run bench -- reads`: the reads of a book over HTTP from the real program, beside a bare
 * uWebSockets.js server that answers the same bytes (design 10). Rounds are taken in turn.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import autocannon from 'autocannon';
import { runLoad } from '../harness/closed-load.ts';
import { readOptions } from '../harness/options.ts';
import { OrderRequests } from '../harness/order-requests.ts';
import { printLine, printProgress, printTable, whole } from '../harness/print.ts';
import { machine, recordResult } from '../harness/results.ts';
import { processorSeconds, type ServerProcess, startServer } from '../harness/server-process.ts';
import { type Spread, spreadOf } from '../harness/statistics.ts';
import { ratioText, type SummaryRow, summaryRow } from '../harness/summary.ts';

const CONNECTIONS = 40;
const PIPELINED = 4;
const ORDERS = 4_000;
/** Seconds of a round; how many of them after the one that is not counted. */
const PACE = { seconds: 2, rounds: 7 };
export const READS_OPTIONS = { rounds: 'number', seconds: 'number' } as const;
const BUDGET = 0.85;

const CAVEATS = [
  `${CONNECTIONS} kept-alive connections, ${PIPELINED} requests in flight on each; autocannon runs`,
  'in a thread of this process on the same processors. Processor time is of the server alone: what',
  'a request costs whatever autocannon takes. A closed loop.',
];

interface Target {
  readonly url: string;
  processorSeconds(): number;
}

interface Round {
  readonly perSecond: number;
  readonly micros: number;
}

interface Row {
  readonly path: string;
  readonly bytes: number;
  readonly ours: Spread;
  readonly bare: Spread;
  readonly ratio: Spread;
  /** Processor time of a request, bare over ours. */
  readonly work: Spread;
}

async function startBare(bodies: Readonly<Record<string, string>>): Promise<
  Target & {
    readonly child: ChildProcess;
  }
> {
  const file = new URL('../reference/bare-routes.ts', import.meta.url);
  const child = fork(file, [JSON.stringify(bodies)], { execArgv: ['--no-warnings'] });
  const [port] = await once(child, 'message');
  return {
    child,
    url: `http://127.0.0.1:${port}`,
    processorSeconds: () => processorSeconds(child.pid ?? 0),
  };
}

async function runRound(target: Target, path: string, seconds: number): Promise<Round> {
  const before = target.processorSeconds();
  const result = await autocannon({
    url: `${target.url}${path}`,
    connections: CONNECTIONS,
    pipelining: PIPELINED,
    duration: seconds,
    workers: 1,
  });
  const failures = result.errors + result.timeouts + result.non2xx;
  if (failures > 0) throw new Error(`${target.url}${path}: ${failures} requests failed`);
  const count = result.requests.total;
  const micros = ((target.processorSeconds() - before) * 1e6) / count;
  return { perSecond: count / result.duration, micros };
}

interface Read {
  readonly path: string;
  readonly bytes: number;
}

async function measure(
  ours: Target,
  bare: Target,
  { path, bytes }: Read,
  { seconds, rounds: count }: typeof PACE,
): Promise<Row> {
  const rounds: { readonly ours: Round; readonly bare: Round }[] = [];
  await runRound(ours, path, seconds);
  await runRound(bare, path, seconds);
  for (let round = 1; round <= count; round += 1) {
    printProgress(`reads: ${path.split('?')[0]}: round ${round}`);
    // The first of a pair changes, so that neither always meets a machine warmed by the other.
    const first = round % 2 === 0 ? ours : bare;
    const one = await runRound(first, path, seconds);
    const other = await runRound(first === ours ? bare : ours, path, seconds);
    rounds.push(first === ours ? { ours: one, bare: other } : { ours: other, bare: one });
  }
  const spread = (of: (round: (typeof rounds)[number]) => number): Spread =>
    spreadOf(rounds.map(of));
  return {
    path,
    bytes,
    ours: spread((round) => round.ours.perSecond),
    bare: spread((round) => round.bare.perSecond),
    ratio: spread((round) => round.ours.perSecond / round.bare.perSecond),
    work: spread((round) => round.bare.micros / round.ours.micros),
  };
}

/** Fills the books, and gives a token that has one. */
async function fillBooks(server: ServerProcess): Promise<string> {
  const orders = await OrderRequests.of(server);
  const isSuccess = (body: string): boolean => body.includes('"success":true');
  const requests = orders.make(ORDERS);
  const { errors } = await runLoad({ url: server.url, requests, connections: 100, isSuccess });
  if (errors > 0) throw new Error(`${errors} orders were refused`);
  const order = JSON.parse(String(requests[0]?.body)) as { order: { tokenId: string } }; // ours
  return order.order.tokenId;
}

function print(rows: readonly Row[]): void {
  printLine(`reads beside a bare uWebSockets.js server of the same bytes (${machine()})`);
  printLine();
  printTable([
    ['', 'bytes', 'ours/s', 'bare/s', 'ratio', 'processor time', 'budget'],
    ...rows.map((row) => [
      row.path.split('?')[0] ?? '',
      whole(row.bytes),
      whole(row.ours.median),
      whole(row.bare.median),
      ratioText(row.ratio),
      ratioText(row.work),
      `${BUDGET} ${row.ratio.median >= BUDGET ? 'met' : 'not met'}`,
    ]),
  ]);
  printLine();
  for (const line of CAVEATS) printLine(`  ${line}`);
}

function rowOf({ path, ours, bare, ratio }: Row): SummaryRow {
  return summaryRow({
    what: `GET ${path.split('?')[0]}, answers/s`,
    ours: whole(ours.median),
    reference: `${whole(bare.median)} bare`,
    ratio,
    budget: `at least ${BUDGET}`,
    value: ratio.median,
  });
}

export async function benchReads(options: readonly string[]): Promise<readonly SummaryRow[]> {
  const pace = { ...PACE, ...readOptions(options, READS_OPTIONS) };
  const server = await startServer(['--paper-amount', '1000000', '--log-level', 'error']);
  try {
    const tokenId = await fillBooks(server);
    const paths = [
      `/book?token_id=${tokenId}`,
      `/price?token_id=${tokenId}&side=BUY`,
      `/midpoint?token_id=${tokenId}`,
    ];
    const bodies: Record<string, string> = {};
    for (const path of paths) {
      bodies[path.split('?')[0] ?? ''] = await (await fetch(server.url + path)).text();
    }
    const bare = await startBare(bodies);
    const rows: Row[] = [];
    for (const path of paths) {
      const bytes = Buffer.byteLength(bodies[path.split('?')[0] ?? ''] ?? '');
      rows.push(await measure(server, bare, { path, bytes }, pace));
    }
    bare.child.disconnect();
    print(rows);
    recordResult('reads', { connections: CONNECTIONS, pipelined: PIPELINED, ...pace, rows });
    return rows.map(rowOf);
  } finally {
    await server.stop();
    server.remove();
  }
}
