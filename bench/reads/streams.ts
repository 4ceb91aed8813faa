/**
 * `npm run bench -- streams`: the market channel with many subscribers. How many messages a second,
 * beside a bare uWebSockets.js publish of the same bytes (design 10), and how late they are.
 * `--rounds N` takes so many rounds; `--short` looks at lateness with few subscribers alone.
 */
import { loadavg } from 'node:os';
import { fileLimit, OTHER_FILES } from '../harness/file-limit.ts';
import { readOptions } from '../harness/options.ts';
import { fixed, printLine, printProgress, printTable, whole } from '../harness/print.ts';
import { machine, recordResult } from '../harness/results.ts';
import type { Percentiles } from '../harness/statistics.ts';
import { ratioText, type SummaryRow, speedText, summaryRow } from '../harness/summary.ts';
import { type LatencyRow, type LatencyTerms, measureLatency } from './streams-latency.ts';
import { measureSpeed, type StreamRow } from './streams-rounds.ts';

/** About as many messages to deliver a second in both rows: a quarter of what can be. */
const ROWS: readonly LatencyTerms[] = [
  { subscribers: 1_000, perSecond: 20, orders: 120, warmUp: 40 },
  { subscribers: 10_000, perSecond: 1, orders: 15, warmUp: 4 },
];
export const STREAMS_OPTIONS = { rounds: 'number', short: 'flag' } as const;
const ROUNDS = 7;
const BUDGET = 0.8;

const SPEED_CAVEATS = [
  'One market, a batch a turn of the event loop, three levels that change in each. Ours takes the',
  'durable batch from its views to the socket, two hashes of the book and the ring for those who',
  'come back included; bare publishes texts that were made before. The clients are a process on',
  'the same processors and count frames. Processor time is of the publishing process alone.',
];

const LATENCY_CAVEATS = [
  'Signed orders over HTTP to the real program, at a rate whatever its answers do; each changes',
  'a level. accepted: from the time that the journal has for the order (in whole milliseconds: up',
  'to one too much) to the message in the client, the synced commit and the reading of all clients',
  'before it included. due: the same from when the order was due to be sent. answer: from then to',
  'the answer of POST /order. bare: from a publish of a message as long to the message, without an',
  "exchange. Ours also publishes the token's book four times a second at most; bare doesn't.",
];

function printSpeed(rows: readonly StreamRow[]): void {
  printLine(`market channel beside a bare uWebSockets.js publish of the same bytes (${machine()})`);
  printLine();
  printTable([
    ['subscribers', 'bytes', 'ours/s', 'bare/s', 'ratio', 'processor time', 'budget'],
    ...rows.map((row) => [
      whole(row.subscribers),
      whole(row.bytes),
      speedText(row.ours),
      speedText(row.bare),
      ratioText(row.ratio),
      ratioText(row.work),
      `${BUDGET} ${row.ratio.median >= BUDGET ? 'met' : 'not met'}`,
    ]),
  ]);
  printLine();
  for (const line of SPEED_CAVEATS) printLine(`  ${line}`);
}

function printLatency(rows: readonly LatencyRow[]): void {
  const ms = ({ p50, p99, p999 }: Percentiles): string =>
    [p50, p99, p999].map((ns) => fixed(ns / 1e6, 1)).join(' / ');
  printLine('from an order to the message at its subscribers: p50 / p99 / p99.9 in ms');
  printLine();
  printTable([
    ['subscribers', 'orders/s', 'accepted', 'due', 'answer', 'bare'],
    ...rows.map((row) => [
      whole(row.subscribers),
      whole(row.perSecond),
      ms(row.accepted),
      ms(row.due),
      ms(row.answered),
      ms(row.bare),
    ]),
  ]);
  printLine();
  for (const line of LATENCY_CAVEATS) printLine(`  ${line}`);
}

function summaryOf(speed: readonly StreamRow[], latency: readonly LatencyRow[]): SummaryRow[] {
  const p99 = ({ p99 }: Percentiles): string => `${fixed(p99 / 1e6, 1)} ms`;
  return [
    ...speed.map(({ subscribers, ours, bare, ratio }) =>
      summaryRow({
        what: `market stream, ${whole(subscribers)} subscribers, messages/s`,
        ours: whole(ours.median),
        reference: `${whole(bare.median)} bare`,
        ratio,
        budget: `at least ${BUDGET}`,
        value: ratio.median,
      }),
    ),
    ...latency.map(({ subscribers, accepted, bare }) =>
      summaryRow({
        what: `market stream, ${whole(subscribers)} subscribers, order to message, p99`,
        ours: p99(accepted),
        reference: `${p99(bare)} bare`,
      }),
    ),
  ];
}

export async function benchStreams(options: readonly string[]): Promise<readonly SummaryRow[]> {
  const { short, rounds = ROUNDS } = readOptions(options, STREAMS_OPTIONS);
  const [loadBefore = 0] = loadavg();
  const limit = fileLimit();
  const possible = ROWS.filter(({ subscribers }) => subscribers + OTHER_FILES <= limit);
  const speed: StreamRow[] = [];
  const latency: LatencyRow[] = [];
  for (const { subscribers } of possible) speed.push(await measureSpeed(subscribers, rounds));
  for (const terms of short === 1 ? possible.slice(0, 1) : possible)
    latency.push(await measureLatency(terms));
  printSpeed(speed);
  printLine();
  printLatency(latency);
  printLine(`  processes that ran or waited in the minute before: ${fixed(loadBefore, 1)}`);
  const skipped = ROWS.filter((terms) => !possible.includes(terms));
  for (const { subscribers } of skipped) {
    printProgress(
      `streams: ${whole(subscribers)} subscribers were skipped: a process may open ${limit} ` +
        `files here, and ${subscribers + OTHER_FILES} are needed (ulimit -n)`,
    );
  }
  recordResult('streams', { loadBefore, rounds, rows: speed, latency });
  return summaryOf(speed, latency);
}
