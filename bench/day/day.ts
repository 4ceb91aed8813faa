/**
 * `npm run bench:day`: a trading day of ten minutes at the real program, in the shape of public
 * prediction markets: thousands of markets of which few are busy, quotes replaced all the time,
 * bursts at news, readers and listeners meanwhile. The exit code is 1 unless journal, audit, exit
 * and every answer are right. `npm run bench:day -- --help` lists the options.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import {
  flagTable,
  option,
  readProgramOptions,
  wholeKind,
} from '../../http/command-line/parser/index.ts';
import { Random } from '../../test/engine/random/random.ts';
import { Exchange } from '../harness/exchange.ts';
import { OpenLoop } from '../harness/open-loop.ts';
import { fixed, inMs, printProgress, printReport, whole } from '../harness/print.ts';
import { Process } from '../harness/process.ts';
import { ownMicros } from '../harness/processor-time.ts';
import { appendResult, machine } from '../harness/results.ts';
import type { Percentiles } from '../harness/statistics.ts';
import type * as Listeners from './listeners.ts';
import { DayRecorder } from './recorder.ts';
import { DAY, type DayRequest, type DayTerms, RESOLUTIONS, type Venue } from './terms.ts';
import type * as TradingFile from './trading.ts';
import { openingSeconds } from './trading.ts';
import { auditOf, openVenue, resolve } from './venue.ts';
import { minuteStates, slopeOf, watch } from './watch.ts';

/** Requests are made this many seconds before they are due. */
const SECONDS_AHEAD = 4;
const LEAD_MS = 5_000;
const SETTLING_MS = 2_000;
const MAX_SOCKETS = 256;
/** Keeps every socket busy, because the exchange closes those idle for ten seconds. */
const ORDERS_A_SOCKET = 4;
const SLOPES = ['residentMb', 'anonymousMb', 'heapMb', 'externalMb', 'streamKeptMb'] as const;

const NOTES =
  'Open loop at fixed rates; latencies count from when a request was due and are of requests, a ' +
  'batch of up to 15 orders being one. Deliveries: from the time of an order in the journal, in ' +
  'whole ms, to a listener. Sender, signer and listeners share the processors.';

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

/** The tokens of each listener. Half of all are of the first tenth of the markets. */
function listenedTokens(venue: Venue, terms: DayTerms): string[][] {
  const random = new Random(terms.seed);
  return Array.from({ length: terms.listeners }, () =>
    Array.from({ length: random.between(1, 6) }, () => {
      const rank = Math.floor(terms.markets * (random.next() / 2 ** 32) ** 3.3);
      return venue.markets[rank]!.tokenIds[random.below(2)]!;
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

/** Sends the day as it is made. Returns how the sender itself did. */
async function sendDay(
  exchange: Exchange,
  trading: Process<typeof TradingFile>,
  { rate, seconds, startMs, recorder }: Sending,
) {
  const sent = new Map<number, DayRequest>();
  let requests = 0;
  let makerMicros = 0;
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
  const began = ownMicros();
  loop.start(performance.now() + startMs - Date.now());
  for (let second = 0; second < seconds; second += 1) {
    const made = await trading.call('nextSecond');
    for (const request of made.requests) sent.set(requests++, request);
    makerMicros += made.micros;
    loop.add(made.requests);
    const aheadMs = startMs + (second - SECONDS_AHEAD) * 1_000 - Date.now();
    await Promise.race([sleep(Math.max(0, aheadMs)), failed]);
  }
  await loop.idle().finally(() => loop.close());
  const senderMicros = ownMicros() - began;
  return { requests, latestMs: loop.latestMs, makerMicros, senderMicros };
}

/** Resolves markets at their times. Faults are added to the list. */
function scheduleResolutions(
  exchange: Exchange,
  venue: Venue,
  { zeroMs, minutes, faults }: { zeroMs: number; minutes: number; faults: string[] },
): void {
  for (const { at, rank } of RESOLUTIONS) {
    const market = venue.markets[rank];
    if (market === undefined) continue;
    setTimeout(
      () => {
        resolve(exchange, market).catch((error: unknown) => {
          faults.push(`a resolution failed: ${String(error)}`);
        });
      },
      zeroMs + at * minutes * 60_000 - Date.now(),
    );
  }
}

async function runDay(exchange: Exchange, terms: DayTerms, faults: string[]) {
  const { minutes } = terms;
  printProgress(`day: opening ${terms.markets} markets`);
  const venue = await openVenue(exchange, terms);
  const opening = openingSeconds(terms);
  const trading = new Process<typeof TradingFile>(new URL('./trading.ts', import.meta.url));
  const listeners = new Process<typeof Listeners>(new URL('./listeners.ts', import.meta.url));
  const startMs = Date.now() + LEAD_MS;
  const zeroMs = startMs + opening * 1_000;
  await trading.call('open', terms, venue, startMs);
  await listeners.call('listen', {
    port: Number(new URL(exchange.url).port),
    tokens: listenedTokens(venue, terms),
    owners: venue.accounts.slice(0, terms.owners),
    zeroMs,
    minutes,
  });
  printProgress(`day: ${opening} seconds of opening, then ${minutes} minutes`);
  scheduleResolutions(exchange, venue, { zeroMs, minutes, faults });
  const recorder = new DayRecorder(minutes, opening * 1_000);
  const stopWatching = watch(exchange, zeroMs);
  const seconds = opening + minutes * 60;
  const sender = await sendDay(exchange, trading, { rate: terms.rate, seconds, startMs, recorder });
  await sleep(SETTLING_MS);
  const looks = await stopWatching();
  const heard = await listeners.call('report');
  await listeners.stop();
  await trading.stop();
  return { recorder, sender, looks, heard };
}
type Day = Awaited<ReturnType<typeof runDay>>;

/** Orders in the journal by accepted ids, and refused orders at whose time others expired. */
function journaledIn(dataDir: string) {
  const journal = new Database(join(dataDir, 'journal.db'), { readonly: true });
  const count = (sql: string): number => Number(journal.prepare(sql).pluck().get());
  const placings = "WHERE kind = 'place_order'";
  const ids = count('SELECT count(*) FROM order_ids');
  const journaled = count(`SELECT count(*) FROM order_ids JOIN commands USING (seq) ${placings}`);
  const others = count(`SELECT count(*) FROM commands ${placings}`) - ids;
  journal.close();
  return { ids, journaled, others };
}

/** Checks everything after the day, and stops the program. Faults are added to the list. */
async function close(exchange: Exchange, { recorder, heard }: Day, faults: string[]) {
  await exchange.caughtUp();
  const beganMs = performance.now();
  const audit = await auditOf(exchange).catch((error: unknown) => {
    faults.push(String(error));
  });
  const auditMs = performance.now() - beganMs;
  const exitCode = await exchange.stop();
  if (exitCode !== 0) faults.push(`the program ended with ${exitCode}`);
  const { ids, journaled, others } = journaledIn(exchange.dataDir);
  const { accepted } = recorder;
  if (journaled !== accepted || ids !== accepted) {
    faults.push(`journaled ${journaled} orders and ${ids} ids of ${accepted} accepted`);
  }
  for (const [what, count] of recorder.unexpected) faults.push(`unexpected: ${what} x ${count}`);
  if (heard.gaps > 0) faults.push(`listeners missed ${heard.gaps} messages`);
  for (const reason of new Set(heard.closed)) faults.push(`a listener was closed: ${reason}`);
  const journalBytes = statSync(join(exchange.dataDir, 'journal.db')).size;
  return { auditMs, liveOrders: audit?.liveOrders ?? 0, journaled, others, journalBytes };
}
type Closing = Awaited<ReturnType<typeof close>>;

/** Whole milliseconds from 10 ms on. */
function ms(nanoseconds: number): string {
  return inMs(nanoseconds, nanoseconds < 9.95e6 ? 1 : 0);
}
function four({ p50, p99, p999, longest }: Percentiles): string {
  return [p50, p99, p999, longest].map(ms).join(' / ');
}

function minuteTables({ recorder, heard }: Day): string[][][] {
  const rate = (count: number): string => whole(count / 60);
  return [
    [
      ['minute', 'orders', 'cancels', 'reads', 'moves', 'deliveries'],
      ...recorder.minutes.map(({ orders, cancels, reads, moves }, minute) => [
        String(minute + 1),
        ...[orders, cancels, reads, moves, heard.minutes[minute]!].map(four),
      ]),
    ],
    [
      ['minute', 'orders/s', 'in requests/s', 'ids/s cancelled', 'reads/s', 'deliveries/s'],
      ...recorder.minutes.map(({ orders, cancels, reads }, minute) => [
        String(minute + 1),
        rate(orders.items),
        rate(orders.requests),
        rate(cancels.items),
        rate(reads.requests),
        rate(heard.minutes[minute]!.messages),
      ]),
    ],
  ];
}

const STATE_HEAD = [
  ...['minute', 'resident MB', 'no file', 'heap', 'most', 'external', 'streams keep'],
  ...['journal MB', 'analytics', 'live orders', 'loop p99 ms', 'longest', 'reads lag', 'ms'],
  ...['audit lag', 'processors'],
];

function stateTable(states: ReturnType<typeof minuteStates>): string[][] {
  return [
    STATE_HEAD,
    ...states.map((state, minute) => [
      String(minute + 1),
      ...[state.residentMb, state.anonymousMb, state.heapLowMb, state.heapHighMb].map(whole),
      ...[state.externalMb, state.streamKeptMb, state.journalMb, state.analyticsMb].map(whole),
      whole(state.liveOrders),
      fixed(state.loopP99Ms, 1),
      fixed(state.loopLongestMs, 1),
      ...[state.lagCommands, state.lagMs, state.auditLagCommands].map(whole),
      fixed(state.processors, 2),
    ]),
  ];
}

function report(day: Day, closing: Closing, terms: DayTerms, faults: readonly string[]) {
  const { recorder, heard, looks, sender } = day;
  const states = minuteStates(looks, terms.minutes);
  const slopes = Object.fromEntries(SLOPES.map((key) => [key, slopeOf(looks, key)]));
  const codes = [...recorder.refused].sort(([, a], [, b]) => b - a);
  const [latencies, rates] = minuteTables(day);
  const growth = Object.entries(slopes).map(([what, slope]) => `${what} ${fixed(slope, 2)}`);
  const { cancelled, gone } = recorder.cancels;
  const micros = (total: number): string => fixed(total / sender.requests, 0);
  printReport(
    `A trading day (${machine()}), seed ${terms.seed}; ms: p50 / p99 / p99.9 / longest`,
    latencies!,
    rates!,
    stateTable(states),
    [
      ['read', 'requests', 'p50 / p99 / p99.9 / longest ms'],
      ...recorder.reads.map(([read, figures]) => [read, whole(figures.requests), four(figures)]),
    ],
    `growth a minute after the second: ${growth.join(', ')}\n` +
      `refused: ${codes.map(([what, count]) => `${what} ${whole(count)}`).join('; ')}\n` +
      `cancelled ${whole(cancelled)}; had ended before: ${whole(gone)}\n` +
      `journaled ${whole(closing.journaled)} of ${whole(recorder.accepted)} accepted orders, and ` +
      `${whole(closing.others)} refused ones at whose time others expired\n` +
      `user channel: ${whole(heard.user.messages)} messages, ${four(heard.user)} ms\n` +
      `audit ${fixed(closing.auditMs, 0)} ms, ${whole(closing.liveOrders)} live orders\n` +
      `sender: ${micros(sender.senderMicros)} us of processor a request, and ` +
      `${micros(sender.makerMicros)} to make and sign it; at most ` +
      `${fixed(sender.latestMs, 1)} ms late`,
    ...faults.map((fault) => `WRONG: ${fault}`),
    NOTES,
  );
  const { minutes, reads, cancels } = recorder;
  return { terms, minutes, deliveries: heard, states, slopes, reads, codes, cancels };
}

const terms = readTerms();
const faults: string[] = [];
await Exchange.with(['--log-level', 'warn'], async (exchange) => {
  const day = await runDay(exchange, terms, faults);
  const closing = await close(exchange, day, faults);
  const figures = report(day, closing, terms, faults);
  appendResult('day', { ...figures, ...closing, sender: day.sender, faults });
});
if (faults.length > 0) process.exitCode = 1;
