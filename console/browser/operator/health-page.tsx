/** The live health of the exchange, drawn from `/metrics` and `/readyz`. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import {
  Facts,
  Failure,
  fromNow,
  Skeleton,
  short,
  shown,
  sizeText,
  Table,
  useTitle,
} from '../kit/index.ts';
import { ExchangeError, send } from '../wire/index.ts';
import {
  type Labels,
  parseMetrics,
  percentileOf,
  rateOf,
  type Sample,
  type Scrape,
  samplesOf,
  sumOf,
} from './scrape.ts';

const WIDTH = 120;
const HEIGHT = 24;

interface TrendProps {
  /** Oldest first; undefined where it was not known. */
  readonly values: readonly (number | undefined)[];
}

/** The course of a figure as a small line from 0 up to its highest value. */
function Trend({ values }: TrendProps) {
  const known = values.map((value) => value ?? 0);
  const highest = Math.max(...known, 0);
  const step = WIDTH / Math.max(known.length - 1, 1);
  const points = known.map((value, index) => {
    const up = highest === 0 ? 0 : value / highest;
    return `${(index * step).toFixed(1)},${(HEIGHT - 1 - up * (HEIGHT - 2)).toFixed(1)}`;
  });
  return (
    <svg class="trend" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden>
      <polyline points={points.join(' ')} vector-effect="non-scaling-stroke" />
    </svg>
  );
}

const SCRAPED_EVERY_MS = 2_000;
/** Scrapes that are kept: the trends of four minutes. */
const KEPT = 120;
/** Rates and percentiles are those of the last so many scrapes. */
const WINDOW = 5;

const OF_ORDERS = { method: 'POST', route: '/order' } as const;
const REFUSED = { status: /^[45]/ } as const;

function milliseconds(seconds: number | undefined): string {
  return seconds === undefined ? '–' : `${shown(seconds * 1000, seconds < 0.01 ? 2 : 1)} ms`;
}

function figure(value: number | undefined): string {
  return value === undefined ? '–' : short(value);
}

function bytes(value: number | undefined): string {
  return value === undefined ? '–' : sizeText(value);
}

/** A figure of one scrape, given the one before it. */
type Reading = (before: Scrape | undefined, now: Scrape) => number | undefined;

function gauge(metric: string): Reading {
  return (_, now) => sumOf(now, metric);
}

function rate(metric: string, labels: Labels = {}): Reading {
  return (before, now) => rateOf(before, now, metric, labels);
}

function percentile(share: number, metric: string, labels: Labels): Reading {
  return (before, now) => percentileOf(before, now, metric, share, labels);
}

function cores(value: number | undefined): string {
  return value === undefined ? '–' : `${shown(value * 100, 0)}% of a core`;
}

type Gauge = readonly [name: string, read: Reading, write?: (value: number | undefined) => string];

/** What an operator watches first. */
const GAUGES: readonly Gauge[] = [
  ['orders a second', rate('commands_total', { kind: 'place_order' })],
  ['requests a second', rate('http_requests_total')],
  ['refusals a second', rate('http_requests_total', REFUSED)],
  ['p50 of an order', percentile(0.5, 'http_request_duration_seconds', OF_ORDERS), milliseconds],
  ['p99 of an order', percentile(0.99, 'http_request_duration_seconds', OF_ORDERS), milliseconds],
  [
    'p99 of a commit',
    percentile(0.99, 'stage_duration_seconds', { stage: 'durable' }),
    milliseconds,
  ],
  ['waiting orders', gauge('waiting_orders')],
  ['commands not yet on disk', gauge('waiting_commands')],
  ['commands not yet in reads', gauge('projection_lag_commands')],
  ['reads behind by', gauge('projection_lag_seconds'), milliseconds],
  ['commands not yet audited', gauge('audit_lag_commands')],
  ['connections', gauge('http_sockets_open')],
  ['stream sockets', gauge('stream_sockets_open')],
  ['stream messages a second', rate('stream_messages_total')],
  ['live orders', gauge('live_orders')],
  ['memory', gauge('process_resident_memory_bytes'), bytes],
  ['processor', rate('process_cpu_seconds_total'), cores],
  ['free on the disk', gauge('disk_free_bytes'), bytes],
];

function readingsOf(read: Reading, scrapes: readonly Scrape[]): readonly (number | undefined)[] {
  return scrapes.map((now, index) => read(scrapes[Math.max(0, index - WINDOW)], now));
}

function Gauges({ scrapes }: { scrapes: readonly Scrape[] }) {
  return (
    <ul class="gauges">
      {GAUGES.map(([name, read, write = figure]) => {
        const readings = readingsOf(read, scrapes);
        return (
          <li key={name} class="panel">
            <span class="muted">{name}</span>
            <strong>{write(readings.at(-1))}</strong>
            <Trend values={readings} />
          </li>
        );
      })}
    </ul>
  );
}

interface Refusal {
  readonly route: string;
  readonly status: string;
  readonly count: number;
}

function refusalsOf(now: Scrape): readonly Refusal[] {
  return samplesOf(now, 'http_requests_total', REFUSED)
    .map(({ labels: { method = '', route = '', status = '' }, value }) => ({
      route: `${method} ${route}`,
      status,
      count: value,
    }))
    .toSorted((one, other) => other.count - one.count)
    .slice(0, 20);
}

const CODES = 20;

function codesOf(now: Scrape): readonly Sample[] {
  return samplesOf(now, 'http_refusals_total')
    .toSorted((one, other) => other.value - one.value)
    .slice(0, CODES);
}

function Refusals({ now }: { now: Scrape }) {
  return (
    <section class="panel" aria-labelledby="refusals">
      <h2 id="refusals">Refusals since the start</h2>
      <Table
        label="Refusals by route"
        rows={refusalsOf(now)}
        keyOf={({ route, status }) => `${route} ${status}`}
        empty="Nothing was refused."
        columns={[
          ['Route', 'route', 'code'],
          ['Status', 'status'],
          ['Count', ({ count }) => shown(count, 0), 'number'],
        ]}
      />
      {codesOf(now).length > 0 && (
        <Table
          label="Refusals by code"
          rows={codesOf(now)}
          keyOf={({ labels: { code = '' } }) => code}
          empty=""
          columns={[
            ['Code', ({ labels }) => labels.code, 'code'],
            ['Count', ({ value }) => shown(value, 0), 'number'],
          ]}
        />
      )}
    </section>
  );
}

function Details({ now }: { now: Scrape }) {
  const snapshotAt = sumOf(now, 'snapshot_time_seconds');
  const startedAt = sumOf(now, 'process_start_time_seconds');
  const facts = [
    ['running since', startedAt === undefined ? '–' : fromNow(startedAt * 1000)],
    [
      'last snapshot',
      snapshotAt === undefined ? 'none since the start' : fromNow(snapshotAt * 1000),
    ],
    ['size of the last snapshot', bytes(sumOf(now, 'snapshot_bytes'))],
    ['journal on the disk', bytes(sumOf(now, 'database_bytes', { database: 'journal' }))],
    ['analytics on the disk', bytes(sumOf(now, 'database_bytes', { database: 'analytics' }))],
    ['catalog on the disk', bytes(sumOf(now, 'database_bytes', { database: 'catalog' }))],
    ['failed snapshots', figure(sumOf(now, 'failed_snapshots_total'))],
    ['durable command', shown(sumOf(now, 'durable_seq') ?? 0, 0)],
    ['accounts', figure(sumOf(now, 'accounts'))],
    ['markets', figure(sumOf(now, 'markets'))],
    ['refused for overload', figure(sumOf(now, 'overloaded_total') ?? 0)],
    ['refused by rate limits', figure(sumOf(now, 'rate_limited_total') ?? 0)],
    ['clock jumps', figure(sumOf(now, 'clock_jumps_total'))],
    ['slow stream clients cut', figure(sumOf(now, 'stream_sockets_closed_total') ?? 0)],
  ] as const;
  return (
    <section class="panel" aria-labelledby="details">
      <h2 id="details">More figures</h2>
      <Facts rows={facts} />
    </section>
  );
}

function State({ ready, now }: { ready: boolean; now: Scrape }) {
  const isOverloaded = sumOf(now, 'overloaded') === 1;
  const violations = sumOf(now, 'invariant_violations_total') ?? 0;
  return (
    <p class="row">
      <span class={`badge ${ready ? 'good' : 'bad'}`}>{ready ? 'ready' : 'not ready'}</span>
      <span class={`badge ${isOverloaded ? 'bad' : 'good'}`}>
        {isOverloaded ? 'refuses new orders: overloaded' : 'keeps up'}
      </span>
      <span class={`badge ${violations > 0 ? 'bad' : 'good'}`}>
        {violations > 0 ? `${violations} broken invariants` : 'no broken invariant'}
      </span>
    </p>
  );
}

/** An exchange that is not ready answers with 503 and the same report. */
async function isReady(signal: AbortSignal): Promise<boolean> {
  try {
    return (await send({ method: 'GET', path: '/readyz', signal })).ready;
  } catch (failure) {
    if (failure instanceof ExchangeError && failure.status === 503) return false;
    throw failure;
  }
}

export function HealthPage() {
  useTitle('Health');
  const scrapes = useSignal<readonly Scrape[]>([]);
  const ready = useSignal(false);
  const failure = useSignal<unknown>(undefined);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    async function scrape(): Promise<void> {
      try {
        const text = await send({ method: 'GET', path: '/metrics', auth: 'operator', signal });
        ready.value = await isReady(signal);
        const kept = [...scrapes.peek(), parseMetrics(text, performance.now())];
        scrapes.value = kept.slice(-KEPT);
        failure.value = undefined;
      } catch (fault) {
        if (!signal.aborted) failure.value = fault;
      }
    }
    void scrape();
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void scrape();
    }, SCRAPED_EVERY_MS);
    return () => {
      controller.abort();
      clearInterval(timer);
    };
  }, [failure, ready, scrapes]);
  const now = scrapes.value.at(-1);
  return (
    <div class="stack">
      <h1>Health</h1>
      {failure.value !== undefined && <Failure failure={failure.value} />}
      {now === undefined ? (
        failure.value === undefined && <Skeleton lines={6} />
      ) : (
        <>
          <State ready={ready.value} now={now} />
          <Gauges scrapes={scrapes.value} />
          <div class="columns">
            <Refusals now={now} />
            <Details now={now} />
          </div>
        </>
      )}
    </div>
  );
}
