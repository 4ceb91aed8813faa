/**
 * `npm run bench:day`: a simulated trading day of ten minutes on the real program, shaped like
 * public prediction markets: thousands of markets, of which few are busy, quotes that are replaced
 * all the time, bursts after news, and readers and listeners. The exit code is 0 only if journal,
 * audit, exit and every answer are right. `npm run bench:day -- --help` lists the options.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { wholeKind } from '../../cli/parser/kinds.ts';
import { flagTable, option } from '../../cli/parser/option-table.ts';
import { readProgramOptions } from '../../cli/parser/program-options.ts';
import { fetchApiKey } from '../../cli/place-order/exchange-call.ts';
import { Random } from '../../http/codec/random.ts';
import { walletOf } from '../../http/signing/wrapped-signature.ts';
import { DataFolder } from '../../persistence/folder/data-folder.ts';
import { Exchange, type LoadAccount, makeDataDir } from '../harness/exchange.ts';
import { OpenLoop } from '../harness/open-loop.ts';
import { fixed, inMs, printProgress, printReport, whole } from '../harness/print.ts';
import { Process } from '../harness/process.ts';
import { appendResult, machine } from '../harness/results.ts';
import { CHAIN_ID } from '../harness/signing.ts';
import type { Percentiles } from '../harness/statistics.ts';
import { makeOpenCatalog } from '../reads/catalog-generator.ts';
import type * as Listeners from './listeners.ts';
import { DayRecorder } from './recorder.ts';
import type * as TradingFile from './trading.ts';
import { type DayRequest, type DayTerms, LANES, openingSeconds, type Venue } from './trading.ts';
import { STATES, watch } from './watch.ts';

const DAY: DayTerms = {
  seed: 1,
  minutes: 10,
  rate: 1_200,
  markets: 2_000,
  makers: 60,
  takers: 240,
};
/** Sockets on the market channel, and on the user channel. */
const LISTENERS = 300;
const OWNERS = 60;
/** Every account gets enough for a day of quotes. */
const FLAGS = ['--log-level', 'warn', '--trade-imported', '--paper-amount', '5000000'];
/** Requests are made this many seconds before they are due. */
const SECONDS_AHEAD = 4;
const LEAD_MS = 5_000;
const SETTLING_MS = 2_000;
const MAX_SOCKETS = 256;
/** Orders a second on each socket: the exchange closes sockets that are idle for ten seconds. */
const ORDERS_A_SOCKET = 4;

function readTerms(): DayTerms {
  const from = wholeKind(1, 100_000);
  const { values } = readProgramOptions({
    name: 'bench:day',
    program: 'npm run bench:day --',
    summary: 'Measure a trading day at the real program',
    options: flagTable({
      minutes: option(from, DAY.minutes, 'Minutes of the day'),
      seed: option(wholeKind(0, 2 ** 32), DAY.seed, 'Another seed makes another day'),
      rate: option(from, DAY.rate, 'Orders a second'),
    }),
  });
  return { ...DAY, ...values };
}

/** New accounts with API credentials, as clients of the exchange make them. */
async function openAccounts({ url }: Exchange, terms: DayTerms): Promise<LoadAccount[]> {
  const random = new Random(terms.seed);
  const accounts: LoadAccount[] = [];
  while (accounts.length < terms.makers + terms.takers) {
    const wallet = walletOf(`0x${random.hex(64)}`);
    const { address, privateKey } = wallet;
    const key = await fetchApiKey({ url, wallet, chainId: CHAIN_ID }, Date.now());
    accounts.push({ ...key, address, privateKey });
  }
  return accounts;
}

/** The tokens of each listener. Half of all are in the busiest tenth of the markets. */
function listenedTokens({ markets }: Venue, seed: number): string[][] {
  const random = new Random(seed);
  return Array.from({ length: LISTENERS }, () =>
    Array.from({ length: random.between(1, 6) }, () => {
      const rank = Math.floor(markets.length * (random.next() / 2 ** 32) ** 3.3);
      return random.pick(markets[rank]!.tokenIds);
    }),
  );
}

interface Sending {
  /** Orders a second. */
  readonly rate: number;
  readonly seconds: number;
  /** When the opening begins, since the epoch. */
  readonly startMs: number;
  readonly recorder: DayRecorder;
}

/** Sends the requests of the day while they are made. Returns how late it was at most, in ms. */
async function sendDay(
  exchange: Exchange,
  trading: Process<typeof TradingFile>,
  { rate, seconds, startMs, recorder }: Sending,
): Promise<number> {
  const sent = new Map<number, DayRequest>();
  let requests = 0;
  const loop = await OpenLoop.connect({
    url: exchange.url,
    connections: Math.min(MAX_SOCKETS, Math.ceil(rate / ORDERS_A_SOCKET)),
    keepsBodies: true,
    onAnswer: ({ index, status, latencyMs, text }) => {
      recorder.take(sent.get(index)!, status, latencyMs, text);
      sent.delete(index);
    },
  });
  const failed = loop.failed();
  loop.start(performance.now() + startMs - Date.now());
  for (let second = 0; second < seconds; second += 1) {
    const made = await trading.call('nextSecond');
    for (const request of made) sent.set(requests++, request);
    loop.add(made);
    const aheadMs = startMs + (second - SECONDS_AHEAD) * 1_000 - Date.now();
    await Promise.race([sleep(Math.max(0, aheadMs)), failed]);
  }
  await loop.idle().finally(() => loop.close());
  return loop.latestMs;
}

async function runDay(exchange: Exchange, venue: Venue, terms: DayTerms) {
  const { minutes, rate, seed } = terms;
  const opening = openingSeconds(terms);
  const trading = new Process<typeof TradingFile>(new URL('./trading.ts', import.meta.url));
  const listeners = new Process<typeof Listeners>(new URL('./listeners.ts', import.meta.url));
  const startMs = Date.now() + LEAD_MS;
  const zeroMs = startMs + opening * 1_000;
  await trading.call('open', terms, venue, startMs);
  await listeners.call('listen', {
    port: Number(new URL(exchange.url).port),
    tokens: listenedTokens(venue, seed),
    owners: venue.accounts.slice(0, OWNERS),
    zeroMs,
    minutes,
  });
  printProgress(`day: ${opening} seconds of opening, then ${minutes} minutes`);
  const recorder = new DayRecorder(minutes, opening * 1_000);
  const stopWatching = watch(exchange, zeroMs);
  const seconds = opening + minutes * 60;
  const latestMs = await sendDay(exchange, trading, { rate, seconds, startMs, recorder });
  await sleep(SETTLING_MS);
  const states = await stopWatching();
  const heard = await listeners.call('report');
  await listeners.stop();
  await trading.stop();
  return { recorder, latestMs, states, heard };
}
type Day = Awaited<ReturnType<typeof runDay>>;

/** Checks everything after the day, and stops the program. Returns what is wrong. */
async function faultsAfter(exchange: Exchange, { recorder, heard }: Day): Promise<string[]> {
  const faults: string[] = [];
  await exchange.caughtUp();
  const audit = await exchange.admin('/audit');
  const { ok } = JSON.parse(audit) as { readonly ok: boolean }; // our own route
  if (!ok) faults.push(`the audit found a fault: ${audit}`);
  const exitCode = await exchange.stop();
  if (exitCode !== 0) faults.push(`the program ended with ${exitCode}`);
  const { orders, ids } = exchange.journaled();
  const { accepted } = recorder;
  if (orders !== accepted || ids !== accepted) {
    faults.push(`${accepted} orders accepted, but ${orders} orders and ${ids} ids journaled`);
  }
  for (const [what, count] of recorder.unexpected) faults.push(`unexpected: ${what} x ${count}`);
  if (heard.gaps > 0) faults.push(`listeners missed ${heard.gaps} messages`);
  for (const reason of new Set(heard.closed)) faults.push(`a listener was closed: ${reason}`);
  return faults;
}

/** The percentiles and the maximum in ms, with a decimal below 10 ms. */
function fourMs({ p50, p99, p999, longest }: Percentiles): string {
  return [p50, p99, p999, longest].map((ns) => inMs(ns, ns < 9.95e6 ? 1 : 0)).join(' / ');
}

function report({ recorder, heard, states, latestMs }: Day, terms: DayTerms, faults: string[]) {
  const minutes = recorder.minutes.map(({ lanes, orders }, minute) => ({
    orders: lanes.orders.percentiles,
    cancels: lanes.cancels.percentiles,
    reads: lanes.reads.percentiles,
    deliveries: heard.minutes[minute]!,
    ordersPerSecond: orders / 60,
    states: states[minute]!,
  }));
  const refused = [...recorder.refused].sort(([, a], [, b]) => b - a);
  printReport(
    `A trading day (${machine()}), seed ${terms.seed}; ms: p50 / p99 / p99.9 / longest`,
    [
      ['minute', ...LANES, 'deliveries', 'orders/s', 'deliveries/s'],
      ...minutes.map((one, minute) => [
        String(minute + 1),
        ...[one.orders, one.cancels, one.reads, one.deliveries].map(fourMs),
        whole(one.ordersPerSecond),
        whole(one.deliveries.messages / 60),
      ]),
    ],
    [
      ['minute', ...STATES],
      ...minutes.map((one, minute) => [String(minute + 1), ...one.states.map(whole)]),
    ],
    `${whole(recorder.accepted)} orders accepted\n` +
      `refused: ${refused.map(([what, count]) => `${what} ${whole(count)}`).join('; ')}\n` +
      `the sender was at most ${fixed(latestMs, 1)} ms late`,
    ...faults.map((fault) => `WRONG: ${fault}`),
  );
  appendResult('day', { terms, STATES, minutes, refused, latestMs, faults });
}

const terms = readTerms();
const dataDir = makeDataDir();
const folder = new DataFolder({ dataDir, temporary: false });
printProgress(`day: making ${terms.markets} markets`);
const markets = makeOpenCatalog(folder.catalog, terms.seed, terms.markets);
folder.release();
const exchange = await Exchange.start(FLAGS, dataDir);
try {
  const accounts = await openAccounts(exchange, terms);
  const day = await runDay(exchange, { markets, accounts }, terms);
  const faults = await faultsAfter(exchange, day);
  report(day, terms, faults);
  if (faults.length > 0) process.exitCode = 1;
} finally {
  await exchange.stop();
  exchange.remove();
}
