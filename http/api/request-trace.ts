/**
 * The interfaces through which a request is traced: the server begins and ends a trace, and the
 * parts that the request passes note the stages in it. Times are those of `performance.now()`.
 *
 * Invariant: a request that is not traced has no trace, so it costs one comparison at each stage.
 */
import type { Command } from '../../engine/index.ts';
import type { Applied } from '../../persistence/index.ts';

export interface Tracer {
  /**
   * The trace of a request that has arrived; undefined if the request is not sampled. `parent`
   * reads the header `traceparent`, which must be done before the request's memory is reused.
   */
  begin(requestId: string, arrivedMs: number, parent: () => string): RequestTrace | undefined;
}

/** What happens to a request before its handler runs, in this order. */
export type IntakeStage = 'admission' | 'body' | 'authentication' | 'validation';

/** The check of an order by a verifier thread. */
export interface VerifierTimes {
  /** When it was queued. */
  readonly queuedMs: number;
  /** When the thread worked on the message with the order; absent if the thread died. */
  readonly work?: { readonly startMs: number; readonly endMs: number } | undefined;
  readonly endMs: number;
}

/** The part of a route's definition that traces show. */
export interface TracedRoute {
  readonly method: string;
  /** Its pattern. */
  readonly path: string;
}

export interface WrittenAnswer {
  readonly status: number;
  /** The code of an error; '' for a success. */
  readonly code: string;
  /** When writing the answer began, and when it ended. */
  readonly startMs: number;
  readonly endMs: number;
}

export interface RequestTrace {
  /** The request's route was found. */
  routed(route: TracedRoute): void;
  /** A stage ended now. It began when the one before it ended. */
  passed(stage: IntakeStage): void;
  verified(times: VerifierTimes): void;
  /** A prepared write waited for earlier writes of its owner. */
  waited(startMs: number, endMs: number): void;
  /** Calls `submit`, which submits the command, and notes its way through engine and journal. */
  follow(command: Command, submit: () => Promise<Applied>): Promise<Applied>;
  /** The answer was written: the trace ends. */
  answered(answer: WrittenAnswer): void;
  /** The client left. The trace ends, or goes on while the request's handler runs. */
  left(): void;
  /** The request ended without an answer. */
  unanswered(): void;
}
