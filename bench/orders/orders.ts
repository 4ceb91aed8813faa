/**
 * `npm run bench -- orders`: signed orders over HTTP to the real program, authenticated and durable
 * (every answer comes after a synced commit of its order to a data folder on disk), beside the
 * reference that makes the same checks one by one, and the floor, which does only what can't be
 * left out. With `--verifiers`, the rates with one, two and
 * three verifier threads instead.
 */

import { syncMs } from '../harness/disk.ts';
import { type KnownOptions, readOptions } from '../harness/options.ts';
import { fixed, printLine, printProgress, whole } from '../harness/print.ts';
import { machine, recordResult } from '../harness/results.ts';
import type { SummaryRow } from '../harness/summary.ts';
import { BATCH, isBatchPlaced, runBatches } from './batches.ts';
import { runCancels } from './cancels.ts';
import { type Metrics, readMetrics, stageTimes, threadTimes } from './metrics.ts';
import { type OpenRound, type OpenTerms, runOpen } from './open.ts';
import {
  type OrderFigures,
  printClosed,
  printOpen,
  printThreads,
  speedOf,
  summaryOf,
} from './print.ts';
import { type FullLoad, printProfile, profileOrders } from './profile.ts';
import { type ClosedRound, CONNECTIONS, type Turns, takeTurns } from './rounds.ts';
import {
  isPlaced,
  journaledIn,
  startVenues,
  stopVenues,
  targetsOf,
  type Venues,
} from './venues.ts';
import { compareVerifiers } from './verifiers.ts';

export const ORDERS_OPTIONS = { verifiers: 'flag' } as const satisfies KnownOptions;

const ROUNDS = 3;
const SECONDS = 2;
/** Some two seconds of each: for as long the runtime compiles what is new to it. */
const WARM_UP = { ours: 12_000, reference: 600 };
const OPEN_SECONDS = 3;
const OPEN_ROUNDS = 3;
/** Of an answer that is shown because it is an error. */
const MOST_FAILURE_LENGTH = 300;

const CAVEATS = [
  `Closed loop: ${CONNECTIONS} kept-alive connections, one request in flight on each; a slow`,
  'answer delays the next request, so its percentiles are of answers, not of arrivals. Open loop:',
  'arrivals spread evenly whatever the answers do; latency counts from when a request was due',
  '(corrected for coordinated omission); half and full are of the closed rate. The sender shares',
  'the processors. Excluded: making, signing and authenticating the requests, TLS, a network.',
];

interface Singles {
  readonly turns: Turns;
  /** Readings of the program at the beginning and the end of the counted rounds. */
  readonly before: Metrics;
  readonly after: Metrics;
}

async function runSingles(venues: Venues): Promise<Singles> {
  const { server, orders, tally } = venues;
  let before: Metrics = new Map();
  const turns = await takeTurns({
    what: 'single orders',
    targets: targetsOf(venues),
    isSuccess: isPlaced,
    prepare: async (count) => orders.make(count),
    rounds: ROUNDS,
    seconds: SECONDS,
    warmUp: WARM_UP,
    onTurn: async (turn, round) => {
      tally.ours += turn.ours.sent - turn.ours.errors;
      tally.reference += turn.reference.sent - turn.reference.errors;
      tally.floor += turn.floor.sent - turn.floor.errors;
      if (round === 0) before = await readMetrics(server);
    },
  });
  return { turns, before, after: await readMetrics(server) };
}

async function openRound(
  { server, tally }: Venues,
  terms: Omit<OpenTerms, 'requests'>,
  make: (count: number) => OpenTerms['requests'],
): Promise<OpenRound> {
  printProgress(`orders: ${terms.what}`);
  const requests = make(Math.ceil(terms.perSecond * OPEN_SECONDS));
  const round = await runOpen(server, { ...terms, requests });
  tally.ours += round.accepted;
  return round;
}

async function runOpenRounds(venues: Venues, full: number, fullBatches: number) {
  const { orders } = venues;
  const singles = { each: 1, isSuccess: isPlaced };
  const make = (count: number) => orders.make(count);
  const half = { ...singles, what: 'POST /order at half load', perSecond: full / 2 };
  const most = { ...singles, what: 'POST /order at full load', perSecond: full };
  const batches = {
    what: `POST /orders of ${BATCH} at half load`,
    each: BATCH,
    isSuccess: isBatchPlaced,
    perSecond: fullBatches / BATCH / 2,
  };
  const makeBatches = (count: number) => orders.makeBatches(count, BATCH);
  const rounds: Record<keyof OrderFigures['open'], OpenRound[]> = {
    half: [],
    full: [],
    halfBatches: [],
  };
  for (let round = 0; round < OPEN_ROUNDS; round += 1) {
    rounds.half.push(await openRound(venues, half, make));
    rounds.halfBatches.push(await openRound(venues, batches, makeBatches));
  }
  // Last: what it leaves undone would be done in the rounds after it.
  rounds.full.push(await openRound(venues, most, make));
  return rounds;
}

async function measure(venues: Venues) {
  const { turns: singles, before, after } = await runSingles(venues);
  const batches = await runBatches(venues);
  const full = singles.ours.perSecond.median;
  const open = await runOpenRounds(venues, full, speedOf(batches).median);
  const cancels = await runCancels(venues);
  const figures: OrderFigures = { singles, cancels, batches, open };
  const load: FullLoad = {
    threads: threadTimes(before, after),
    stages: stageTimes(before, after),
    orders: singles.ours.rounds.reduce((sum, { sent }) => sum + sent, 0),
  };
  return { figures, load };
}

interface Faults {
  readonly errors: number;
  /** The first answer that was no success; '' for none. */
  readonly failure: string;
}

function roundsOf({ ours, floor, reference }: Turns): ClosedRound[] {
  return [...ours.rounds, ...floor.rounds, ...reference];
}

function faultsIn({ singles, cancels, batches, open }: OrderFigures): Faults {
  const closed = [...[singles, cancels].flatMap(roundsOf), ...batches];
  const isOpen = [...open.half, ...open.full, ...open.halfBatches];
  return {
    errors: [...closed, ...isOpen].reduce((sum, { errors }) => sum + errors, 0),
    failure: closed.find(({ failure }) => failure !== '')?.failure ?? '',
  };
}

/** What the files of the others have. */
interface Rows {
  readonly inReference: number;
  readonly inFloor: number;
}

/** Whether what is on the disk is what was accepted, and nothing failed. */
function check({ server, tally }: Venues, figures: OrderFigures, others: Rows) {
  const journaled = journaledIn(server.dataDir);
  const { inReference, inFloor } = others;
  const { errors, failure } = faultsIn(figures);
  printLine(`  journaled ${whole(journaled.orders)} of ${whole(tally.ours)} orders accepted,`);
  printLine(
    `  ${whole(journaled.cancels)} of ${whole(tally.oursCanceled)} cancels; the reference:`,
  );
  printLine(`  ${whole(inReference)} of ${whole(tally.reference)}; the floor:`);
  printLine(`  ${whole(inFloor)} of ${whole(tally.floor)} of both; errors ${whole(errors)}`);
  if (failure !== '') printLine(`  the first: ${failure.slice(0, MOST_FAILURE_LENGTH)}`);
  const isRight =
    errors === 0 &&
    journaled.orders === tally.ours &&
    journaled.ids === tally.ours &&
    journaled.cancels === tally.oursCanceled &&
    inReference === tally.reference &&
    inFloor === tally.floor;
  if (!isRight) process.exitCode = 1;
  return { journaled, errors, tally, ...others };
}

async function benchBeside(): Promise<readonly SummaryRow[]> {
  const venues = await startVenues();
  const { server, reference, floor } = venues;
  try {
    const probeMs = syncMs(server.dataDir);
    const { figures, load } = await measure(venues);
    const inReference = await reference.count();
    await server.stop();
    await floor.kill();
    const rows = { inReference, inFloor: floor.ids().length };
    const profile = await profileOrders(load);
    printLine(`orders: signed, authenticated, durable (${machine()})`);
    printLine();
    printClosed(figures);
    printOpen(figures);
    printThreads(figures);
    printProfile(profile, load);
    const checked = check(venues, figures, rows);
    printLine(`  one synced 4 KiB write to this disk: ${fixed(probeMs, 2)} ms`);
    for (const line of CAVEATS) printLine(`  ${line}`);
    recordResult('orders', {
      ...figures,
      ...checked,
      profile,
      waits: load.stages,
      syncMs: probeMs,
    });
    return summaryOf(figures);
  } finally {
    await stopVenues(venues);
  }
}

export async function benchOrders(words: readonly string[]): Promise<readonly SummaryRow[]> {
  const { verifiers } = readOptions(words, ORDERS_OPTIONS);
  return verifiers === undefined ? await benchBeside() : await compareVerifiers();
}
