/**
 * Shows metrics in the text format of Prometheus. The one file that imports `prom-client`, for the
 * format and for the metrics of the process itself.
 *
 * Invariant: nothing is counted here; each number is read when somebody asks.
 */
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { collectDefaultMetrics, type Metric, Registry } from 'prom-client';
import { type Family, labelled } from './family.ts';

const RESOLUTION_MS = 10;
const NANOS_PER_MS = 1e6;
const NANOS_PER_SECOND = 1e9;
const QUANTILES = [0.5, 0.99, 1] as const;

/** How much later than asked for the timer of the monitor ran, since it was last read. */
const eventLoopFamily = (monitor: IntervalHistogram): Family =>
  labelled(
    'gauge',
    'event_loop_delay_seconds',
    'How late the event loop of the matching thread was since the metrics were last read',
    () => {
      const delays = QUANTILES.map((quantile) => {
        // What is recorded is the time between two runs of the timer.
        const lateNanos = monitor.percentile(quantile * 100) - RESOLUTION_MS * NANOS_PER_MS;
        const labels = { quantile: String(quantile) };
        return [labels, Math.max(lateNanos, 0) / NANOS_PER_SECOND] as const;
      });
      monitor.reset();
      return delays;
    },
  );

/** A registry asks what is registered for its values by `get`. */
const metricOf = ({ name, help, type, samples }: Family): Metric => {
  const get = async () => ({ name, help, type, aggregator: 'sum', values: [...samples()] });
  // Safe: a registry reads the name and calls `get`, whose answer has the form that the package
  // declares; only the classes of the package have more. The tests read the whole text.
  return { name, get } as unknown as Metric;
};

let processRegistry: Registry | undefined;

/** Made once, for there is one process, whatever runs in it; collecting begins then. */
const processMetrics = (): Registry => {
  if (processRegistry === undefined) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
    const monitor = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    monitor.enable();
    processRegistry.registerMetric(metricOf(eventLoopFamily(monitor)));
  }
  return processRegistry;
};

export class Exposition {
  readonly #process = processMetrics();
  readonly #own = new Registry();

  constructor(families: readonly Family[]) {
    for (const family of families) this.#own.registerMetric(metricOf(family));
  }

  async text(): Promise<string> {
    return `${await this.#own.metrics()}\n${await this.#process.metrics()}`;
  }
}
