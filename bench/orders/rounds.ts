/**
 * Rounds of orders or cancels over HTTP in a closed loop: ours, the reference and the floor in
 * turn, the same requests to all, ours and the reference each as many as it answers in a round's
 * time, and the floor as many as ours.
 *
 * Bound: MOST_ORDERS a round, so that no account comes to its bound of live orders.
 */
import type { Request } from 'autocannon';
import { threadSeconds } from '../../persistence/index.ts';
import { type LoadResult, runLoad } from '../harness/closed-load.ts';
import { printProgress } from '../harness/print.ts';
import { type Spread, spreadOf } from '../harness/statistics.ts';

/** Kept-alive connections with one request in flight on each. */
export const CONNECTIONS = 100;
/** Where a request has 15 orders: about as many orders in flight. */
export const BATCH_CONNECTIONS = 8;
const MOST_ORDERS = 30_000;

/** A server as far as a round sees it. */
export interface Target {
  readonly url: string;
  readonly pid: number;
  /** Of all its threads so far; NaN where /proc is missing. */
  processorSeconds(): number;
}

export interface ClosedRound extends LoadResult {
  /** What was sent: orders or cancels. */
  readonly sent: number;
  /** Microseconds of processor time for each, of all threads of the server. */
  readonly serverMicros: number;
  /** The same by thread, where their names are known. */
  readonly threadMicros: Readonly<Record<string, number>>;
  /** The same of autocannon, in this process. */
  readonly loadMicros: number;
}

interface ClosedTerms {
  readonly requests: readonly Request[];
  readonly isSuccess: (body: string) => boolean;
  /** How many orders a request has. */
  readonly each: number;
  /** One request in flight on each; a divisor of how many requests there are. */
  readonly connections: number;
}

/** Sends all requests, as fast as they are answered; `perSecond` is of orders. */
export async function runClosed(target: Target, terms: ClosedTerms): Promise<ClosedRound> {
  const { requests, isSuccess, each, connections } = terms;
  const serverBefore = target.processorSeconds();
  const threadsBefore = threadSeconds(target.pid);
  const loadBefore = process.cpuUsage();
  const { url } = target;
  const result = await runLoad({ url, requests, connections, isSuccess });
  const { user, system } = process.cpuUsage(loadBefore);
  const sent = requests.length * each;
  const microsOf = (seconds: number): number => (seconds * 1e6) / sent;
  const threads = [...threadSeconds(target.pid)].map(([thread, seconds]): [string, number] => [
    thread,
    microsOf(seconds - (threadsBefore.get(thread) ?? 0)),
  ]);
  return {
    ...result,
    perSecond: result.perSecond * each,
    sent,
    serverMicros: microsOf(target.processorSeconds() - serverBefore),
    threadMicros: Object.fromEntries(threads),
    loadMicros: (user + system) / sent,
  };
}

/** How many requests a round of some seconds takes, by what the one before took. */
export function countFor(perSecond: number, seconds: number, each = 1): number {
  const connections = each === 1 ? CONNECTIONS : BATCH_CONNECTIONS;
  const requests = Math.min((perSecond * seconds) / each, MOST_ORDERS / each);
  return Math.max(Math.floor(requests / connections), 1) * connections;
}

/** A round of each. */
export type Turn = Readonly<Record<Side, ClosedRound>>;

const SIDES = ['ours', 'reference', 'floor'] as const;
type Side = (typeof SIDES)[number];

/** Ours, or the floor, held against the reference. */
export interface Compared {
  readonly rounds: readonly ClosedRound[];
  readonly perSecond: Spread;
  /** Over the reference, of what is answered in a second. */
  readonly ratio: Spread;
  /** The reference's processor time of one over its own. */
  readonly work: Spread;
}

export interface Turns {
  readonly ours: Compared;
  readonly floor: Compared;
  readonly reference: readonly ClosedRound[];
  readonly referencePerSecond: Spread;
}

interface Counts {
  readonly ours: number;
  readonly reference: number;
}

interface TurnTerms {
  readonly what: string;
  readonly targets: Readonly<Record<Side, Target>>;
  readonly isSuccess: (body: string) => boolean;
  /** Makes so many requests, of which each server gets as many as it can, and sees to it that they
   * can be carried out. */
  readonly prepare: (count: number, referenceCount: number) => Promise<readonly Request[]>;
  readonly rounds: number;
  readonly seconds: number;
  /** What is sent at first, to warm up. */
  readonly warmUp: Counts;
  /** Told of each turn, also of the warm-up, whose number is 0. */
  readonly onTurn: (turn: Turn, round: number) => void | Promise<void>;
}

/** Rounds in turn, the first of each turn changing, after one to warm up that is not counted. */
export async function takeTurns(terms: TurnTerms): Promise<Turns> {
  const turns: Turn[] = [];
  let counts = terms.warmUp;
  for (let round = 0; round <= terms.rounds; round += 1) {
    const name = round === 0 ? 'warm-up' : `round ${round}`;
    printProgress(`orders: ${terms.what}: ${name}`);
    const turn = await takeTurn(terms, counts, round);
    await terms.onTurn(turn, round);
    if (round > 0) turns.push(turn);
    counts = {
      ours: countFor(turn.ours.perSecond, terms.seconds),
      reference: countFor(turn.reference.perSecond, terms.seconds),
    };
  }
  return turnsOf(turns);
}

async function takeTurn(
  { targets, isSuccess, prepare }: TurnTerms,
  { ours, reference }: Counts,
  round: number,
): Promise<Turn> {
  const requests = await prepare(Math.max(ours, reference), reference);
  const counts = { ours, reference, floor: ours };
  const run = (side: Side): Promise<ClosedRound> =>
    runClosed(targets[side], {
      requests: requests.slice(0, counts[side]),
      isSuccess,
      each: 1,
      connections: CONNECTIONS,
    });
  const first = round % SIDES.length;
  const rounds = new Map<Side, ClosedRound>();
  for (const side of [...SIDES.slice(first), ...SIDES.slice(0, first)]) {
    rounds.set(side, await run(side));
  }
  const of = (side: Side): ClosedRound => rounds.get(side)!; // each had its turn
  return { ours: of('ours'), reference: of('reference'), floor: of('floor') };
}

function turnsOf(turns: readonly Turn[]): Turns {
  const spread = (of: (turn: Turn) => number): Spread => spreadOf(turns.map(of));
  const compared = (side: 'ours' | 'floor'): Compared => ({
    rounds: turns.map((turn) => turn[side]),
    perSecond: spread((turn) => turn[side].perSecond),
    ratio: spread((turn) => turn[side].perSecond / turn.reference.perSecond),
    work: spread((turn) => turn.reference.serverMicros / turn[side].serverMicros),
  });
  return {
    ours: compared('ours'),
    floor: compared('floor'),
    reference: turns.map(({ reference }) => reference),
    referencePerSecond: spread(({ reference }) => reference.perSecond),
  };
}
