/** The text of `GET /metrics`, in the text format of Prometheus. */
import { collectDefaultMetrics, type Metric, Registry } from 'prom-client';

let processRegistry: Registry | undefined;

/** Metrics of the process. A process has one registry of them, even if it runs two exchanges. */
function processMetrics(): Registry {
  if (processRegistry === undefined) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
  }
  return processRegistry;
}

export class Exposition {
  readonly #registry = new Registry();
  readonly #process = processMetrics();

  constructor(metrics: readonly Metric[]) {
    for (const metric of metrics) this.#registry.registerMetric(metric);
  }

  async text(): Promise<string> {
    return `${await this.#registry.metrics()}\n${await this.#process.metrics()}`;
  }
}
