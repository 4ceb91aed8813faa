/**
 * `npm run bench -- overload`: signed orders at half, once and twice the rate that the real program
 * can answer, and at half of it again, in one run. Whatever is refused, accepted orders must stay
 * quick, no hard bound may be reached, and every accepted order must be in the journal, once.
 * Cancels and reads are sent meanwhile: they must not be refused.
 */
import { isAccepted, type LoadRequest, runClosedLoop } from '../harness/closed-loop.ts';
import { Exchange, type Metrics } from '../harness/exchange.ts';
import { type OpenAnswers, runOpenLoop } from '../harness/open-loop.ts';
import { Orders } from '../harness/orders.ts';
import { fixed, inMs, printProgress, printReport, whole } from '../harness/print.ts';
import { type BenchResult, machine, socketLimit } from '../harness/results.ts';
import { percentilesOf } from '../harness/statistics.ts';
import { summaryRow } from '../harness/summary.ts';
import { FLAGS } from './servers.ts';

const CLOSED_CONNECTIONS = 100;
const WARM_UP_ORDERS = 4_000;
const CAPACITY_ORDERS = 8_000;
/**
 * Sockets for what comes in half a second at the capacity. That is more than may wait in the
 * exchange: an order that the exchange has not refused must not wait here for a socket.
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
const PROBE_MS = 50;
/** The overload is over when accepted orders take no longer. */
const WELL_MS = 250;
/** The refusals that are meant to come. Any other one names a hard bound. */
const SOFT = ['waitMs', 'eventLoopMs', 'oldestOrderMs', 'waitingOrders'];

const NOTES =
  'Open loop, with sockets for half a second; latencies count from when a request was due, so ' +
  'they include the wait for a free socket and the lateness of the sender, which shares the ' +
  `processors. Capacity is that of a closed loop of ${CLOSED_CONNECTIONS} connections just ` +
  'before. Inside: from the arrival at the exchange to its answer, by its /metrics, without the ' +
  'sender. Excluded: making and signing, TLS, a network.';

/** The samples of a metric with labels, as label text and number. */
function samplesOf(metrics: Metrics, name: string): [labels: string, value: number][] {
  return [...metrics].flatMap(([key, value]): [string, number][] =>
    key.startsWith(`${name}{`) ? [[key.slice(name.length + 1, -1), value]] : [],
  );
}

/** How many orders were accepted by then, by the time that they took in the exchange at most. */
interface Durations {
  readonly atMs: number;
  readonly counts: ReadonlyMap<number, number>;
}

function durationsOf(metrics: Metrics, atMs: number): Durations {
  const samples = samplesOf(metrics, 'http_request_duration_seconds_bucket');
  const counts = samples.flatMap(([labels, count]): [number, number][] => {
    const isOrder = ['"POST"', '"/order"', '"2xx"'].every((part) => labels.includes(part));
    const boundMs = Number(/le="([^"]*)"/.exec(labels)?.[1]?.replace('+Inf', 'Infinity')) * 1_000;
    return isOrder ? [[boundMs, count]] : [];
  });
  return { atMs, counts: new Map(counts) };
}

/** The least bound that 99 of 100 orders accepted between two readings did not exceed. */
function p99Bound(before: Durations | undefined, after: Durations | undefined): number {
  const grown = [...(after?.counts ?? [])].map(
    ([boundMs, count]) => [boundMs, count - (before?.counts.get(boundMs) ?? 0)] as const,
  );
  const all = grown.find(([boundMs]) => boundMs === Number.POSITIVE_INFINITY)?.[1] ?? 0;
  return grown.find(([, count]) => count >= 0.99 * all)?.[0] ?? 0;
}

/** Sends reads and cancels while the load runs, and reads the metrics. */
function startProbes(exchange: Exchange, orders: Orders) {
  const latenciesMs: number[] = [];
  const statuses = new Map<number, number>();
  const readings: Durations[] = [];
  let mostWaiting = 0;
  const beganMs = performance.now();
  const timed = async ({ method, path, headers, body }: LoadRequest): Promise<void> => {
    const startMs = performance.now();
    const init = { method, headers, ...(method === 'GET' ? {} : { body }) };
    // 0: the connection is broken.
    const status = await fetch(`${exchange.url}${path}`, init).then(
      async (answer) => {
        await answer.arrayBuffer();
        return answer.status;
      },
      () => 0,
    );
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    latenciesMs.push(performance.now() - startMs);
  };
  const probe = async (): Promise<void> => {
    const path = `/book?token_id=${orders.firstTokenId}`;
    await timed({ method: 'GET', path, headers: {}, body: '' });
    await timed(orders.makeCancel());
    const metrics = await exchange.metrics();
    readings.push(durationsOf(metrics, performance.now() - beganMs));
    mostWaiting = Math.max(mostWaiting, metrics.get('waiting_orders') ?? 0);
  };
  const probes: Promise<void>[] = [];
  const timer = setInterval(() => probes.push(probe()), PROBE_MS);
  return async () => {
    clearInterval(timer);
    await Promise.all(probes);
    const sent = latenciesMs.length;
    const failures = sent - (statuses.get(200) ?? 0);
    const latency = percentilesOf([latenciesMs]);
    return { sent, failures, latency, mostWaiting, statuses: [...statuses], readings };
  };
}

/** When each order of all phases is due, in ms, and where each phase begins. */
function schedule(capacity: number) {
  const rates = PHASES.map(({ times }) => Math.round(Math.min(capacity, MAX_PER_SECOND) * times));
  const dueMs: number[] = [];
  const starts: number[] = [];
  let startMs = 0;
  for (const [index, { seconds }] of PHASES.entries()) {
    starts.push(dueMs.length);
    const rate = rates[index]!;
    for (let order = 0; order < rate * seconds; order += 1) {
      dueMs.push(startMs + (order * 1_000) / rate);
    }
    startMs += seconds * 1_000;
  }
  return { dueMs: Float64Array.from(dueMs), starts, rates };
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
  const orders = await Orders.of(exchange);
  const { capacity, acceptedBefore } = await measureCapacity(exchange, orders);
  const plan = schedule(capacity);
  const connections = Math.ceil(capacity * SOCKETS_SECONDS);
  if (connections > socketLimit()) {
    throw new Error(`${connections} sockets are needed, and ulimit -n allows ${socketLimit()}`);
  }
  printProgress(`overload: capacity ${whole(capacity)}/s; signing ${whole(plan.dueMs.length)}`);
  const requests = orders.make(plan.dueMs.length);
  printProgress('overload: sending');
  const stopProbes = startProbes(exchange, orders);
  const load = { url: exchange.url, connections, requests, dueMs: plan.dueMs };
  const answers = await runOpenLoop(load);
  const probes = await stopProbes();
  const reasons = samplesOf(await exchange.metrics(), 'overloaded_total');
  await exchange.stop();
  const journaled = exchange.journaled();
  return { capacity, acceptedBefore, plan, answers, probes, reasons, journaled };
}
type Measured = Awaited<ReturnType<typeof measure>>;

function phasesOf({ answers, plan, probes }: Measured) {
  const readingAt = (ms: number) => probes.readings.findLast(({ atMs }) => atMs <= ms);
  let startMs = 0;
  return PHASES.map(({ times, seconds }, index) => {
    const before = readingAt(startMs);
    startMs += seconds * 1_000;
    const accepted: number[] = [];
    const refused: number[] = [];
    for (
      let at = plan.starts[index]!;
      at < (plan.starts[index + 1] ?? plan.dueMs.length);
      at += 1
    ) {
      (answers.statuses[at] === 200 ? accepted : refused).push(answers.latenciesMs[at]!);
    }
    return {
      times,
      perSecond: plan.rates[index]!,
      acceptedPerSecond: accepted.length / seconds,
      refusedPerSecond: refused.length / seconds,
      /** p99 of accepted orders from arrival to answer: a bound of the histogram of /metrics. */
      insideMs: p99Bound(before, readingAt(startMs)),
      accepted: percentilesOf([accepted]),
      refused: percentilesOf([refused]),
    };
  });
}
type Phase = ReturnType<typeof phasesOf>[number];

/** From the end of the overload to the last order that was refused or took too long. */
function recoveryOf(answers: OpenAnswers, { dueMs, starts }: Measured['plan']): number {
  const begin = starts.at(-1)!;
  const isBad = (at: number): boolean =>
    answers.statuses[at] !== 200 || answers.latenciesMs[at]! > WELL_MS;
  let last = begin;
  for (let at = begin; at < dueMs.length; at += 1) if (isBad(at)) last = at;
  return dueMs[last]! - dueMs[begin]!;
}

const PHASE_HEAD =
  'times capacity|sent/s|accepted/s|refused/s|p50 ms|p99 ms|longest|inside p99 <=|503 p99'.split(
    '|',
  );

function print(measured: Measured, phases: readonly Phase[], notes: readonly string[]): void {
  const { p50, p99 } = measured.probes.latency;
  const { sent, failures, statuses, mostWaiting } = measured.probes;
  const reasons = measured.reasons.map(([what, count]) => `${what} ${whole(count)}`).join(', ');
  printReport(
    `POST /order beyond capacity, ${whole(measured.capacity)}/s (${machine()})`,
    [
      PHASE_HEAD,
      ...phases.map((phase) => [
        fixed(phase.times, 1),
        whole(phase.perSecond),
        whole(phase.acceptedPerSecond),
        whole(phase.refusedPerSecond),
        inMs(phase.accepted.p50, 0),
        inMs(phase.accepted.p99, 0),
        inMs(phase.accepted.longest, 0),
        fixed(phase.insideMs, 0),
        phase.refusedPerSecond === 0 ? '-' : inMs(phase.refused.p99, 0),
      ]),
    ],
    `most orders waiting ${whole(mostWaiting)}; refused for ${reasons || 'nothing'}\n` +
      `${sent} reads and cancels meanwhile: ${failures} not answered 200, p50 ${inMs(p50, 0)} ` +
      `ms, p99 ${inMs(p99, 0)} ms; statuses (0: connection broken): ${JSON.stringify(statuses)}\n` +
      notes.join('\n'),
    NOTES,
  );
}

export async function benchOverload(): Promise<BenchResult> {
  const measured = await Exchange.with(FLAGS, measure);
  const { capacity, plan, answers, probes, reasons, journaled } = measured;
  const phases = phasesOf(measured);
  const accepted = answers.statuses.filter((status) => status === 200).length;
  const others = answers.statuses.filter((status) => status !== 200 && status !== 503).length;
  const sent = measured.acceptedBefore + accepted;
  const hard = reasons.filter(([what]) => !SOFT.some((soft) => what.includes(soft)));
  const recoveryMs = recoveryOf(answers, plan);
  const hardText = hard.length === 0 ? 'none' : JSON.stringify(hard);
  const checks =
    `refused because a hard bound was reached: ${hardText}\n` +
    `journaled ${whole(journaled.orders)} orders, ${whole(journaled.ids)} ids, of ${whole(sent)} ` +
    `accepted\nother answers than 200 and 503: ${others}`;
  print(measured, phases, [
    checks,
    `the program has recovered ${whole(recoveryMs)} ms after the overload; the sender was at ` +
      `most ${fixed(answers.latestMs, 0)} ms late`,
  ]);
  const isWrong = others + probes.failures + hard.length > 0;
  const isLost = journaled.orders !== sent || journaled.ids !== sent;
  const twice = phases.find(({ times }) => times === 2);
  const { readings: _, ...probed } = probes;
  return {
    figures: { capacity, phases, probes: probed, reasons, recoveryMs },
    rows: [
      summaryRow({
        what: 'twice the capacity: orders accepted/s',
        ours: whole(twice?.acceptedPerSecond ?? Number.NaN),
        reference: `${whole(plan.rates[1] ?? Number.NaN)} capacity`,
      }),
      summaryRow({
        what: 'twice the capacity: p99 of accepted, due to answer',
        ours: `${inMs(twice?.accepted.p99 ?? Number.NaN, 0)} ms`,
      }),
      summaryRow({
        what: 'beyond the capacity: reads and cancels not answered',
        ours: `${probes.failures} of ${whole(probes.sent)}`,
        budget: 'under 1',
        value: probes.failures,
      }),
    ],
    ...(isWrong || isLost ? { failure: checks.replaceAll('\n', '; ') } : {}),
  };
}
