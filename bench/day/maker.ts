/**
 * The thread that makes and signs a trading day ahead of its time, a second at a time, so that the
 * thread that sends does nothing else.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { DayGenerator } from './generator.ts';
import type { DayTerms, DueAct, LaneName, Read } from './plan.ts';
import { laneOf } from './plan.ts';
import { DaySigner, type Venue } from './signer.ts';

export interface MakerInput {
  readonly terms: DayTerms;
  readonly venue: Venue;
}

/** When the opening begins, since the epoch; the answer to each is one second of the day. */
export interface MakerWish {
  readonly startMs: number;
}

/** What is due in one second; of request n the bytes up to `ends[n]`. */
export interface DaySecond {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly ends: Uint32Array;
  readonly dueMs: Float64Array;
  readonly lanes: readonly LaneName[];
  /** Of each request the orders in it, or ids to cancel. */
  readonly items: Uint16Array;
  /** Which of all reads it is; '' for what is none. */
  readonly reads: readonly (Read | '')[];
  readonly resolutions: readonly Extract<DueAct, { kind: 'resolve' }>[];
  /** Processor time that this thread took for it. */
  readonly workMs: number;
}

function itemsOf(act: DueAct): number {
  switch (act.kind) {
    case 'orders':
      return act.orders.length;
    case 'cancel':
      return act.numbers.length;
    default:
      return 1;
  }
}

function isResolution(act: DueAct): act is Extract<DueAct, { kind: 'resolve' }> {
  return act.kind === 'resolve';
}

/** Processor time of this thread since it was last asked. */
function workMs(): number {
  const { user, system } = process.threadCpuUsage(before);
  before = process.threadCpuUsage();
  return (user + system) / 1_000;
}
let before = process.threadCpuUsage();

function makeSecond(acts: readonly DueAct[], signer: DaySigner, startMs: number): DaySecond {
  const sent = acts.filter((act) => !isResolution(act));
  const requests = sent.map((act) => signer.requestOf(act, startMs + act.dueMs));
  const ends = new Uint32Array(requests.length);
  let end = 0;
  for (const [at, { length }] of requests.entries()) {
    end += length;
    ends[at] = end;
  }
  const bytes = new Uint8Array(end);
  for (const [at, request] of requests.entries()) bytes.set(request, ends[at]! - request.length);
  return {
    bytes,
    ends,
    dueMs: Float64Array.from(sent, ({ dueMs }) => dueMs),
    lanes: sent.map(({ kind }) => laneOf(kind)),
    items: Uint16Array.from(sent, itemsOf),
    reads: sent.map((act) => (act.kind === 'read' ? act.read : '')),
    resolutions: acts.filter(isResolution),
    workMs: workMs(),
  };
}

// The parent is our own file: it gives this.
const { terms, venue } = workerData as MakerInput;
const generator = new DayGenerator(terms);
const signer = new DaySigner(venue);
parentPort?.on('message', ({ startMs }: MakerWish) => {
  const second = makeSecond(generator.nextSecond(), signer, startMs);
  parentPort?.postMessage(second, [second.bytes.buffer]);
});
