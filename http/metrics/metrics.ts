/** Everything that is counted and timed while the exchange runs; families.ts shows it. */
import { Counts } from '../codec/index.ts';
import { CommandMetrics } from './command-metrics.ts';
import { RequestMetrics } from './request-metrics.ts';

export class Metrics {
  readonly requests = new RequestMetrics();
  readonly commands = new CommandMetrics();
  /** Audits, by result: `ok` or `broken`. */
  readonly audits = new Counts();
  /** Broken invariants, found by an audit or after a command. */
  violations = 0;
  failedSnapshots = 0;
  /** Threads that went down, other than the journal's. */
  failedThreads = 0;
  failedCatalogWrites = 0;
}
