/**
 * `npm run bench -- orders`: signed orders over HTTP to the real program, authenticated and durable
 * (every answer comes after a synced commit), beside the reference that makes the same checks one
 * by one, and the floor, which does only what cannot be left out. With `--verifiers`, the rates
 * with one, two and three verifier threads instead.
 */
import type { Options } from '../harness/arguments.ts';
import type { Metrics } from '../harness/exchange.ts';
import { fixed, printReport, whole } from '../harness/print.ts';
import { type BenchResult, machine, syncMs } from '../harness/results.ts';
import { spreadBy, sumOf } from '../harness/statistics.ts';
import { runOpenRounds } from './open-rounds.ts';
import {
  closedTable,
  limitsText,
  type OrderFigures,
  openTable,
  summaryOf,
  threadTable,
} from './print.ts';
import { profileOrders, profileParts, stageTimes, threadTimes } from './profile.ts';
import { CONNECTIONS, runBatches, runCancels, runSingles } from './rounds.ts';
import { type Servers, withServers } from './servers.ts';
import { compareVerifiers } from './verifiers.ts';

export const ORDERS_OPTIONS = { verifiers: 'flag' } as const;

const NOTES =
  `Closed loop: ${CONNECTIONS} kept-alive connections, one request in flight on each. A slow ` +
  'answer delays the next request, so its percentiles are of answers, not of arrivals. Open ' +
  'loop: arrivals at an even rate whatever the answers do; latency counts from when a request ' +
  'was due (corrected for coordinated omission); half and full are of the closed rate. The ' +
  'sender shares the processors. Excluded: making, signing and authenticating the requests, TLS, ' +
  'a network.';

async function measure(servers: Servers) {
  const { exchange } = servers;
  let before: Metrics = new Map();
  const singles = await runSingles(servers, async () => {
    before = await exchange.metrics();
  });
  const after = await exchange.metrics();
  const batches = await runBatches(servers);
  const full = singles.ours.perSecond.median;
  const fullBatches = spreadBy(batches, ({ perSecond }) => perSecond).median;
  const open = await runOpenRounds(servers, full, fullBatches);
  const cancels = await runCancels(servers);
  const figures: OrderFigures = { singles, cancels, batches, open };
  const load = {
    threads: threadTimes(
      before,
      after,
      sumOf(singles.ours.rounds, ({ sent }) => sent),
    ),
    waits: stageTimes(before, after),
  };
  return { figures, load };
}

/** Ends the servers and compares what they have on disk with what they accepted. */
async function check({ exchange, reference, floor, tally }: Servers, figures: OrderFigures) {
  const inReference = await reference.process.call('count');
  const inFloor = (await floor.process.call('readIds', floor.path)).length;
  await exchange.stop();
  const journaled = exchange.journaled();
  const { singles, cancels, batches, open } = figures;
  const closed = [singles, cancels].flatMap(({ ours, floor, reference }) => [
    ...ours.rounds,
    ...floor.rounds,
    ...reference,
  ]);
  const opened = [...open.half, ...open.full, ...open.halfBatches];
  const errors = sumOf([...closed, ...batches, ...opened], (round) => round.errors);
  const first = [...closed, ...batches].find(({ failure }) => failure !== '')?.failure ?? '';
  const text =
    `journaled ${whole(journaled.orders)} of ${whole(tally.ours)} accepted orders and ` +
    `${whole(journaled.cancels)} of ${whole(tally.oursCanceled)} cancels; the reference ` +
    `${whole(inReference)} of ${whole(tally.reference)} orders; the floor ${whole(inFloor)} of ` +
    `${whole(tally.floor)} of both; errors ${whole(errors)} ${first.slice(0, 300)}`;
  const isRight =
    errors === 0 &&
    journaled.orders === tally.ours &&
    journaled.ids === tally.ours &&
    journaled.cancels === tally.oursCanceled &&
    inReference === tally.reference &&
    inFloor === tally.floor;
  return { text, isRight, figures: { journaled, errors, tally, inReference, inFloor } };
}

async function compareServers(servers: Servers): Promise<BenchResult> {
  const probeMs = syncMs(servers.exchange.dataDir);
  const { figures, load } = await measure(servers);
  const checked = await check(servers, figures);
  const stages = await profileOrders(load.waits.batchCommands);
  const { singles, cancels } = figures;
  printReport(
    `orders: signed, authenticated, durable (${machine()})`,
    closedTable(figures),
    `${limitsText('POST /order', singles)}\n${limitsText('DELETE /order', cancels)}`,
    openTable(figures),
    threadTable(figures),
    ...profileParts(stages, load),
    `${checked.text}\none synced 4 KiB write to this disk: ${fixed(probeMs, 2)} ms`,
    NOTES,
  );
  const profile = { stages, threads: load.threads };
  return {
    figures: { ...figures, ...checked.figures, profile, waits: load.waits, syncMs: probeMs },
    rows: summaryOf(figures),
    ...(checked.isRight ? {} : { failure: checked.text }),
  };
}

export async function benchOrders({
  verifiers,
}: Options<typeof ORDERS_OPTIONS>): Promise<BenchResult> {
  return verifiers === undefined ? await withServers(compareServers) : await compareVerifiers();
}
