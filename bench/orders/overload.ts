/**
 * `npm run bench -- overload`: signed orders at half, once and twice the rate that the real program
 * can answer, and at half of it again, in one run; whatever is refused, what is accepted must stay
 * quick, no hard bound may be reached, and every accepted order must be in the journal, once.
 *
 * Cancels and reads are sent meanwhile: they must not be refused.
 */
import { readFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { join } from 'node:path';
import type { Request } from 'autocannon';
import Database from 'better-sqlite3';
import { runLoad } from '../harness/closed-load.ts';
import { fileLimit, OTHER_FILES } from '../harness/file-limit.ts';
import { type OpenAnswers, sendOpen } from '../harness/open-load.ts';
import { OrderRequests } from '../harness/order-requests.ts';
import { fixed, printLine, printProgress, printTable, whole } from '../harness/print.ts';
import { machine, recordResult } from '../harness/results.ts';
import { type ServerProcess, startServer } from '../harness/server-process.ts';
import { type Percentiles, percentilesOf } from '../harness/statistics.ts';
import { type SummaryRow, summaryRow } from '../harness/summary.ts';

const FLAGS = ['--paper-amount', '1000000', '--dev-accounts', '20', '--log-level', 'error'];
const CLOSED_CONNECTIONS = 100;
const WARM_UP_ORDERS = 4_000;
const CAPACITY_ORDERS = 8_000;
/**
 * Sockets for what comes in half a second at the capacity, which is more than may wait: what the
 * exchange has not refused must not wait here for a socket.
 */
const SOCKETS_SECONDS = 0.5;
/** What it may send at most, however fast the machine is: orders are made beforehand. */
const MOST_PER_SECOND = 10_000;
const PHASES = [
  { times: 0.5, seconds: 3 },
  { times: 1, seconds: 3 },
  { times: 2, seconds: 5 },
  { times: 0.5, seconds: 4 },
] as const;
const PROBE_MS = 50;
/** After an overload all is well again when accepted orders take no longer. */
const WELL_MS = 250;
/** The refusals that are meant to come; any other tells of a hard bound. */
const SOFT = ['waitMs', 'eventLoopMs', 'oldestOrderMs', 'waitingOrders'];

const CAVEATS = [
  'Open loop, with sockets for half a second; latencies count from when a request was due, so they',
  'include the wait for a free socket and how late the sender is, which shares the processors.',
  `Capacity is that of a closed loop of ${CLOSED_CONNECTIONS} connections just before.`,
  'Inside: from the arrival at the exchange to its answer, by its /metrics, without the sender.',
  'Excluded: making and signing, TLS, a network.',
];

interface Phase {
  readonly times: number;
  readonly perSecond: number;
  readonly acceptedPerSecond: number;
  readonly refusedPerSecond: number;
  /** Of the accepted, from arrival to answer: 99 of 100 took no more, by powers of two. */
  readonly insideMs: number;
  readonly accepted: Percentiles;
  readonly refused: Percentiles;
}

/** The probes' sockets: a machine under load refuses new ones. */
const agent = new Agent({ keepAlive: true, maxSockets: 8 });

/** Sends one request; gives the answer's status, 0 for a broken connection, and its text. */
function ask(base: string, { method, path, headers, body }: Request) {
  return new Promise<{ readonly status: number; readonly text: string }>((resolve) => {
    // Ours are plain texts.
    const plain = headers as Record<string, string>;
    // Named, for Node sends the body of a DELETE without its length by itself.
    const length = { 'content-length': String(Buffer.byteLength(String(body ?? ''))) };
    const options = { method, headers: { ...plain, ...length }, agent } as const;
    const sent = httpRequest(`${base}${path}`, options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.on('error', () => resolve({ status: 0, text: '' }));
    sent.end(body);
  });
}

/** The lines of a reading that begin with a name, as label text and number. */
function linesOf(lines: readonly string[], name: string): [string, number][] {
  return lines
    .filter((line) => line.startsWith(`outcome_exchange_${name}`))
    .map((line) => [/\{(.*)\}/.exec(line)?.[1] ?? '', Number(line.split(' ').at(-1))]);
}

async function readMetrics(server: ServerProcess): Promise<readonly string[]> {
  const token = readFileSync(join(server.dataDir, 'admin.token'), 'utf8').trim();
  const headers = { authorization: `Bearer ${token}` };
  const url = `http://127.0.0.1:${server.adminPort}`;
  const { text } = await ask(url, { method: 'GET', path: '/metrics', headers });
  return text.split('\n');
}

/** How many placings were accepted by then, by the time that they took in the exchange at most. */
interface Durations {
  readonly atMs: number;
  readonly counts: ReadonlyMap<number, number>;
}

function durationsOf(lines: readonly string[], atMs: number): Durations {
  const counts = linesOf(lines, 'http_request_duration_seconds_bucket{').flatMap(
    ([labels, count]): [number, number][] => {
      const isAccepted = ['"POST"', '"/order"', '"2xx"'].every((part) => labels.includes(part));
      const boundMs = Number(/le="([^"]*)"/.exec(labels)?.[1]?.replace('+Inf', 'Infinity')) * 1_000;
      return isAccepted ? [[boundMs, count]] : [];
    },
  );
  return { atMs, counts: new Map(counts) };
}

/** The least bound that 99 of 100 of those accepted between two readings did not exceed. */
function ninetyNineMs(before: Durations | undefined, after: Durations | undefined): number {
  const grown = [...(after?.counts ?? [])].map(
    ([boundMs, count]) => [boundMs, count - (before?.counts.get(boundMs) ?? 0)] as const,
  );
  const all = grown.find(([boundMs]) => boundMs === Number.POSITIVE_INFINITY)?.[1] ?? 0;
  return grown.find(([, count]) => count >= 0.99 * all)?.[0] ?? 0;
}

/** Reads and cancels while the load runs: how long each took, and what was not answered 200. */
function startProbes(server: ServerProcess, orders: OrderRequests) {
  const latenciesMs: number[] = [];
  let failures = 0;
  const statuses = new Map<number, number>();
  let mostWaiting = 0;
  const beganMs = performance.now();
  const readings: Durations[] = [];
  const timed = async (request: Request): Promise<void> => {
    const startMs = performance.now();
    const { status } = await ask(server.url, request);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    latenciesMs.push(performance.now() - startMs);
    if (status !== 200) failures += 1;
  };
  const probe = async (): Promise<void> => {
    const path = `/book?token_id=${orders.firstTokenId}`;
    await timed({ method: 'GET', path, headers: {} });
    await timed(orders.makeCancel());
    const lines = await readMetrics(server);
    readings.push(durationsOf(lines, performance.now() - beganMs));
    const [waiting] = linesOf(lines, 'waiting_orders ');
    mostWaiting = Math.max(mostWaiting, waiting?.[1] ?? 0);
  };
  const probes: Promise<void>[] = [];
  const timer = setInterval(() => probes.push(probe()), PROBE_MS);
  return async () => {
    clearInterval(timer);
    await Promise.all(probes);
    const latency = percentilesOf([Float64Array.from(latenciesMs)]);
    const sent = latenciesMs.length;
    return { sent, failures, latency, mostWaiting, statuses: [...statuses], readings };
  };
}

/** When each order of all phases is due, in ms, and where each phase begins. */
function schedule(capacity: number) {
  const rates = PHASES.map(({ times }) => Math.round(Math.min(capacity, MOST_PER_SECOND) * times));
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

type Probes = Awaited<ReturnType<ReturnType<typeof startProbes>>>;

function phasesOf(
  answers: OpenAnswers,
  { dueMs, starts, rates }: ReturnType<typeof schedule>,
  { readings }: Probes,
): Phase[] {
  const readingAt = (ms: number) => readings.findLast(({ atMs }) => atMs <= ms);
  let startMs = 0;
  return PHASES.map(({ times, seconds }, index): Phase => {
    const before = readingAt(startMs);
    startMs += seconds * 1_000;
    const accepted: number[] = [];
    const refused: number[] = [];
    for (let at = starts[index]!; at < (starts[index + 1] ?? dueMs.length); at += 1) {
      (answers.statuses[at] === 200 ? accepted : refused).push(answers.latenciesMs[at]!);
    }
    return {
      times,
      perSecond: rates[index]!,
      acceptedPerSecond: accepted.length / seconds,
      refusedPerSecond: refused.length / seconds,
      insideMs: ninetyNineMs(before, readingAt(startMs)),
      accepted: percentilesOf([Float64Array.from(accepted)]),
      refused: percentilesOf([Float64Array.from(refused)]),
    };
  });
}

/** From the end of the overload to the last order that was refused or waited too long. */
function recoveryMs(answers: OpenAnswers, { dueMs, starts }: ReturnType<typeof schedule>): number {
  const begin = starts.at(-1)!;
  let last = begin;
  for (let at = begin; at < dueMs.length; at += 1) {
    const isBad = answers.statuses[at] !== 200;
    if (isBad || answers.latenciesMs[at]! > WELL_MS) last = at;
  }
  return dueMs[last]! - dueMs[begin]!;
}

/** Orders in the journal, and how many of them have an id of their own. */
function journaled(dataDir: string): { readonly orders: number; readonly ids: number } {
  const journal = new Database(join(dataDir, 'journal.db'), { readonly: true });
  const count = (sql: string): number => Number(journal.prepare(sql).pluck().get());
  const orders = count("SELECT count(*) FROM commands WHERE kind = 'place_order'");
  const ids = count('SELECT count(*) FROM order_ids');
  journal.close();
  return { orders, ids };
}

function ms(ns: number): string {
  return fixed(ns / 1e6, 0);
}

function printPhases(phases: readonly Phase[]): void {
  printTable([
    [
      'times capacity',
      'sent/s',
      'accepted/s',
      'refused/s',
      'p50 ms',
      'p99 ms',
      'longest',
      'inside p99 <=',
      '503 p99',
    ],
    ...phases.map((phase) => [
      fixed(phase.times, 1),
      whole(phase.perSecond),
      whole(phase.acceptedPerSecond),
      whole(phase.refusedPerSecond),
      ms(phase.accepted.p50),
      ms(phase.accepted.p99),
      ms(phase.accepted.longest),
      fixed(phase.insideMs, 0),
      phase.refusedPerSecond === 0 ? '-' : ms(phase.refused.p99),
    ]),
  ]);
}

async function capacityOf(server: ServerProcess, orders: OrderRequests): Promise<number> {
  const isSuccess = (body: string): boolean => body.includes('"success":true');
  const terms = { url: server.url, connections: CLOSED_CONNECTIONS, isSuccess };
  await runLoad({ ...terms, requests: orders.make(WARM_UP_ORDERS) });
  const { perSecond, errors } = await runLoad({ ...terms, requests: orders.make(CAPACITY_ORDERS) });
  if (errors > 0) throw new Error(`${errors} orders failed below capacity`);
  return perSecond;
}

async function measure(server: ServerProcess) {
  const orders = await OrderRequests.of(server);
  const capacity = await capacityOf(server, orders);
  const plan = schedule(capacity);
  printProgress(`overload: capacity ${whole(capacity)}/s; signing ${whole(plan.dueMs.length)}`);
  const requests = orders.make(plan.dueMs.length);
  printProgress('overload: sending');
  const stopProbes = startProbes(server, orders);
  const connections = socketsFor(capacity);
  const load = { url: server.url, connections, requests, dueMs: plan.dueMs };
  const answers = await sendOpen(load);
  const probes = await stopProbes();
  const reasons = linesOf(await readMetrics(server), 'overloaded_total{');
  return { capacity, plan, answers, probes, reasons };
}

function socketsFor(capacity: number): number {
  const needed = Math.ceil(capacity * SOCKETS_SECONDS);
  const most = fileLimit() - OTHER_FILES;
  if (needed <= most) return needed;
  const here = `a process may open ${fileLimit()} files here (ulimit -n)`;
  throw new Error(`${needed} sockets are needed, and ${here}`);
}

/** What is accepted at twice the capacity, as quick as the client sees it. */
function summaryOf(phases: readonly Phase[], probes: Probes): SummaryRow[] {
  const twice = phases.find(({ times }) => times === 2);
  const capacity = phases.find(({ times }) => times === 1)?.perSecond ?? Number.NaN;
  return [
    summaryRow({
      what: 'twice the capacity: orders accepted/s',
      ours: whole(twice?.acceptedPerSecond ?? Number.NaN),
      reference: `${whole(capacity)} capacity`,
    }),
    summaryRow({
      what: 'twice the capacity: p99 of accepted, due to answer',
      ours: `${ms(twice?.accepted.p99 ?? Number.NaN)} ms`,
    }),
    summaryRow({
      what: 'beyond the capacity: reads and cancels not answered',
      ours: `${probes.failures} of ${whole(probes.sent)}`,
      budget: 'under 1',
      value: probes.failures,
    }),
  ];
}

export async function benchOverload(_options: readonly string[]): Promise<readonly SummaryRow[]> {
  const server = await startServer(FLAGS);
  try {
    const { capacity, plan, answers, probes, reasons } = await measure(server);
    await server.stop();
    const phases = phasesOf(answers, plan, probes);
    const accepted = answers.statuses.filter((status) => status === 200).length;
    const others = answers.statuses.filter((status) => status !== 200 && status !== 503).length;
    const { orders, ids } = journaled(server.dataDir);
    const sent = WARM_UP_ORDERS + CAPACITY_ORDERS + accepted;
    const hard = reasons.filter(([what]) => !SOFT.some((soft) => what.includes(soft)));
    const recovery = recoveryMs(answers, plan);
    const { readings: _, ...probed } = probes;
    printLine(`POST /order beyond capacity, ${whole(capacity)}/s (${machine()})`);
    printLine();
    printPhases(phases);
    printLine();
    printLine(
      `  most orders waiting ${whole(probes.mostWaiting)}; refused for ${reasonsText(reasons)}`,
    );
    printLine(`  refused because a hard bound was reached: ${hard.length === 0 ? 'none' : hard}`);
    printLine(`  after the overload all was well again after ${whole(recovery)} ms`);
    printLine(
      `  ${probes.sent} reads and cancels meanwhile: ${probes.failures} not answered 200, ` +
        `p50 ${ms(probes.latency.p50)} ms, p99 ${ms(probes.latency.p99)} ms`,
    );
    const { statuses } = probes;
    printLine(`  their statuses (0: connection broken): ${JSON.stringify(statuses)}`);
    printLine(`  journaled ${whole(orders)} orders, ${whole(ids)} ids, of ${whole(sent)} accepted`);
    printLine(
      `  other answers than 200 and 503: ${others}; late sender: ${fixed(answers.latestMs, 0)} ms`,
    );
    for (const line of CAVEATS) printLine(`  ${line}`);
    recordResult('overload', { capacity, phases, probes: probed, reasons, recoveryMs: recovery });
    const isWrong = others + probes.failures + hard.length > 0;
    if (isWrong || orders !== sent || ids !== sent) process.exitCode = 1;
    return summaryOf(phases, probes);
  } finally {
    await server.stop();
    server.remove();
  }
}

function reasonsText(reasons: readonly [string, number][]): string {
  return reasons.map(([what, count]) => `${what} ${whole(count)}`).join(', ') || 'nothing';
}
