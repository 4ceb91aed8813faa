/**
 * `npm run bench -- orders --verifiers`: how many verifier threads are best on this machine. A
 * program for each number, all of them up at the same time, at full load one after the other.
 */
import { type ClosedRound, isAccepted, runClosedLoop } from '../harness/closed-loop.ts';
import { Exchange } from '../harness/exchange.ts';
import { Orders } from '../harness/orders.ts';
import { fixed, inMs, printProgress, printReport, speedText } from '../harness/print.ts';
import { type BenchResult, machine } from '../harness/results.ts';
import { spreadBy } from '../harness/statistics.ts';
import { summaryRow } from '../harness/summary.ts';
import { CONNECTIONS, countFor } from './rounds.ts';
import { FLAGS } from './servers.ts';

const NUMBERS = [1, 2, 3];
const ROUNDS = 5;
const SECONDS = 2;
const WARM_UP_ORDERS = 4_000;

async function startCandidate(verifiers: number) {
  const exchange = await Exchange.start([...FLAGS, '--verifier-threads', String(verifiers)]);
  const rounds: ClosedRound[] = [];
  return { verifiers, exchange, orders: await Orders.of(exchange), rounds, accepted: 0 };
}
type Candidate = Awaited<ReturnType<typeof startCandidate>>;

async function runRound(candidate: Candidate, round: number): Promise<void> {
  const { verifiers, exchange, orders, rounds } = candidate;
  printProgress(`orders: ${verifiers} verifier threads: round ${round}`);
  const last = rounds.at(-1)?.perSecond;
  const requests = orders.make(last === undefined ? WARM_UP_ORDERS : countFor(last, SECONDS));
  const terms = { requests, isSuccess: isAccepted, connections: CONNECTIONS };
  const run = await runClosedLoop(exchange, terms);
  candidate.accepted += run.sent - run.errors;
  rounds.push(run);
}

/** Turns of all programs; the first round of each warms it up. Returns what is wrong. */
async function runAll(candidates: readonly Candidate[]): Promise<string[]> {
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const candidate of candidates) await runRound(candidate, round);
  }
  const faults: string[] = [];
  for (const { exchange, accepted, rounds, verifiers } of candidates) {
    await exchange.stop();
    const { orders } = exchange.journaled();
    const errors = rounds.reduce((sum, round) => sum + round.errors, 0);
    if (orders === accepted && errors === 0) continue;
    faults.push(`${verifiers}: ${errors} errors, ${orders} journaled of ${accepted} orders`);
  }
  return faults;
}

export async function compareVerifiers(): Promise<BenchResult> {
  const candidates: Candidate[] = [];
  try {
    for (const verifiers of NUMBERS) candidates.push(await startCandidate(verifiers));
    const faults = await runAll(candidates);
    const figures = candidates.map(({ verifiers, rounds }) => {
      const counted = rounds.slice(1);
      return {
        verifiers,
        perSecond: spreadBy(counted, ({ perSecond }) => perSecond),
        serverMicros: spreadBy(counted, ({ serverMicros }) => serverMicros),
        p99Ns: spreadBy(counted, ({ latencyNs }) => latencyNs.p99),
      };
    });
    printReport(`orders: POST /order at full load by verifier threads (${machine()})`, [
      ['verifier threads', 'orders/s', 'program us', 'p99 ms'],
      ...figures.map(({ verifiers, perSecond, serverMicros, p99Ns }) => [
        String(verifiers),
        speedText(perSecond),
        fixed(serverMicros.median, 0),
        inMs(p99Ns.median),
      ]),
    ]);
    const rows = figures.map(({ verifiers, perSecond }) =>
      summaryRow({
        what: `POST /order a second, verifier threads: ${verifiers}`,
        ours: speedText(perSecond),
      }),
    );
    const failure = faults.join('; ');
    return { figures: { figures }, rows, ...(failure === '' ? {} : { failure }) };
  } finally {
    for (const { exchange } of candidates) {
      await exchange.stop();
      exchange.remove();
    }
  }
}
