/**
 * The table of everything that `GET /metrics` shows of the exchange; metrics.md has the same rows.
 * What the process itself shows comes from `prom-client`.
 */
import { type Exchange, type SnapshotMade, threadSeconds } from '../../persistence/index.ts';
import type { Overload } from '../admission/index.ts';
import type { ExchangeClock } from '../api/index.ts';
import type { Histogram } from '../codec/index.ts';
import type { VerifierPool } from '../orders/index.ts';
import type { Server } from '../server/index.ts';
import type { Streams } from '../streams/index.ts';
import type { Registry } from '../views/index.ts';
import { eventLoopFamily } from './event-loop.ts';
import { counted, distributed, type Family, labelled, single } from './family.ts';
import type { Health } from './health.ts';
import type { Metrics } from './metrics.ts';

/** What the numbers are read from. */
export interface MetricSources {
  readonly metrics: Metrics;
  readonly exchange: Pick<
    Exchange,
    'health' | 'state' | 'appliedSeq' | 'durableSeq' | 'followedSeq' | 'lastSnapshot'
  >;
  readonly health: Health;
  readonly clock: Pick<ExchangeClock, 'jumps' | 'leadMs'>;
  readonly verifiers: Pick<VerifierPool, 'size' | 'upCount'>;
  readonly registry: Pick<Registry, 'counts'>;
  readonly streams: Pick<Streams, 'metrics' | 'totals'>;
  readonly overload: Pick<Overload, 'waitingOrders' | 'oldestMs' | 'isCongested'>;
  readonly listeners: () => Readonly<Record<string, ListenerFigures>>;
}

const SECONDS_PER_MICRO = 1e-6;
const MS_PER_SECOND = 1_000;
const MICROS_PER_UNIT = 1e6;
const NO_ROUTE = { method: 'none', path: 'none' };

type ListenerFigures = Pick<Server, 'pending' | 'sockets' | 'replies'>;

const LISTENER_FAMILIES: readonly (readonly [
  type: 'counter' | 'gauge',
  name: string,
  help: string,
  read: (server: ListenerFigures) => number,
])[] = [
  ['gauge', 'http_requests_in_flight', 'Requests that are being handled', (one) => one.pending],
  ['gauge', 'http_sockets_open', 'Connections that are open', (one) => one.sockets],
  [
    'gauge',
    'http_unread_reply_bytes',
    'Bytes of the bodies that clients have not taken whole',
    ({ replies }) => replies.unreadBytes,
  ],
  [
    'counter',
    'http_unread_replies_cut_total',
    'Clients that were cut, for too much waited for all',
    ({ replies }) => replies.cutCount,
  ],
];

function requestFamilies({ metrics: { requests }, listeners }: MetricSources): Family[] {
  return [
    labelled(
      'counter',
      'http_requests_total',
      'Requests that were answered, by route and status',
      () =>
        [...requests.routes()].flatMap(([route = NO_ROUTE, byStatus]) =>
          [...byStatus.counts()].map(
            ([status, count]) =>
              [{ method: route.method, route: route.path, status }, count] as const,
          ),
        ),
    ),
    distributed(
      'http_request_duration_seconds',
      'From the arrival of a request to the end of its answer, by route and class of status',
      {
        unit: SECONDS_PER_MICRO,
        read: () =>
          [...requests.routes()].flatMap(([route = NO_ROUTE, byStatus]) =>
            [...byStatus.durations()].map(
              ([status, durations]) =>
                [{ method: route.method, route: route.path, class: status }, durations] as const,
            ),
          ),
      },
    ),
    single(
      'counter',
      'http_requests_aborted_total',
      'Requests whose client went away before it had all of the answer',
      () => requests.abortedCount,
    ),
    ...LISTENER_FAMILIES.map(([type, name, help, read]) =>
      labelled(type, name, `${help}, by listener`, () =>
        Object.entries(listeners()).map(
          ([listener, server]) => [{ listener }, read(server)] as const,
        ),
      ),
    ),
  ];
}

function stagesOf({ requests, commands }: Metrics): Readonly<Record<string, Histogram>> {
  return {
    receive: requests.receive,
    verify: commands.verify,
    line: commands.line,
    apply: commands.apply,
    durable: commands.durable,
    commit: commands.commit,
    write: requests.write,
  };
}

function commandFamilies({ metrics, exchange }: MetricSources): Family[] {
  return [
    counted(
      'commands_total',
      'Commands that the engine took, by kind and by what became of them',
      metrics.commands.outcomes,
      ['kind', 'outcome'],
    ),
    distributed('stage_duration_seconds', 'Each stage of requests and commands', {
      unit: SECONDS_PER_MICRO,
      read: () => Object.entries(stagesOf(metrics)).map(([stage, times]) => [{ stage }, times]),
    }),
    distributed('commit_commands', 'Commands that became durable together, in one batch', {
      unit: 1,
      read: () => [[{}, metrics.commands.batchCommands]],
    }),
    single(
      'gauge',
      'waiting_commands',
      'Commands that wait for the disk',
      () => exchange.health().waitingCount,
    ),
    single('gauge', 'applied_seq', 'The last change of the engine', () => exchange.appliedSeq),
    single('gauge', 'durable_seq', 'The last change on the disk', () => exchange.durableSeq),
  ];
}

function overloadFamilies({ metrics, overload }: MetricSources): Family[] {
  return [
    single(
      'gauge',
      'waiting_orders',
      'Orders that were taken and are not answered yet, on their whole way',
      () => overload.waitingOrders,
    ),
    single(
      'gauge',
      'oldest_order_seconds',
      'For how long the oldest of them waits',
      () => overload.oldestMs / MS_PER_SECOND,
    ),
    single('gauge', 'overloaded', '1 from a refused order until the wait has eased, else 0', () =>
      overload.isCongested ? 1 : 0,
    ),
    counted(
      'overloaded_total',
      'Requests that were refused because something was full, by what it was',
      metrics.requests.overloads,
      ['what'],
    ),
  ];
}

function stateFamilies({ metrics, exchange, health, verifiers, registry }: MetricSources) {
  return [
    single('gauge', 'ready', '1 while GET /readyz answers 200, else 0', () =>
      health.report().ready ? 1 : 0,
    ),
    labelled('gauge', 'threads_up', 'Threads that are up, by what they do', () => [
      ...exchange
        .health()
        .threads.map(({ name, isUp }) => [{ thread: name }, isUp ? 1 : 0] as const),
      [{ thread: 'verifier' }, verifiers.upCount] as const,
    ]),
    single(
      'gauge',
      'projection_lag_commands',
      'Durable changes that reads do not show yet',
      () => health.lagCommands,
    ),
    single(
      'gauge',
      'projection_lag_seconds',
      'For how long the oldest change that reads do not show is durable',
      () => health.lagMs / MS_PER_SECOND,
    ),
    labelled(
      'gauge',
      'audit_lag_commands',
      'Durable changes that the thread of audits and snapshots has not replayed yet',
      () => {
        const { durableSeq, followedSeq } = exchange;
        return followedSeq === undefined ? [] : [[{}, Math.max(durableSeq - followedSeq, 0)]];
      },
    ),
    counted(
      'rate_limited_total',
      'Requests over a rate limit, by its row',
      metrics.requests.limits,
      ['row'],
    ),
    counted('audits_total', 'Checks of the whole state by GET /audit', metrics.audits, ['result']),
    single(
      'counter',
      'invariant_violations_total',
      'Invariants found broken; the process stops at the first of its live state',
      () => metrics.violations,
    ),
    single('gauge', 'live_orders', 'Orders in all books', () => exchange.state.totals().liveOrders),
    labelled(
      'gauge',
      'collateral_units',
      'Collateral that accounts hold, that is locked behind sets, and that came in and went out',
      () => {
        const { cashMicros, lockedMicros, depositedMicros, withdrawnMicros } =
          exchange.state.totals();
        return [
          [{ of: 'accounts' }, cashMicros / MICROS_PER_UNIT],
          [{ of: 'locked' }, lockedMicros / MICROS_PER_UNIT],
          [{ of: 'deposited' }, depositedMicros / MICROS_PER_UNIT],
          [{ of: 'withdrawn' }, withdrawnMicros / MICROS_PER_UNIT],
        ];
      },
    ),
    ...(['markets', 'accounts', 'keys'] as const).map((what) =>
      single('gauge', what, `How many ${what} there are`, () => registry.counts[what]),
    ),
  ];
}

function clockFamilies({ clock }: MetricSources): Family[] {
  return [
    single(
      'counter',
      'clock_jumps_total',
      'Jumps of the wall clock, each of which pauses the exchange if it is open',
      () => clock.jumps,
    ),
    single(
      'gauge',
      'clock_lead_seconds',
      'How far the time of commands is ahead of the wall clock; about 0 while that is trusted',
      () => clock.leadMs / MS_PER_SECOND,
    ),
  ];
}

function snapshotFamilies({ metrics, exchange }: MetricSources): Family[] {
  const ofLast = (name: string, help: string, read: (last: SnapshotMade) => number): Family =>
    labelled('gauge', name, `${help}; once one was made since the start`, () => {
      const last = exchange.lastSnapshot;
      return last === undefined ? [] : [[{}, read(last)]];
    });
  return [
    ofLast('snapshot_seq', 'The last change that the last snapshot shows', ({ seq }) => seq),
    ofLast(
      'snapshot_time_seconds',
      'When the last snapshot was there, since the epoch',
      ({ madeMs }) => madeMs / MS_PER_SECOND,
    ),
    ofLast(
      'snapshot_duration_seconds',
      'How long the last snapshot took to make',
      ({ tookMs }) => tookMs / MS_PER_SECOND,
    ),
    ofLast('snapshot_bytes', 'How large the last snapshot is', ({ bytes }) => bytes),
    single(
      'counter',
      'failed_snapshots_total',
      'Snapshots that could not be made, for which nothing is lost',
      () => metrics.failedSnapshots,
    ),
  ];
}

function streamFamilies({ streams }: MetricSources): Family[] {
  return [
    labelled('gauge', 'stream_sockets_open', 'WebSockets that are open, by channel', () =>
      streams.totals.sockets.map(([channel, count]) => [{ channel }, count] as const),
    ),
    single(
      'counter',
      'stream_messages_total',
      'Messages published, each once whatever the number of its listeners',
      () => streams.metrics.published,
    ),
    counted(
      'stream_sockets_closed_total',
      'WebSockets that the exchange closed, by why; cut where there was no room to say so',
      streams.metrics.closed,
      ['reason'],
    ),
    counted(
      'stream_faults_total',
      "Clients' messages that were answered with an error, by its code",
      streams.metrics.faults,
      ['code'],
    ),
    counted(
      'stream_resumes_total',
      'Markets that clients came back to, by what they got: replayed or snapshot',
      streams.metrics.resumes,
      ['outcome'],
    ),
    single(
      'gauge',
      'stream_waiting_bytes',
      'Bytes that wait for clients of all WebSockets',
      () => streams.totals.waitingBytes,
    ),
    single(
      'gauge',
      'stream_kept_bytes',
      'Messages that are kept for clients who come back',
      () => streams.totals.ringBytes,
    ),
  ];
}

function threadFamily(): Family {
  return labelled(
    'counter',
    'thread_cpu_seconds_total',
    'Processor time of the threads that are there now, by what they do; on Linux alone',
    () => [...threadSeconds()].map(([thread, seconds]) => [{ thread }, seconds] as const),
  );
}

/** All of them, in the order in which they are shown. */
export function familiesOf(sources: MetricSources): readonly Family[] {
  return [
    ...requestFamilies(sources),
    ...commandFamilies(sources),
    ...overloadFamilies(sources),
    ...stateFamilies(sources),
    ...clockFamilies(sources),
    ...snapshotFamilies(sources),
    ...streamFamilies(sources),
    eventLoopFamily(),
    threadFamily(),
  ];
}
