/**
 * Everything that is counted and timed while the exchange runs; what shows it is exposition.ts.
 */

import { Counts } from '../codec/index.ts';
import { CommandMetrics } from './command-metrics.ts';
import { RequestMetrics } from './request-metrics.ts';

export class Metrics {
  readonly requests = new RequestMetrics();
  readonly commands = new CommandMetrics();
  /** Checks of the whole state, by result: `ok` or `broken`. */
  readonly audits = new Counts();
  /** Invariants found broken, by those checks or after a command, which then stops the process. */
  violations = 0;
  failedSnapshots = 0;
}
