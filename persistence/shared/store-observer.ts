/**
 * The hook through which metrics count and time commands and commits. Invariant: without an
 * observer nothing is timed or allocated.
 */
import { type Command, type EngineEvent, isChange } from '../../engine/model/index.ts';

/** Called on the matching thread: it must be quick, and an error that it throws is fatal. */
export interface StoreObserver {
  /**
   * A command was applied. `outcome` is `changed`, `unchanged` (there was nothing to do), `known`,
   * `duplicate` or a reject code. `durationMs` is the time in the engine.
   */
  applied(command: Pick<Command, 'kind'>, outcome: string, durationMs: number): void;
  /** A batch became durable `durationMs` after it was sent to the journal. */
  committed(commands: number, durationMs: number): void;
  /** A command was answered `queuedMs` after it was taken. */
  answered?(queuedMs: number): void;
}

/** The outcome in one word. A reject is reported even if due events changed something as well. */
export function commandOutcome(events: readonly EngineEvent[]): string {
  const answer = events.find((event) => !isChange(event));
  switch (answer?.kind) {
    case undefined:
      return events.length === 0 ? 'unchanged' : 'changed';
    case 'rejected':
      return answer.code;
    case 'order_duplicate':
      return 'duplicate';
    default:
      return 'known';
  }
}
