/**
 * `npm run bench:day`: a trading day of ten minutes at the real program, shaped as public
 * prediction markets are: thousands of markets of which few are hot, quotes replaced all the time,
 * bursts at news, readers and listeners meanwhile. Its journal, its audit, its exit and every
 * answer must be right, else the exit code is 1.
 *
 * `--minutes N` for a shorter trial, `--seed N` for another day, `--rate N` for as many orders a
 * second.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import Database from 'better-sqlite3';
import { Random } from '../../test/engine/random/random.ts';
import { HelperProcess } from '../harness/helper-process.ts';
import { fixed, printLine, printProgress, whole } from '../harness/print.ts';
import { machine, recordResult } from '../harness/results.ts';
import { type ServerProcess, startServer } from '../harness/server-process.ts';
import { openingSeconds } from './board.ts';
import { DAY, type DayTerms } from './plan.ts';
import { DayRecorder } from './recorder.ts';
import { DaySender, type SenderFigures } from './sender.ts';
import type { Venue } from './signer.ts';
import {
  minuteStates,
  printLatencies,
  printRates,
  printReads,
  printStates,
  slopeOf,
} from './table.ts';
import { Operator, openVenue } from './venue.ts';
import { type Look, untilCaughtUp, watchServer } from './watch.ts';
import type { Heard, ListenersWish } from './wishes.ts';

/** Between the last preparation and the first request. */
const LEAD_MS = 3_000;
const SETTLING_MS = 2_000;
/** Tokens that one listener hears of, at the most. */
const TOKENS = 6;

const CAVEATS = [
  'Open loop at fixed rates; latencies count from when a request was due and are of requests, a',
  'batch of up to 15 orders being one. Deliveries: from the time of an order in the journal, in',
  'whole ms, to a listener. Sender, signer and listeners share the processors.',
];

function termsOf(words: readonly string[]): DayTerms {
  const { values } = parseArgs({
    args: [...words],
    options: {
      minutes: { type: 'string', default: String(DAY.minutes) },
      seed: { type: 'string', default: String(DAY.seed) },
      rate: { type: 'string', default: String(DAY.ordersPerSecond) },
    },
  });
  const [minutes, seed, ordersPerSecond] = [values.minutes, values.seed, values.rate].map(Number);
  const isGood = [minutes, seed, ordersPerSecond].every((value) => Number.isInteger(value));
  if (!isGood || !(minutes! >= 1) || !(ordersPerSecond! >= 1)) {
    throw new Error('--minutes, --seed and --rate are whole numbers, minutes and rate from 1 on');
  }
  return { ...DAY, minutes: minutes!, seed: seed!, ordersPerSecond: ordersPerSecond! };
}

/** Who listens: to tokens of markets that are dealt in often, and to oneself. */
function ears(venue: Venue, terms: DayTerms) {
  const random = new Random(terms.seed);
  const drawn = (): string => {
    // Half of all listeners' tokens are of the first tenth of the markets.
    const rank = Math.floor(terms.markets * (random.next() / 2 ** 32) ** 3.3);
    return venue.markets[rank]!.tokenIds[random.below(2)]!;
  };
  const market = Array.from({ length: terms.listeners }, () => {
    const tokens = Array.from({ length: random.between(1, TOKENS) }, drawn);
    return JSON.stringify({ assets_ids: tokens, initial_dump: false });
  });
  const user = venue.accounts.slice(0, terms.owners).map((account) => {
    const { apiKey, secret, passphrase } = account;
    return JSON.stringify({ type: 'user', auth: { apiKey, secret, passphrase } });
  });
  return { market, user };
}

interface Day {
  readonly recorder: DayRecorder;
  readonly sender: SenderFigures;
  /** Processor time of the sending process with its maker, in seconds. */
  readonly senderSeconds: number;
  readonly looks: readonly Look[];
  readonly heard: Heard;
  readonly faults: string[];
}

/** Opens the venue and lets the day go by. */
async function runDay(server: ServerProcess, terms: DayTerms): Promise<Day> {
  const operator = new Operator(server);
  printProgress(`day: opening ${terms.markets} markets`);
  const venue = await openVenue(server, terms);
  const startMs = Date.now() + LEAD_MS;
  const opening = openingSeconds(terms);
  const zeroMs = startMs + opening * 1_000;
  const file = new URL('./listeners.ts', import.meta.url);
  const listeners = new HelperProcess<ListenersWish>(file);
  const port = Number(new URL(server.url).port);
  const { minutes } = terms;
  await listeners.ask({ kind: 'listen', port, ...ears(venue, terms), zeroMs, minutes });
  const recorder = new DayRecorder(minutes, opening * 1_000);
  const faults: string[] = [];
  const sender = new DaySender({
    url: server.url,
    input: { terms, venue },
    seconds: opening + minutes * 60,
    startMs,
    onAnswer: (answer) => recorder.take(answer),
    onResolution: ({ market, payout }) => {
      const done = operator.resolve(venue.markets[market]!, payout);
      done.catch((error: unknown) => faults.push(`a resolution failed: ${String(error)}`));
    },
  });
  printProgress(`day: ${opening} seconds of opening, then ${minutes} minutes`);
  const stopWatching = watchServer(server, operator, zeroMs);
  const before = process.cpuUsage();
  const sent = await sender.run();
  const { user, system } = process.cpuUsage(before);
  await sleep(SETTLING_MS);
  const looks = await stopWatching();
  const heard = await listeners.ask<Heard>({ kind: 'report' });
  await listeners.stop();
  return { recorder, sender: sent, senderSeconds: (user + system) / 1e6, looks, heard, faults };
}

/**
 * What the journal has, read after the program has ended: accepted orders by their ids, each with
 * its command. `others` are refused orders at whose time orders of others expired, which is a
 * change, so that their commands are there too.
 */
function journaled(dataDir: string) {
  const journal = new Database(join(dataDir, 'journal.db'), { readonly: true });
  const count = (sql: string): number => Number(journal.prepare(sql).pluck().get());
  const placings = "WHERE kind = 'place_order'";
  const ids = count('SELECT count(*) FROM order_ids');
  const orders = count(`SELECT count(*) FROM order_ids JOIN commands USING (seq) ${placings}`);
  const others = count(`SELECT count(*) FROM commands ${placings}`) - ids;
  journal.close();
  return { orders, ids, others };
}

/** The end: everything is caught up with, adds up, and stops; what is wrong is a fault. */
async function close(server: ServerProcess, { recorder, heard, faults }: Day) {
  const operator = new Operator(server);
  await untilCaughtUp(operator);
  const beganMs = performance.now();
  const audit = await operator.audit().catch((error: unknown) => {
    faults.push(String(error));
  });
  const auditMs = performance.now() - beganMs;
  const exitCode = await server.stop();
  if (exitCode !== 0) faults.push(`the program ended with ${exitCode}`);
  const { orders, ids, others } = journaled(server.dataDir);
  const { accepted } = recorder;
  if (orders !== accepted || ids !== accepted) {
    faults.push(`journaled ${orders} orders and ${ids} ids of ${accepted} accepted`);
  }
  for (const [what, count] of recorder.unexpected) faults.push(`unexpected: ${what} x ${count}`);
  if (heard.gaps > 0) faults.push(`listeners missed ${heard.gaps} messages`);
  for (const reason of new Set(heard.closed)) faults.push(`a listener was closed: ${reason}`);
  const journalBytes = statSync(join(server.dataDir, 'journal.db')).size;
  const liveOrders = audit?.liveOrders ?? 0;
  return { auditMs, liveOrders, journaled: orders, others, journalBytes };
}

type Closing = Awaited<ReturnType<typeof close>>;

function tell(day: Day, closing: Closing, terms: DayTerms) {
  const { recorder, heard, looks, sender, faults } = day;
  const { minutes, reads, codes, cancels, accepted } = recorder;
  const states = minuteStates(looks, terms.minutes);
  const slopes = {
    residentMb: slopeOf(looks, (look) => look.residentMb),
    anonymousMb: slopeOf(looks, (look) => look.anonymousMb),
    heapMb: slopeOf(looks, (look) => look.heapMb),
    externalMb: slopeOf(looks, (look) => look.externalMb),
    streamKeptMb: slopeOf(looks, (look) => look.streamKeptMb),
  };
  printLine(`A trading day (${machine()}), seed ${terms.seed}`);
  printLine();
  printLatencies(minutes, heard.minutes);
  printLine();
  printRates(minutes, heard.minutes, 60);
  printLine();
  printStates(states);
  printLine();
  printReads(reads);
  printLine();
  const slopeText = Object.entries(slopes).map(([what, slope]) => `${what} ${fixed(slope, 2)}`);
  printLine(`  growth a minute after the second: ${slopeText.join(', ')}`);
  printLine(`  refused: ${codes.map(([what, count]) => `${what} ${whole(count)}`).join('; ')}`);
  printLine(`  cancelled ${whole(cancels.cancelled)}; had ended before: ${whole(cancels.gone)}`);
  const { journaled: orders, others } = closing;
  printLine(
    `  journaled ${whole(orders)} of ${whole(accepted)} accepted orders, and ${whole(others)} ` +
      'refused ones at whose time others expired',
  );
  const { p50, p99, longest, messages } = heard.user;
  const user = [p50, p99, longest].map((nanos) => fixed(nanos / 1e6, 1)).join(' / ');
  printLine(`  user channel: ${whole(messages)} messages, p50 / p99 / longest ${user} ms`);
  printLine(`  audit ${fixed(closing.auditMs, 0)} ms, ${whole(closing.liveOrders)} live orders`);
  const senderMicros = (day.senderSeconds * 1e6) / sender.requests;
  printLine(
    `  sender: ${fixed(senderMicros, 0)} us of processor a request, of them ` +
      `${fixed((sender.makerMs * 1e3) / sender.requests, 0)} to make and sign it; at most ` +
      `${fixed(sender.latestMs, 1)} ms late; ${sender.mostWaiting} waited for a socket`,
  );
  for (const fault of faults) printLine(`  WRONG: ${fault}`);
  for (const line of CAVEATS) printLine(`  ${line}`);
  return { terms, minutes, deliveries: heard, states, slopes, reads, codes, cancels };
}

const terms = termsOf(process.argv.slice(2));
const server = await startServer(['--log-level', 'warn']);
try {
  const day = await runDay(server, terms);
  const closing = await close(server, day);
  const figures = tell(day, closing, terms);
  const { sender, senderSeconds, faults } = day;
  recordResult('day', { ...figures, ...closing, sender, senderSeconds, faults });
  if (faults.length > 0) process.exitCode = 1;
} finally {
  await server.stop();
  server.remove();
}
