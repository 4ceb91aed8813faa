/**
 * `npm run bench -- orders --verifiers`: how many verifier threads are best on this machine. A
 * program for each number, all of them up at the same time, full load to one after the other.
 */
import { OrderRequests } from '../harness/order-requests.ts';
import { fixed, printLine, printProgress, printTable } from '../harness/print.ts';
import { machine, recordResult } from '../harness/results.ts';
import { type ServerProcess, startServer } from '../harness/server-process.ts';
import { spreadOf } from '../harness/statistics.ts';
import { type SummaryRow, speedText, summaryRow } from '../harness/summary.ts';
import { type ClosedRound, CONNECTIONS, countFor, runClosed } from './rounds.ts';
import { FLAGS, isPlaced, journaledIn } from './venues.ts';

const NUMBERS = [1, 2, 3] as const;
const ROUNDS = 5;
const SECONDS = 2;
const WARM_UP_ORDERS = 4_000;

/** A program with so many threads, and what it did. */
interface Candidate {
  readonly verifiers: number;
  readonly server: ServerProcess;
  readonly orders: OrderRequests;
  readonly rounds: ClosedRound[];
  accepted: number;
}

async function startCandidate(verifiers: number): Promise<Candidate> {
  const server = await startServer([...FLAGS, '--verifier-threads', String(verifiers)]);
  const orders = await OrderRequests.of(server);
  return { verifiers, server, orders, rounds: [], accepted: 0 };
}

async function runRound(candidate: Candidate, round: number): Promise<void> {
  const { verifiers, server, orders, rounds } = candidate;
  printProgress(`orders: ${verifiers} verifier threads: round ${round}`);
  const last = rounds.at(-1)?.perSecond;
  const count = last === undefined ? WARM_UP_ORDERS : countFor(last, SECONDS);
  const requests = orders.make(count);
  const terms = { requests, isSuccess: isPlaced, each: 1, connections: CONNECTIONS };
  const run = await runClosed(server, terms);
  candidate.accepted += run.sent - run.errors;
  if (run.errors > 0) process.exitCode = 1;
  rounds.push(run);
}

/** Turns of all of them; the first round of each warms it up. */
async function runAll(candidates: readonly Candidate[]): Promise<void> {
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const candidate of candidates) await runRound(candidate, round);
  }
  for (const { server, accepted } of candidates) {
    await server.stop();
    if (journaledIn(server.dataDir).orders !== accepted) process.exitCode = 1;
  }
}

function figuresOf({ verifiers, rounds }: Candidate) {
  const counted = rounds.slice(1);
  return {
    verifiers,
    perSecond: spreadOf(counted.map(({ perSecond }) => perSecond)),
    serverMicros: spreadOf(counted.map(({ serverMicros }) => serverMicros)),
    p99Ns: spreadOf(counted.map(({ latencyNs }) => latencyNs.p99)),
  };
}

export async function compareVerifiers(): Promise<readonly SummaryRow[]> {
  const candidates: Candidate[] = [];
  try {
    for (const verifiers of NUMBERS) candidates.push(await startCandidate(verifiers));
    await runAll(candidates);
    const figures = candidates.map(figuresOf);
    printLine(`orders: POST /order at full load by verifier threads (${machine()})`);
    printLine();
    printTable([
      ['verifier threads', 'orders/s', 'program us', 'p99 ms'],
      ...figures.map(({ verifiers, perSecond, serverMicros, p99Ns }) => [
        String(verifiers),
        speedText(perSecond),
        fixed(serverMicros.median, 0),
        fixed(p99Ns.median / 1e6, 1),
      ]),
    ]);
    recordResult('verifiers', { figures });
    return figures.map(({ verifiers, perSecond }) =>
      summaryRow({
        what: `POST /order a second, verifier threads: ${verifiers}`,
        ours: speedText(perSecond),
      }),
    );
  } finally {
    for (const { server } of candidates) {
      await server.stop();
      server.remove();
    }
  }
}
