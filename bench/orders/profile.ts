/**
 * The profile of an order: what each stage takes by itself (profile-stages.ts), beside what each
 * thread of the real program took an order at full load. What a thread took more is the event loop,
 * the kernel (sockets, files), messages, and two processors being shared by all of them.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChild } from '../harness/measurement.ts';
import { OrderRequests } from '../harness/order-requests.ts';
import { fixed, printLine, printProgress, printTable } from '../harness/print.ts';
import { startServer } from '../harness/server-process.ts';
import type { StageTimes, ThreadTime } from './metrics.ts';
import type { ProfiledRequest, ProfileInput, StageCost } from './profile-stages.ts';
import { FLAGS } from './venues.ts';

const WARM_UP_ORDERS = 6_000;
const ORDERS = 6_000;
const MOST_MESSAGE_ORDERS = 32;

const STAGES = new URL('./profile-stages.ts', import.meta.url);

export interface Profile {
  readonly stages: readonly StageCost[];
  /** Processor time an order at full load, by thread. */
  readonly threads: readonly { readonly thread: string; readonly micros: number }[];
}

/** What the real program did in the counted rounds of full load. */
export interface FullLoad {
  readonly threads: readonly ThreadTime[];
  readonly stages: StageTimes;
  readonly orders: number;
}

async function profileStages(dataDir: string, orders: OrderRequests, batchCommands: number) {
  const folder = mkdtempSync(join(tmpdir(), 'exchange-profile-'));
  try {
    const requestsPath = join(folder, 'requests.json');
    const requests = orders.make(WARM_UP_ORDERS + ORDERS).map(
      ({ headers = {}, body }): ProfiledRequest => ({
        headers: lowerCase(headers),
        body: String(body),
      }),
    );
    writeFileSync(requestsPath, JSON.stringify(requests));
    return await runChild<ProfileInput, StageCost[]>(STAGES, {
      dataDir,
      requestsPath,
      warmUp: WARM_UP_ORDERS,
      batchCommands,
      messageOrders: Math.min(batchCommands, MOST_MESSAGE_ORDERS),
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function lowerCase(headers: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
}

/** In a data folder of its own, as a program leaves it that has just been started. */
export async function profileOrders({ threads, stages, orders }: FullLoad): Promise<Profile> {
  printProgress('orders: profile of the stages');
  const server = await startServer(FLAGS);
  try {
    const requests = await OrderRequests.of(server);
    await server.stop();
    const batchCommands = Math.max(1, Math.round(stages.batchCommands || 1));
    return {
      stages: await profileStages(server.dataDir, requests, batchCommands),
      threads: threads.map(({ thread, seconds }) => ({ thread, micros: (seconds * 1e6) / orders })),
    };
  } finally {
    await server.stop();
    server.remove();
  }
}

/** What a stage is called in the table where it is a message that two threads copy. */
const MESSAGES = 'messages';

function sum(values: readonly number[]): number {
  return values.reduce((all, one) => all + one, 0);
}

export function printProfile({ stages, threads }: Profile, { stages: waits }: FullLoad): void {
  printTable([
    ['one order, by stage', 'thread', 'us'],
    ...stages.map(({ stage, thread, micros }) => [stage, thread, fixed(micros, 1)]),
    ['all stages', '', fixed(sum(stages.map(({ micros }) => micros)), 1)],
  ]);
  printLine();
  const alone = (thread: string): number =>
    sum(stages.filter((one) => one.thread === thread).map(({ micros }) => micros));
  const rows = threads
    .filter(({ micros }) => micros >= 0.05)
    .map(({ thread, micros }) => [
      thread,
      fixed(micros, 1),
      fixed(alone(thread), 1),
      fixed(micros - alone(thread), 1),
    ]);
  const all = sum(threads.map(({ micros }) => micros));
  const known = sum(stages.map(({ micros }) => micros));
  printTable([
    ['one order, by thread', 'us at full load', 'its stages', 'the rest'],
    ...rows,
    [MESSAGES, '-', fixed(alone(MESSAGES), 1), '-'],
    ['all threads', fixed(all, 1), fixed(known, 1), fixed(all - known, 1)],
  ]);
  printLine();
  const { stageMs, batchCommands } = waits;
  const waited = ['receive', 'verify', 'line', 'durable', 'commit']
    .map((stage) => `${stage} ${fixed(stageMs[stage] ?? Number.NaN, 1)}`)
    .join(', ');
  printLine(`  queue: mean ms at full load, waiting and work: ${waited};`);
  printLine(`  ${fixed(batchCommands, 1)} commands a commit`);
  printLine();
}
