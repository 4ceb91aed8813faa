/**
 * Shows metrics in the text format of Prometheus. The one file that imports `prom-client`, for the
 * metrics of the process itself.
 *
 * Invariant: nothing is counted here; each number is read when somebody asks.
 */
import { collectDefaultMetrics, Registry } from 'prom-client';
import { type Family, familyText } from './family.ts';

let processRegistry: Registry | undefined;

/** Made once, for there is one process, whatever runs in it; collecting begins then. */
function processMetrics(): Registry {
  if (processRegistry === undefined) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
  }
  return processRegistry;
}

export class Exposition {
  readonly #families: readonly Family[];
  readonly #process = processMetrics();

  constructor(families: readonly Family[]) {
    this.#families = families;
  }

  async text(): Promise<string> {
    const ofProcess = await this.#process.metrics();
    return `${this.#families.map(familyText).join('\n')}\n${ofProcess}`;
  }
}
