/** Counters of the streams, which http/metrics shows. */
import { Counts } from '../../codec/index.ts';

export class StreamMetrics {
  /** Messages published; each counts once, not once for each listener. */
  published = 0;
  /**
   * Sockets that the exchange closed, by code of close-codes.ts; `cut` if without a code, `fault`
   * if by a fault of the sandbox.
   */
  readonly closed = new Counts();
  /** Client messages that were answered with an error, by error code. */
  readonly faults = new Counts();
  /** Resumes, by their answer: `replayed` or `snapshot`. */
  readonly resumes = new Counts();

  noteResume(isReplayed: boolean): void {
    this.resumes.add(isReplayed ? 'replayed' : 'snapshot');
  }
}
