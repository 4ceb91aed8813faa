/**
 * `npm run bench -- streams`: the market channel with many subscribers. How many messages a second,
 * beside a bare uWebSockets.js publish of the same bytes, and how late they are. `--rounds N` takes
 * so many rounds; `--short` measures lateness with the fewest subscribers alone.
 */
import { loadavg } from 'node:os';
import type { Options } from '../harness/arguments.ts';
import {
  fixed,
  inMs,
  percentilesText,
  printProgress,
  printReport,
  ratioText,
  speedText,
  verdictText,
  whole,
} from '../harness/print.ts';
import { type BenchResult, machine, socketLimit } from '../harness/results.ts';
import { summaryRow } from '../harness/summary.ts';
import { measureLatency } from './stream-latency.ts';
import { measureSpeed } from './stream-rounds.ts';

export const STREAMS_OPTIONS = { rounds: 'number', short: 'flag' } as const;
/** About as many deliveries a second in both rows: a quarter of the possible. */
const ROWS = [
  { subscribers: 1_000, perSecond: 20, orders: 120, warmUp: 40 },
  { subscribers: 10_000, perSecond: 1, orders: 15, warmUp: 4 },
];
const BUDGET = 0.8;

const SPEED_NOTES =
  'One market, a batch a turn of the event loop, three levels that change in each. Ours takes ' +
  'the durable batch from its views to the socket, with two hashes of the book and the ring for ' +
  'clients that reconnect; bare publishes texts that were made before. The clients are a process ' +
  'on the same processors and count frames. Processor time is of the publishing process alone.';

const LATENCY_NOTES =
  'Signed orders over HTTP to the real program in an open loop; each changes a level. accepted: ' +
  'from the time of the order in the journal (in whole milliseconds: up to one too much) to the ' +
  'message in the client, with the synced commit and the reading of all clients before it. due: ' +
  'the same from when the order was due to be sent. answer: from then to the answer of POST ' +
  '/order. bare: from a publish of a message as long to the message, without an exchange. Ours ' +
  "also publishes the token's book four times a second at most; bare does not.";

export async function benchStreams({
  short,
  rounds = 7,
}: Options<typeof STREAMS_OPTIONS>): Promise<BenchResult> {
  const [loadBefore = 0] = loadavg();
  const possible = ROWS.filter(({ subscribers }) => subscribers <= socketLimit());
  const speed: Awaited<ReturnType<typeof measureSpeed>>[] = [];
  const latency: Awaited<ReturnType<typeof measureLatency>>[] = [];
  for (const { subscribers } of possible) speed.push(await measureSpeed(subscribers, rounds));
  for (const terms of short === 1 ? possible.slice(0, 1) : possible) {
    latency.push(await measureLatency(terms));
  }
  printReport(
    `market channel beside a bare uWebSockets.js publish of the same bytes (${machine()})`,
    [
      ['subscribers', 'bytes', 'ours/s', 'bare/s', 'ratio', 'processor time', 'budget'],
      ...speed.map((row) => [
        whole(row.subscribers),
        whole(row.bytes),
        speedText(row.ours),
        speedText(row.bare),
        ratioText(row.ratio),
        ratioText(row.work),
        `${BUDGET} ${verdictText(row.ratio.median >= BUDGET)}`,
      ]),
    ],
    SPEED_NOTES,
    'from an order to the message at its subscribers: p50 / p99 / p99.9 in ms',
    [
      ['subscribers', 'orders/s', 'accepted', 'due', 'answer', 'bare'],
      ...latency.map((row) => [
        whole(row.subscribers),
        whole(row.perSecond),
        ...[row.accepted, row.due, row.answered, row.bare].map(percentilesText),
      ]),
    ],
    LATENCY_NOTES,
    `processes that ran or waited in the minute before: ${fixed(loadBefore, 1)}`,
  );
  for (const row of ROWS.filter((one) => !possible.includes(one))) {
    const subscribers = whole(row.subscribers);
    printProgress(`streams: ${subscribers} subscribers were skipped: ulimit -n is too low`);
  }
  const rows = [
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
        ours: `${inMs(accepted.p99)} ms`,
        reference: `${inMs(bare.p99)} ms bare`,
      }),
    ),
  ];
  return { figures: { loadBefore, rounds, rows: speed, latency }, rows };
}
