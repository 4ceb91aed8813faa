/**
 * Rounds of orders or cancels over HTTP in a closed loop: ours and the reference in turn, the same
 * requests to both, each as many as it answers in a round's time.
 *
 * Bound: MOST_ORDERS a round, so that no account comes to its bound of live orders.
 */
import type { Request } from 'autocannon';
import { type LoadResult, runLoad } from './http-load.ts';
import { printProgress } from './print.ts';
import { type Spread, spreadOf } from './statistics.ts';

/** Kept-alive connections with one request in flight on each. */
export const CONNECTIONS = 100;
/** Where a request has 15 orders: about as many orders in flight. */
export const BATCH_CONNECTIONS = 8;
const MOST_ORDERS = 30_000;

/** A server as far as a round sees it. */
export interface Target {
  readonly url: string;
  /** Of all its threads so far; NaN where /proc is missing. */
  processorSeconds(): number;
}

export interface ClosedRound extends LoadResult {
  /** What was sent: orders or cancels. */
  readonly sent: number;
  /** Microseconds of processor time for each, of all threads of the server. */
  readonly serverMicros: number;
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
  const loadBefore = process.cpuUsage();
  const { url } = target;
  const result = await runLoad({ url, requests, connections, isSuccess });
  const { user, system } = process.cpuUsage(loadBefore);
  const sent = requests.length * each;
  return {
    ...result,
    perSecond: result.perSecond * each,
    sent,
    serverMicros: ((target.processorSeconds() - serverBefore) * 1e6) / sent,
    loadMicros: (user + system) / sent,
  };
}

/** How many requests a round of some seconds takes, by what the one before took. */
export function countFor(perSecond: number, seconds: number, each = 1): number {
  const connections = each === 1 ? CONNECTIONS : BATCH_CONNECTIONS;
  const requests = Math.min((perSecond * seconds) / each, MOST_ORDERS / each);
  return Math.max(Math.floor(requests / connections), 1) * connections;
}

/** A pair of rounds, ours and the reference's. */
export interface Turn {
  readonly ours: ClosedRound;
  readonly reference: ClosedRound;
}

export interface Turns {
  readonly ours: readonly ClosedRound[];
  readonly reference: readonly ClosedRound[];
  readonly oursPerSecond: Spread;
  readonly referencePerSecond: Spread;
  /** Ours over the reference, of what is answered in a second. */
  readonly ratio: Spread;
  /** The reference's processor time of one over ours. */
  readonly work: Spread;
}

interface TurnTerms {
  readonly what: string;
  readonly ours: Target;
  readonly reference: Target;
  readonly isSuccess: (body: string) => boolean;
  /** Makes so many requests, of which each server gets as many as it can, and sees to it that they
   * can be carried out. */
  readonly prepare: (count: number, referenceCount: number) => Promise<readonly Request[]>;
  readonly rounds: number;
  readonly seconds: number;
  /** What is sent at first, to warm up. */
  readonly warmUp: { readonly ours: number; readonly reference: number };
  /** Told of each turn, also of the warm-up, whose number is 0. */
  readonly onTurn: (turn: Turn, round: number) => void | Promise<void>;
}

/** Rounds in turn, the first of each pair changing, after one to warm up that is not counted. */
export async function takeTurns(terms: TurnTerms): Promise<Turns> {
  const turns: Turn[] = [];
  let counts = terms.warmUp;
  for (let round = 0; round <= terms.rounds; round += 1) {
    const name = round === 0 ? 'warm-up' : `round ${round}`;
    printProgress(`orders: ${terms.what}: ${name}`);
    const turn = await takeTurn(terms, counts, round % 2 === 0);
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
  { ours, reference, isSuccess, prepare }: TurnTerms,
  counts: TurnTerms['warmUp'],
  oursFirst: boolean,
): Promise<Turn> {
  const requests = await prepare(Math.max(counts.ours, counts.reference), counts.reference);
  const run = (target: Target, count: number): Promise<ClosedRound> =>
    runClosed(target, {
      requests: requests.slice(0, count),
      isSuccess,
      each: 1,
      connections: CONNECTIONS,
    });
  if (oursFirst) {
    const first = await run(ours, counts.ours);
    return { ours: first, reference: await run(reference, counts.reference) };
  }
  const first = await run(reference, counts.reference);
  return { ours: await run(ours, counts.ours), reference: first };
}

function turnsOf(turns: readonly Turn[]): Turns {
  const spread = (of: (turn: Turn) => number): Spread => spreadOf(turns.map(of));
  return {
    ours: turns.map(({ ours }) => ours),
    reference: turns.map(({ reference }) => reference),
    oursPerSecond: spread(({ ours }) => ours.perSecond),
    referencePerSecond: spread(({ reference }) => reference.perSecond),
    ratio: spread(({ ours, reference }) => ours.perSecond / reference.perSecond),
    work: spread(({ ours, reference }) => reference.serverMicros / ours.serverMicros),
  };
}
