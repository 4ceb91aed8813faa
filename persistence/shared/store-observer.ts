/**
 * What the store tells whoever counts and measures it. Invariant: without an observer nothing is
 * timed and nothing is made.
 */
import { type Command, type EngineEvent, isChange } from '../../engine/model/index.ts';

/** Called on the matching thread: it must be quick, and what it throws stops the exchange. */
export interface StoreObserver {
  /**
   * A command was applied. `outcome` is `changed`, `unchanged` (nothing was there to do), `known`,
   * `duplicate`, or the code of the reject. `durationMs` is the engine's part alone.
   */
  applied(kind: Command['kind'], outcome: string, durationMs: number): void;
  /** A batch is durable: `durationMs` from the moment when it was handed to the journal. */
  committed(commands: number, durationMs: number): void;
  /** A command is answered: `queuedMs` from the moment when it was taken. */
  answered?(queuedMs: number): void;
}

/** What became of a command in one word. What is due may happen beside a refusal of it. */
export function outcomeOf(events: readonly EngineEvent[]): string {
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
