/**
 * `npm run bench -- cluster`: a cluster of three etcd nodes, a core, a standby and two gateways on
 * this machine, beside one process on SQLite in the same run. All of them share the processors, so
 * only ratios and processor times say something about clusters on several machines.
 */
import { Exchange } from '../harness/exchange.ts';
import { Orders } from '../harness/orders.ts';
import { fixed, inMs, printReport, speedText, whole } from '../harness/print.ts';
import { type BenchResult, machine } from '../harness/results.ts';
import { type Percentiles, percentilesOf, spreadBy } from '../harness/statistics.ts';
import { type SummaryRow, summaryRow } from '../harness/summary.ts';
import { FLAGS } from '../orders/servers.ts';
import { loadCore } from './core-load.ts';
import {
  type Alone,
  type ComparedSpeeds,
  compareSpeeds,
  IN_FLIGHT,
  latencies,
  type SpeedTerms,
} from './speeds.ts';
import { lagTimes, newReplicaMs, takeoverTimes } from './takeovers.ts';
import { type Venue, withVenue } from './venue.ts';

interface ClusterSizes extends SpeedTerms {
  /** Resting orders of the exchange that a new replica joins. */
  readonly orders: number;
  readonly takeovers: number;
}

async function measureLoad(venue: Venue, alone: Alone, terms: SpeedTerms) {
  const speeds: [number, ComparedSpeeds][] = [];
  for (const inFlight of IN_FLIGHT) {
    speeds.push([inFlight, await compareSpeeds(venue, alone, inFlight, terms)]);
  }
  const full = speeds.at(-1)![1];
  const half = full.ours.median / 2;
  return {
    speeds,
    latency: {
      perSecond: half,
      cluster: await latencies(venue.gateway.url, venue.orders, half),
      alone: await latencies(alone.exchange.url, alone.orders, half),
    },
  };
}

async function measure({ orders, takeovers, ...terms }: ClusterSizes) {
  const figures = await withVenue(async (venue) => {
    const load = await Exchange.with(FLAGS, async (exchange) =>
      measureLoad(venue, { exchange, orders: await Orders.of(exchange) }, terms),
    );
    const core = await loadCore(venue, terms.rounds);
    const lag = percentilesOf([await lagTimes(venue)]);
    const taken = await takeoverTimes(venue, takeovers);
    return { ...load, core, lag, takeoverMs: taken };
  });
  return { ...figures, newReplica: { orders, ms: await newReplicaMs(orders) } };
}
type Figures = Awaited<ReturnType<typeof measure>>;

const CORE_MICROS = 20;
const TAKEOVER_SECONDS = 5;

function percentiles({ p50, p99 }: Percentiles): string {
  return `${inMs(p50)} / ${inMs(p99)} ms`;
}

function speedRow(inFlight: number, { ours, bare, ratio }: ComparedSpeeds): SummaryRow {
  return summaryRow({
    what: `cluster, ${inFlight} orders in flight, a second; SQLite alone`,
    ours: speedText(ours),
    reference: speedText(bare),
    ratio,
  });
}

function summaryOf({ speeds, latency, core, lag, takeoverMs, newReplica }: Figures): SummaryRow[] {
  const full = speeds.at(-1)![1];
  const micros = spreadBy(full.rounds, ({ ours }) => ours.micros).median;
  const gateway = spreadBy(full.rounds, ({ ours }) => ours.gatewayMicros).median;
  const bare = spreadBy(full.rounds, (pair) => pair.bare.micros).median;
  const { cluster, alone, perSecond } = latency;
  const fed = spreadBy(core, (round) => round.micros).median;
  const slowest = percentilesOf([takeoverMs]);
  return [
    ...speeds.map(([inFlight, compared]) => speedRow(inFlight, compared)),
    summaryRow({
      what: "core's processor time an order, all threads; one process alone",
      ours: `${fixed(micros, 0)} us`,
      reference: `${fixed(bare, 0)} us`,
    }),
    summaryRow({
      what: 'the core fed by prepared orders, a second',
      ours: speedText(spreadBy(core, ({ perSecond }) => perSecond)),
    }),
    summaryRow({
      what: 'the core fed by prepared orders, processor time an order, all threads',
      ours: `${fixed(fed, 1)} us`,
      budget: `under ${CORE_MICROS} us`,
      value: fed,
    }),
    summaryRow({ what: "gateway's processor time an order", ours: `${fixed(gateway, 0)} us` }),
    summaryRow({
      what: `cluster, ${whole(perSecond)} orders a second, p50 / p99; SQLite alone`,
      ours: percentiles(cluster.latencyNs),
      reference: percentiles(alone.latencyNs),
    }),
    summaryRow({
      what: 'order seen at another gateway after its answer, p50 / p99',
      ours: percentiles(lag),
    }),
    summaryRow({
      what: `order accepted after the core was killed, p50 / p99 of ${takeoverMs.length}`,
      ours: percentiles(slowest),
      budget: `under ${TAKEOVER_SECONDS} s (p99)`,
      value: slowest.p99 / 1e9,
    }),
    summaryRow({
      what: `new replica is ready, ${whole(newReplica.orders)} resting orders`,
      ours: `${fixed(newReplica.ms / 1_000, 1)} s`,
    }),
  ];
}

/** Processor time of each thread of the core for one order. */
function threadTable({ speeds, core }: Figures): string[][] {
  const rounds = [
    ...speeds.map(([inFlight, { rounds: pairs }]) => {
      return [`${inFlight} in flight`, pairs.map(({ ours }) => ours)] as const;
    }),
    ['fed by prepared orders', core] as const,
  ];
  const names = new Set(
    rounds.flatMap(([, ours]) => ours.flatMap((round) => Object.keys(round.threadMicros))),
  );
  const rows = [...names]
    .map((name) => {
      const values = rounds.map(
        ([, ours]) => spreadBy(ours, (round) => round.threadMicros[name] ?? 0).median,
      );
      return { name, values };
    })
    .filter(({ values }) => values.some((value) => value >= 0.05))
    .sort((left, right) => right.values.at(-1)! - left.values.at(-1)!);
  return [
    ['us of the core by thread', ...rounds.map(([load]) => load)],
    ...rows.map(({ name, values }) => [name, ...values.map((value) => fixed(value, 1))]),
  ];
}

/** The first answer that is no success, or ''. */
function failureOf({ speeds, latency }: Figures): string {
  const rounds = speeds.flatMap(([, compared]) => compared.rounds);
  const all = rounds.flatMap(({ ours, bare }) => [ours, bare]);
  const first = all.find(({ failure }) => failure !== '')?.failure ?? '';
  const refused = latency.cluster.refused + latency.alone.refused;
  if (first === '' && refused === 0) return '';
  return `${refused} orders were refused at half load; others: ${first.slice(0, 300)}`;
}

export async function benchCluster({
  rounds = 3,
  seconds = 2,
  orders = 1_000_000,
  takeovers = 20,
}: Partial<ClusterSizes>): Promise<BenchResult> {
  const figures = await measure({ rounds, seconds, orders, takeovers });
  const rows = summaryOf(figures);
  const failure = failureOf(figures);
  printReport(`cluster (${machine()})`, threadTable(figures));
  return {
    figures,
    rows,
    ...(failure === '' ? {} : { failure }),
  };
}
