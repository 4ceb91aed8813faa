/**
 * `npm run bench -- orders`: signed orders over HTTP to the real program, authenticated and durable
 * (every answer comes after a synced commit), beside the reference that makes the same checks one
 * by one. `--verifiers N` starts the program with N verifier threads.
 */
import type { Metrics } from '../harness/exchange.ts';
import { fixed, printReport, whole } from '../harness/print.ts';
import { type BenchResult, machine, syncMs } from '../harness/results.ts';
import { spreadBy, sumOf } from '../harness/statistics.ts';
import { runLone, runOpenRounds } from './open-rounds.ts';
import { limitsText, type OrderFigures, openText, summaryOf, threadTable } from './print.ts';
import { runBatches, runCancels, runSingles } from './rounds.ts';
import { type Servers, withServers } from './servers.ts';

/** Stages in the program's histogram, in the sequence in which an order passes them. */
const STAGES = ['receive', 'verify', 'line', 'durable', 'commit'];

/** The mean of a histogram so far. */
function meanOf(metrics: Metrics, name: string, labels = ''): number {
  const [sum, count] = ['sum', 'count'].map((part) => metrics.get(`${name}_${part}${labels}`));
  return (sum ?? Number.NaN) / (count ?? Number.NaN);
}

/** Mean ms of each stage so far, waiting and work together, and mean commands of a commit. */
function stagesOf(metrics: Metrics) {
  const stageMs = STAGES.map((stage) => {
    const seconds = meanOf(metrics, 'stage_duration_seconds', `{stage="${stage}"}`);
    return [stage, seconds * 1_000] as const;
  });
  return { stageMs, commitCommands: meanOf(metrics, 'commit_commands') };
}

async function measure(servers: Servers) {
  const singles = await runSingles(servers);
  const stages = stagesOf(await servers.exchange.metrics());
  const batches = await runBatches(servers);
  const fullBatches = spreadBy(batches, ({ perSecond }) => perSecond).median;
  const open = await runOpenRounds(servers, singles.ours.median, fullBatches);
  const cancels = await runCancels(servers);
  const lone = await runLone(servers);
  return { lone, singles, stages, batches, open, cancels };
}

/** Stops the exchange and compares what both servers have on disk with what they accepted. */
async function check({ exchange, reference, tally }: Servers, figures: OrderFigures) {
  const inReference = await reference.process.call('count');
  await exchange.stop();
  const journaled = exchange.journaled();
  const { lone, singles, cancels, batches, open } = figures;
  const pairs = [...singles.rounds, ...cancels.rounds];
  const closed = [...pairs.flatMap(({ ours, bare }) => [ours, bare]), ...batches];
  const opened = [lone, ...open.half, ...open.full, ...open.halfBatches];
  const errors = sumOf([...closed, ...opened], (round) => round.errors);
  const first = closed.find(({ failure }) => failure !== '')?.failure ?? '';
  const text =
    `journaled ${whole(journaled.orders)} of ${whole(tally.exchange)} accepted orders and ` +
    `${whole(journaled.cancels)} of ${whole(tally.canceled)} cancels; the reference ` +
    `${whole(inReference)} of ${whole(tally.reference)} orders; errors ${whole(errors)} ` +
    first.slice(0, 300);
  const isRight =
    errors === 0 &&
    journaled.orders === tally.exchange &&
    journaled.ids === tally.exchange &&
    journaled.cancels === tally.canceled &&
    inReference === tally.reference;
  return { text, isRight, figures: { journaled, errors, tally, inReference } };
}

async function compareServers(servers: Servers): Promise<BenchResult> {
  const probeMs = syncMs(servers.exchange.dataDir);
  const figures = await measure(servers);
  const checked = await check(servers, figures);
  const { singles, cancels, open, stages } = figures;
  const means = stages.stageMs.map(([stage, ms]) => `${stage} ${fixed(ms, 1)}`).join(', ');
  printReport(
    `orders: signed, authenticated, durable (${machine()})`,
    threadTable(figures),
    [
      limitsText('POST /order', singles),
      limitsText('DELETE /order', cancels),
      ...[open.half, open.halfBatches, open.full].map(openText),
      `mean ms of a single order's stages at full load, waiting and work: ${means}; ` +
        `${fixed(stages.commitCommands, 1)} commands a commit`,
      checked.text,
      `one synced 4 KiB write to this disk: ${fixed(probeMs, 2)} ms`,
    ].join('\n'),
  );
  return {
    figures: { ...figures, ...checked.figures, syncMs: probeMs },
    rows: summaryOf(figures),
    ...(checked.isRight ? {} : { failure: checked.text }),
  };
}

export async function benchOrders({ verifiers }: { verifiers?: number }): Promise<BenchResult> {
  const flags = verifiers === undefined ? [] : ['--verifier-threads', String(verifiers)];
  return await withServers(flags, compareServers);
}
