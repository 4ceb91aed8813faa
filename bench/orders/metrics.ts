/**
 * What the program says of itself while orders come: processor time by thread, and how long orders
 * wait at each stage, from its GET /metrics. Two readings are compared.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerProcess } from '../harness/server-process.ts';

const PREFIX = 'outcome_exchange_';

/** Samples by name and labels. */
export type Metrics = ReadonlyMap<string, number>;

export async function readMetrics(server: ServerProcess): Promise<Metrics> {
  const token = readFileSync(join(server.dataDir, 'admin.token'), 'utf8').trim();
  const url = `http://127.0.0.1:${server.adminPort}/metrics`;
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  if (!answer.ok) throw new Error(`GET /metrics answers ${answer.status}`);
  const lines = (await answer.text()).split('\n').filter((line) => line.startsWith(PREFIX));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(PREFIX.length, end), Number(line.slice(end + 1))];
    }),
  );
}

export interface ThreadTime {
  readonly thread: string;
  readonly seconds: number;
}

const THREAD = /^thread_cpu_seconds_total\{thread="([^"]+)"\}$/;

/** Processor time of each thread between two readings, most first; empty where none is told. */
export function threadTimes(before: Metrics, after: Metrics): ThreadTime[] {
  return [...after]
    .flatMap(([key, seconds]): ThreadTime[] => {
      const thread = THREAD.exec(key)?.[1];
      return thread === undefined ? [] : [{ thread, seconds: seconds - (before.get(key) ?? 0) }];
    })
    .sort((a, b) => b.seconds - a.seconds);
}

/** The mean of a histogram between two readings, in its unit; NaN where nothing was counted. */
function meanOf(name: string, labels: string, before: Metrics, after: Metrics): number {
  const grown = (part: string): number => {
    const key = `${name}_${part}${labels}`;
    return (after.get(key) ?? Number.NaN) - (before.get(key) ?? 0);
  };
  return grown('sum') / grown('count');
}

export interface StageTimes {
  /** Mean milliseconds of each stage, waiting and work together. */
  readonly stageMs: Readonly<Record<string, number>>;
  /** Commands that became durable together, a mean. */
  readonly batchCommands: number;
}

const STAGES = ['receive', 'verify', 'line', 'apply', 'durable', 'commit', 'write'];

export function stageTimes(before: Metrics, after: Metrics): StageTimes {
  return {
    stageMs: Object.fromEntries(
      STAGES.map((stage) => [
        stage,
        meanOf('stage_duration_seconds', `{stage="${stage}"}`, before, after) * 1_000,
      ]),
    ),
    batchCommands: meanOf('commit_commands', '', before, after),
  };
}
