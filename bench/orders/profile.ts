/**
 * The profile of an order: what each stage takes by itself (profile-stages.ts), beside what each
 * thread of the real program took for an order at full load. The difference is the event loop, the
 * kernel (sockets, files), messages, and processors that all threads share.
 */
import { Exchange, type Metrics } from '../harness/exchange.ts';
import { Orders } from '../harness/orders.ts';
import { fixed, printProgress, type ReportPart } from '../harness/print.ts';
import { callInProcess } from '../harness/process.ts';
import { sumOf } from '../harness/statistics.ts';
import type * as Stages from './profile-stages.ts';
import { FLAGS } from './servers.ts';

const STAGES = new URL('./profile-stages.ts', import.meta.url);
const WARM_UP_ORDERS = 6_000;
const ORDERS = 6_000;
const MAX_MESSAGE_ORDERS = 32;
const THREAD = /^thread_cpu_seconds_total\{thread="([^"]+)"\}$/;
const WAITS = ['receive', 'verify', 'line', 'apply', 'durable', 'commit', 'write'];
const PRINTED_WAITS = ['receive', 'verify', 'line', 'durable', 'commit'];

type StageCost = Stages.StageCost;
type ThreadCost = Pick<StageCost, 'thread' | 'micros'>;

/** Processor time of each thread for one order, between two readings, the largest first. */
export function threadTimes(before: Metrics, after: Metrics, orders: number): ThreadCost[] {
  return [...after]
    .flatMap(([key, seconds]): ThreadCost[] => {
      const thread = THREAD.exec(key)?.[1];
      const micros = ((seconds - (before.get(key) ?? 0)) * 1e6) / orders;
      return thread === undefined ? [] : [{ thread, micros }];
    })
    .sort((a, b) => b.micros - a.micros);
}

/** The mean of a histogram between two readings; NaN where nothing was counted. */
function meanOf(name: string, labels: string, before: Metrics, after: Metrics): number {
  const grown = (part: string): number => {
    const key = `${name}_${part}${labels}`;
    return (after.get(key) ?? Number.NaN) - (before.get(key) ?? 0);
  };
  return grown('sum') / grown('count');
}

/** Mean milliseconds of each stage, waiting and work together, and mean commands of a commit. */
export function stageTimes(before: Metrics, after: Metrics) {
  const entries = WAITS.map((stage) => {
    const labels = `{stage="${stage}"}`;
    return [stage, meanOf('stage_duration_seconds', labels, before, after) * 1_000] as const;
  });
  return {
    stageMs: Object.fromEntries(entries),
    batchCommands: meanOf('commit_commands', '', before, after),
  };
}

/** Measures the stages in a data folder of their own, as a program leaves it after its start. */
export async function profileOrders(meanBatch: number): Promise<StageCost[]> {
  printProgress('orders: profile of the stages');
  return await Exchange.with(FLAGS, async (exchange) => {
    const orders = await Orders.of(exchange);
    await exchange.stop();
    const batchCommands = Math.max(1, Math.round(meanBatch || 1));
    return await callInProcess<typeof Stages, 'profileStages'>(STAGES, 'profileStages', {
      dataDir: exchange.dataDir,
      requests: orders.make(WARM_UP_ORDERS + ORDERS),
      warmUp: WARM_UP_ORDERS,
      batchCommands,
      messageOrders: Math.min(batchCommands, MAX_MESSAGE_ORDERS),
    });
  });
}

interface Load {
  readonly threads: readonly ThreadCost[];
  readonly waits: ReturnType<typeof stageTimes>;
}

export function profileParts(stages: readonly StageCost[], { threads, waits }: Load): ReportPart[] {
  const micros = (costs: readonly ThreadCost[]): number => sumOf(costs, (cost) => cost.micros);
  const alone = (thread: string): number => micros(stages.filter((one) => one.thread === thread));
  const [all, known] = [micros(threads), micros(stages)];
  const means = PRINTED_WAITS.map((stage) => {
    return `${stage} ${fixed(waits.stageMs[stage] ?? Number.NaN, 1)}`;
  });
  return [
    [
      ['one order, by stage', 'thread', 'us'],
      ...stages.map((one) => [one.stage, one.thread, fixed(one.micros, 1)]),
      ['all stages', '', fixed(known, 1)],
    ],
    [
      ['one order, by thread', 'us at full load', 'its stages', 'the rest'],
      ...threads
        .filter((one) => one.micros >= 0.05)
        .map((one) => {
          const own = alone(one.thread);
          return [one.thread, ...[one.micros, own, one.micros - own].map((us) => fixed(us, 1))];
        }),
      ['messages', '-', fixed(alone('messages'), 1), '-'],
      ['all threads', fixed(all, 1), fixed(known, 1), fixed(all - known, 1)],
    ],
    `queue: mean ms at full load, waiting and work: ${means.join(', ')}; ` +
      `${fixed(waits.batchCommands, 1)} commands a commit`,
  ];
}
