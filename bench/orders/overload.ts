/**
 * `npm run bench -- overload`: measures the capacity of the real program, then sends signed orders
 * at 0.5, 1, 2 and again 0.5 times that rate. Under overload some orders are refused, but accepted
 * orders must stay fast, no hard bound may be reached, and the journal must have every accepted
 * order exactly once. Cancels and reads are sent at the same time; none may be refused.
 */
import { isAccepted, runClosedLoop } from '../harness/closed-loop.ts';
import { Exchange } from '../harness/exchange.ts';
import { evenly, runOpenLoop } from '../harness/open-loop.ts';
import { Orders } from '../harness/orders.ts';
import { fixed, inMs, printProgress, printReport, whole } from '../harness/print.ts';
import { type BenchResult, machine, socketLimit } from '../harness/results.ts';
import { readRequest } from '../harness/signing.ts';
import { percentilesOf } from '../harness/statistics.ts';
import { summaryRow } from '../harness/summary.ts';
import { FLAGS } from './servers.ts';

const CLOSED_CONNECTIONS = 100;
const WARM_UP_ORDERS = 4_000;
const CAPACITY_ORDERS = 8_000;
/**
 * The sender has a socket for each order of half a second at capacity. The exchange refuses orders
 * before so many wait, so no order waits in the sender for a free socket.
 */
const SOCKETS_SECONDS = 0.5;
/** Orders are made beforehand, so there is a limit, however fast the machine is. */
const MAX_PER_SECOND = 10_000;
const PHASES = [
  { times: 0.5, seconds: 3 },
  { times: 1, seconds: 3 },
  { times: 2, seconds: 5 },
  { times: 0.5, seconds: 4 },
];
/** Reads and cancels, alternating, that are sent beside the orders. */
const PROBES_PER_SECOND = 40;
const PROBE_CONNECTIONS = 32;
/** Refusal reasons that are expected under overload. Any other reason is a hard bound. */
const SOFT = ['waitMs', 'eventLoopMs', 'oldestOrderMs', 'waitingOrders'];
const REFUSED = /^overloaded_total\{(.*)\}$/;

/** When each order of all phases is due, in ms, and which orders a phase has. */
function planOf(capacity: number) {
  const dueMs: number[] = [];
  let startMs = 0;
  const phases = PHASES.map(({ times, seconds }) => {
    const perSecond = Math.round(Math.min(capacity, MAX_PER_SECOND) * times);
    const from = dueMs.length;
    for (const ms of evenly(perSecond * seconds, perSecond)) dueMs.push(startMs + ms);
    startMs += seconds * 1_000;
    return { times, seconds, perSecond, from, to: dueMs.length };
  });
  return { phases, dueMs: Float64Array.from(dueMs), seconds: startMs / 1_000 };
}

/** The rate of a closed loop, and how many orders were accepted on the way. */
async function measureCapacity(exchange: Exchange, orders: Orders) {
  const terms = { connections: CLOSED_CONNECTIONS, isSuccess: isAccepted };
  const warm = { ...terms, requests: orders.make(WARM_UP_ORDERS) };
  const { errors: refused } = await runClosedLoop(exchange, warm);
  const requests = orders.make(CAPACITY_ORDERS);
  const { perSecond, errors } = await runClosedLoop(exchange, { ...terms, requests });
  if (errors > 0) throw new Error(`${errors} orders failed below capacity`);
  return { capacity: perSecond, acceptedBefore: WARM_UP_ORDERS + CAPACITY_ORDERS - refused };
}

async function measure(exchange: Exchange) {
  const { url } = exchange;
  const orders = await Orders.of(exchange);
  const { capacity, acceptedBefore } = await measureCapacity(exchange, orders);
  const { phases, dueMs, seconds } = planOf(capacity);
  const connections = Math.ceil(capacity * SOCKETS_SECONDS);
  if (connections > socketLimit()) {
    throw new Error(`${connections} sockets are needed, but ulimit -n leaves ${socketLimit()}`);
  }
  printProgress(`overload: capacity ${whole(capacity)}/s; signing ${whole(dueMs.length)}`);
  const requests = orders.make(dueMs.length);
  const read = readRequest(`/book?token_id=${orders.markets[0]!.tokenIds[0]}`);
  const probesDue = evenly(seconds * PROBES_PER_SECOND, PROBES_PER_SECOND);
  const probes = Array.from(probesDue, (_, at) => (at % 2 === 0 ? read : orders.makeCancel()));
  printProgress('overload: sending');
  const [answers, probed] = await Promise.all([
    runOpenLoop({ url, connections, requests, dueMs }),
    runOpenLoop({ url, connections: PROBE_CONNECTIONS, requests: probes, dueMs: probesDue }),
  ]);
  const reasons = [...(await exchange.metrics())].flatMap(([key, count]) => {
    const reason = REFUSED.exec(key)?.[1];
    return reason === undefined || count === 0 ? [] : [{ reason, count }];
  });
  await exchange.stop();
  const journaled = exchange.journaled();
  return { capacity, acceptedBefore, phases, answers, probed, reasons, journaled };
}
type Measured = Awaited<ReturnType<typeof measure>>;

function phasesOf({ phases, answers }: Measured) {
  return phases.map(({ times, seconds, perSecond, from, to }) => {
    const isAcceptedAt = (at: number): boolean => answers.statuses[from + at] === 200;
    const latenciesMs = answers.latenciesMs.subarray(from, to);
    const accepted = latenciesMs.filter((_, at) => isAcceptedAt(at));
    const refused = latenciesMs.filter((_, at) => !isAcceptedAt(at));
    return {
      times,
      perSecond,
      acceptedPerSecond: accepted.length / seconds,
      refusedPerSecond: refused.length / seconds,
      accepted: percentilesOf([accepted]),
      refused: percentilesOf([refused]),
    };
  });
}
type Phase = ReturnType<typeof phasesOf>[number];

const PHASE_HEAD = 'times capacity|sent/s|accepted/s|refused/s|p50 ms|p99 ms|longest|503 p99'.split(
  '|',
);

function phaseRow(phase: Phase): string[] {
  const { p50, p99, longest } = phase.accepted;
  return [
    fixed(phase.times, 1),
    ...[phase.perSecond, phase.acceptedPerSecond, phase.refusedPerSecond].map(whole),
    ...[p50, p99, longest].map((latency) => inMs(latency, 0)),
    phase.refusedPerSecond === 0 ? '-' : inMs(phase.refused.p99, 0),
  ];
}

/** What must be right, in words, and whether it is. */
function check({ acceptedBefore, answers, probed, reasons, journaled }: Measured) {
  const accepted = answers.statuses.filter((status) => status === 200).length;
  const others = answers.statuses.filter((status) => status !== 200 && status !== 503).length;
  const failures = probed.statuses.filter((status) => status !== 200).length;
  const sent = acceptedBefore + accepted;
  const hard = reasons.filter(({ reason }) => !SOFT.some((soft) => reason.includes(soft)));
  const hardText = hard.length === 0 ? 'none' : JSON.stringify(hard);
  const text =
    `refused because a hard bound was reached: ${hardText}\n` +
    `journaled ${whole(journaled.orders)} orders, ${whole(journaled.ids)} ids, of ${whole(sent)} ` +
    `accepted\nanswers other than 200 and 503: ${others}\n` +
    `reads and cancels not answered 200: ${failures} of ${probed.statuses.length}`;
  const isLost = journaled.orders !== sent || journaled.ids !== sent;
  return { text, failures, isRight: others + failures + hard.length === 0 && !isLost };
}

export async function benchOverload(): Promise<BenchResult> {
  const measured = await Exchange.with(FLAGS, measure);
  const { capacity, answers, probed, reasons } = measured;
  const phases = phasesOf(measured);
  const { text, failures, isRight } = check(measured);
  const probes = percentilesOf([probed.latenciesMs]);
  const reasonsText = reasons.map(({ reason, count }) => `${reason} ${whole(count)}`).join(', ');
  printReport(
    `POST /order beyond capacity, ${whole(capacity)}/s (${machine()})`,
    [PHASE_HEAD, ...phases.map(phaseRow)],
    `refused for ${reasonsText || 'nothing'}\n${text}; p50 ${inMs(probes.p50, 0)} ms, p99 ` +
      `${inMs(probes.p99, 0)} ms\nthe sender was at most ${fixed(answers.latestMs, 0)} ms late`,
  );
  const twice = phases.find(({ times }) => times === 2)!;
  return {
    figures: { capacity, phases, probes, failures, reasons },
    rows: [
      summaryRow({
        what: 'twice the capacity: orders accepted/s',
        ours: whole(twice.acceptedPerSecond),
        reference: `${whole(capacity)} capacity`,
      }),
      summaryRow({
        what: 'twice the capacity: p99 of accepted, due to answer',
        ours: `${inMs(twice.accepted.p99, 0)} ms`,
      }),
      summaryRow({
        what: 'all phases: reads and cancels not answered 200',
        ours: `${failures} of ${probed.statuses.length}`,
        budget: 'under 1',
        value: failures,
      }),
    ],
    ...(isRight ? {} : { failure: text.replaceAll('\n', '; ') }),
  };
}
