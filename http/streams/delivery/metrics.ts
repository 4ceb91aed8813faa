/**
 * What is counted of the streams; families.ts shows it.
 */
import { Counts } from '../../codec/index.ts';

export class StreamMetrics {
  /** Messages published, each once whatever the number of its listeners. */
  published = 0;
  /** Sockets that the exchange closed, by code of close-codes.ts; `cut` for those without one. */
  readonly closed = new Counts();
  /** Messages of clients that were answered with an error, by its code. */
  readonly faults = new Counts();
  /** Requests to resume, by what came of them: `replayed` or `snapshot`. */
  readonly resumes = new Counts();
}
