/**
 * Every metric of the exchange that `GET /metrics` shows. metrics.md has the same rows; a test
 * compares them. `prom-client` adds the metrics of the process.
 */

import type { Metric } from 'prom-client';
import { MICROS_PER_UNIT, SECOND_MS } from '../../engine/model/index.ts';
import {
  type BackupNote,
  type Exchange,
  type KeptBackups,
  type SnapshotFile,
  threadSeconds,
} from '../../persistence/index.ts';
import { PROGRAM_VERSION } from '../../persistence/shared/index.ts';
import type { Overload } from '../admission/overload.ts';
import type { Histogram } from '../codec/index.ts';
import type { VerifierPool } from '../orders/verifier-pool.ts';
import type { ExchangeClock } from '../runtime/clock.ts';
import type { Server } from '../server/server.ts';
import type { Streams } from '../streams/index.ts';
import type { Registry } from '../views/index.ts';
import { type ClusterSources, clusterFamilies } from './cluster-families.ts';
import type { Metrics } from './command-metrics.ts';
import {
  counter,
  counters,
  countersOf,
  gauge,
  gauges,
  type HistogramSample,
  histograms,
  type Sample,
} from './family.ts';
import type { Health } from './health.ts';
import { eventLoopFamily, memoryFamilies } from './process-families.ts';

/** The parts of the exchange from which the metrics are read. */
export interface MetricSources extends ClusterSources {
  readonly metrics: Metrics;
  readonly exchange: ClusterSources['exchange'] &
    Pick<Exchange, 'health' | 'state' | 'disk' | 'snapshots'>;
  readonly backups: Pick<KeptBackups, 'note'>;
  readonly health: Health;
  readonly clock: Pick<ExchangeClock, 'jumps' | 'leadMs' | 'pausesOrders'>;
  readonly verifiers: Pick<VerifierPool, 'size' | 'upCount'>;
  readonly registry: Pick<Registry, 'counts' | 'tradingState'>;
  readonly streams: Pick<Streams, 'metrics' | 'totals'>;
  readonly overload: Pick<Overload, 'waitingOrders' | 'oldestMs' | 'isCongested'>;
  readonly listeners: () => Readonly<Record<string, ListenerFigures>>;
}

const SECONDS_PER_MICRO = 1e-6;
const NO_ROUTE = { method: 'none', path: 'none' };

type ListenerFigures = Pick<Server, 'pending' | 'connections' | 'replies' | 'certificateEndMs'>;

function requestFamilies({ metrics: { requests } }: MetricSources): Metric[] {
  return [
    counters(['http_requests_total', 'Answered requests', ['method', 'route', 'status']], () =>
      [...requests.routes()].flatMap(([route = NO_ROUTE, byStatus]) =>
        [...byStatus.counts()].map(
          ([status, count]): Sample => [route.method, route.path, status, count],
        ),
      ),
    ),
    histograms(
      [
        'http_request_duration_seconds',
        'Time from the arrival of a request to the end of its answer',
        ['method', 'route', 'class'],
      ],
      SECONDS_PER_MICRO,
      () =>
        [...requests.routes()].flatMap(([route = NO_ROUTE, byStatus]) =>
          [...byStatus.durations()].map(
            ([statusClass, durations]): HistogramSample => [
              [route.method, route.path, statusClass],
              durations,
            ],
          ),
        ),
    ),
    counter(
      'http_requests_aborted_total',
      'Requests whose client disconnected before the whole answer',
      () => requests.abortedCount,
    ),
  ];
}

function listenerFamilies({ listeners }: MetricSources): Metric[] {
  const each = (read: (figures: ListenerFigures) => number | undefined) => (): Sample[] =>
    Object.entries(listeners()).flatMap(([listener, figures]): Sample[] => {
      const value = read(figures);
      return value === undefined ? [] : [[listener, value]];
    });
  const listenerGauge = (name: string, help: string, samples: () => Sample[]): Metric =>
    gauges([name, help, ['listener']], samples);
  const listenerCounter = (name: string, help: string, samples: () => Sample[]): Metric =>
    counters([name, help, ['listener']], samples);
  return [
    listenerGauge(
      'http_requests_in_flight',
      'Requests that are being handled',
      each(({ pending }) => pending),
    ),
    listenerGauge(
      'http_sockets_open',
      'Open connections',
      each(({ connections }) => connections.open),
    ),
    listenerGauge(
      'http_sockets_limit',
      'The most connections that may be open',
      each(({ connections }) => connections.most),
    ),
    listenerCounter(
      'http_connections_refused_total',
      'Connections that were closed because too many were open',
      each(({ connections }) => connections.refused),
    ),
    listenerGauge(
      'http_unread_reply_bytes',
      'Bytes of answers that clients have not read completely',
      each(({ replies }) => replies.unreadBytes),
    ),
    listenerCounter(
      'http_unread_replies_cut_total',
      'Clients that were disconnected because too many unread bytes waited for all clients',
      each(({ replies }) => replies.cutCount),
    ),
    listenerGauge(
      'http_certificate_end_seconds',
      'When the certificate of new connections ends, in seconds since the epoch; absent without ' +
        'TLS',
      each(({ certificateEndMs: endMs }) => endMs && endMs / SECOND_MS),
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

function commandFamilies({ metrics, exchange }: MetricSources): Metric[] {
  return [
    countersOf(
      ['commands_total', 'Commands that the engine applied or refused', ['kind', 'outcome']],
      metrics.commands.outcomes,
    ),
    histograms(
      ['stage_duration_seconds', 'Duration of each stage of requests and commands', ['stage']],
      SECONDS_PER_MICRO,
      () => Object.entries(stagesOf(metrics)).map(([stage, times]) => [[stage], times]),
    ),
    histograms(['commit_commands', 'Commands in a journal commit'], 1, () => [
      [[], metrics.commands.batchCommands],
    ]),
    gauge(
      'waiting_commands',
      'Commands that wait to become durable',
      () => exchange.health().waitingCount,
    ),
    gauge(
      'applied_seq',
      'Sequence number of the last command that the engine applied',
      () => exchange.appliedSeq,
    ),
    gauge('durable_seq', 'Sequence number of the last durable command', () => exchange.durableSeq),
  ];
}

function overloadFamilies({ metrics, overload }: MetricSources): Metric[] {
  return [
    gauge(
      'waiting_orders',
      'Orders that have arrived and are not answered yet',
      () => overload.waitingOrders,
    ),
    gauge(
      'oldest_order_seconds',
      'How long the oldest of the waiting orders has waited',
      () => overload.oldestMs / SECOND_MS,
    ),
    gauge('overloaded', '1 from a refused order until the queue is short again, else 0', () =>
      overload.isCongested ? 1 : 0,
    ),
    countersOf(
      ['overloaded_total', 'Requests that were refused because of overload', ['what']],
      metrics.requests.overloads,
    ),
  ];
}

function healthFamilies(sources: MetricSources): Metric[] {
  const { metrics, exchange, health, verifiers } = sources;
  return [
    gauge('ready', '1 while GET /readyz answers 200, else 0', () =>
      health.report().ready ? 1 : 0,
    ),
    gauges(['threads_up', 'Running threads', ['thread']], () => [
      ...exchange.health().threads.map(({ name, isUp }): Sample => [name, isUp ? 1 : 0]),
      ...(verifiers.size === 0 ? [] : [['verifier', verifiers.upCount] as const]),
    ]),
    counter(
      'failed_threads_total',
      'Threads that went down and were started again; the log names them',
      () => metrics.failedThreads,
    ),
    gauge(
      'projection_lag_commands',
      'Durable commands that reads do not show yet',
      () => health.lagCommands,
    ),
    gauge(
      'projection_lag_seconds',
      'How long the oldest durable command that reads do not show has been durable',
      () => health.lagMs / SECOND_MS,
    ),
    gauges(
      [
        'audit_lag_commands',
        'Durable commands that the thread of audits and snapshots has not replayed yet',
      ],
      () => {
        const { followedSeq } = exchange.health();
        return followedSeq === undefined ? [] : [[Math.max(exchange.durableSeq - followedSeq, 0)]];
      },
    ),
    countersOf(
      ['http_refusals_total', 'Requests that were answered with an error', ['code']],
      metrics.requests.refusals,
    ),
    countersOf(
      ['rate_limited_total', 'Requests that exceeded a rate limit', ['row']],
      metrics.requests.limits,
    ),
    countersOf(
      ['audits_total', 'Checks of the whole state by GET /audit', ['result']],
      metrics.audits,
    ),
    counter(
      'invariant_violations_total',
      'Broken invariants; the process stops at the first one in its live state',
      () => metrics.violations,
    ),
  ];
}

const TRADING_STATES = ['open', 'cancel_only', 'halted'] as const;

function stateFamilies({ exchange, registry }: MetricSources): Metric[] {
  return [
    gauges(
      ['trading_state', '1 for the trading state of the exchange, 0 for the others', ['state']],
      () => TRADING_STATES.map((state): Sample => [state, registry.tradingState === state ? 1 : 0]),
    ),
    gauge('live_orders', 'Orders in all books', () => exchange.state.totals().liveOrders),
    gauges(
      [
        'collateral_units',
        'Collateral in accounts, locked behind sets, deposited and withdrawn',
        ['of'],
      ],
      () => {
        const { cashMicros, lockedMicros, depositedMicros, withdrawnMicros } =
          exchange.state.totals();
        return [
          ['accounts', cashMicros / MICROS_PER_UNIT],
          ['locked', lockedMicros / MICROS_PER_UNIT],
          ['deposited', depositedMicros / MICROS_PER_UNIT],
          ['withdrawn', withdrawnMicros / MICROS_PER_UNIT],
        ];
      },
    ),
    ...(['markets', 'accounts', 'keys'] as const).map((what) =>
      gauge(what, `Number of ${what}`, () => registry.counts[what]),
    ),
  ];
}

function clockFamilies({ clock }: MetricSources): Metric[] {
  return [
    counter(
      'clock_jumps_total',
      'Jumps of the wall clock; each pauses the exchange if it is open',
      () => clock.jumps,
    ),
    gauge(
      'clock_pauses_orders',
      '1 while the exchange is not open because of the clock, else 0',
      () => (clock.pausesOrders ? 1 : 0),
    ),
    gauge(
      'clock_lead_seconds',
      'How far the time of commands is ahead of the wall clock, without a move by the sandbox; ' +
        'about 0 while the clock is trusted',
      () => clock.leadMs / SECOND_MS,
    ),
  ];
}

function snapshotFamilies({ metrics, exchange }: MetricSources): Metric[] {
  const ofNewest = (name: string, help: string, read: (newest: SnapshotFile) => number): Metric =>
    gauges([name, `${help}; absent if there is none`], () => {
      const [newest] = exchange.snapshots();
      return newest === undefined ? [] : [[read(newest)]];
    });
  return [
    ofNewest('snapshot_seq', 'Last command in the newest snapshot', ({ seq }) => seq),
    ofNewest(
      'snapshot_time_seconds',
      'When the newest snapshot was finished, in seconds since the epoch',
      ({ madeMs }) => madeMs / SECOND_MS,
    ),
    ofNewest('snapshot_bytes', 'Size of the newest snapshot', ({ bytes }) => bytes),
    gauges(
      [
        'snapshot_duration_seconds',
        'How long the last snapshot took; absent before the first one since the start',
      ],
      () => {
        const last = exchange.health().lastSnapshot;
        return last === undefined ? [] : [[last.tookMs / SECOND_MS]];
      },
    ),
    counter(
      'failed_snapshots_total',
      'Snapshots that failed; no data is lost',
      () => metrics.failedSnapshots,
    ),
  ];
}

function backupFamilies({ backups }: MetricSources): Metric[] {
  const ofLast = (name: string, help: string, read: (note: BackupNote) => number): Metric =>
    gauges([name, `${help}; absent if none was ever made of this data folder`], () => {
      const { note } = backups;
      return note === undefined ? [] : [[read(note)]];
    });
  return [
    ofLast('backup_seq', 'Last command in the last backup', ({ seq }) => seq),
    ofLast(
      'backup_time_seconds',
      'When the last backup was begun, in seconds since the epoch',
      ({ madeMs }) => madeMs / SECOND_MS,
    ),
  ];
}

function diskFamilies({ metrics, exchange }: MetricSources): Metric[] {
  return [
    gauge(
      'disk_free_bytes',
      'Free space on the disk of the data folder',
      () => exchange.disk().freeBytes,
    ),
    gauges(['database_bytes', 'Size of a database with its write-ahead log', ['database']], () =>
      Object.entries(exchange.disk().databases),
    ),
    counter(
      'failed_catalog_writes_total',
      'Writes of the catalog that failed; they are repeated, and trading goes on',
      () => metrics.failedCatalogWrites,
    ),
  ];
}

function streamFamilies({ streams }: MetricSources): Metric[] {
  return [
    gauges(['stream_sockets_open', 'Open WebSockets', ['channel']], () => streams.totals.sockets),
    counter(
      'stream_messages_total',
      'Published messages; a message to many listeners counts once',
      () => streams.metrics.published,
    ),
    countersOf(
      [
        'stream_sockets_closed_total',
        'WebSockets that the exchange closed; cut: without a close frame, for a slow client; ' +
          'fault: by a fault of the sandbox',
        ['reason'],
      ],
      streams.metrics.closed,
    ),
    countersOf(
      ['stream_faults_total', "Clients' messages that were answered with an error", ['code']],
      streams.metrics.faults,
    ),
    countersOf(
      ['stream_resumes_total', 'Resumes of a market or owner; replayed or snapshot', ['outcome']],
      streams.metrics.resumes,
    ),
    gauge(
      'stream_waiting_bytes',
      'Bytes that wait to be sent to WebSockets',
      () => streams.totals.waitingBytes,
    ),
    gauge(
      'stream_kept_bytes',
      'Size of the messages that are kept for clients that resume',
      () => streams.totals.ringBytes,
    ),
  ];
}

function threadFamily(): Metric {
  return counters(
    [
      'thread_cpu_seconds_total',
      'Processor time of the threads that run now; on Linux only',
      ['thread'],
    ],
    () => threadSeconds(),
  );
}

function programFamily(): Metric {
  return gauges(['program_info', 'Always 1, with the version of the program', ['version']], () => [
    [PROGRAM_VERSION, 1],
  ]);
}

/** All metrics, in the order in which they are shown; those of plots follow. */
export function familiesOf(sources: MetricSources): readonly Metric[] {
  return [
    ...requestFamilies(sources),
    ...listenerFamilies(sources),
    ...commandFamilies(sources),
    ...overloadFamilies(sources),
    ...healthFamilies(sources),
    ...stateFamilies(sources),
    ...clockFamilies(sources),
    ...snapshotFamilies(sources),
    ...backupFamilies(sources),
    ...diskFamilies(sources),
    ...streamFamilies(sources),
    ...clusterFamilies(sources),
    eventLoopFamily(),
    threadFamily(),
    ...memoryFamilies(),
    programFamily(),
  ];
}
