/**
 * Where the commands of an open exchange come from. The `Sequencer` leads: it gives commands their
 * seq and time. A `ReplicaSource` follows: it applies the commands that the core has made durable,
 * and passes new ones on to the core. A node that takes over swaps one for the other, and all other
 * parts of the exchange stay open.
 */
import { type Command, type EngineEvent, isChange } from '../../engine/model/index.ts';
import type { Applied } from './records.ts';

export interface CommandSource {
  /** As `Exchange.submit`. */
  submit(command: Command, evidence: unknown): Promise<Applied>;
  /** Calls `view` and answers with its result when everything that it shows is durable. */
  read<View>(view: () => View): Promise<View>;
  /** The last change that the engine of this process applied. */
  readonly appliedSeq: number;
  /** The time of the last command. */
  readonly appliedMs: number;
  /** The last change that is known to be durable. */
  readonly durableSeq: number;
  /** Whether commands are accepted. */
  readonly isOpen: boolean;
  readonly hasFailed: boolean;
  /** Commands and reads that are not answered. */
  readonly waitingCount: number;
  /** The sandbox is about to move the clock. Throws as `submit` rejects. */
  expectMovedClock(): void;
  /** Accepts no more commands; resolves when all accepted ones are durable or have failed. */
  drain(): Promise<void>;
  /** From now on nothing is answered. */
  fail(error: Error): void;
}

/** The answer to a command with the steps that worked it off, its own first. */
export function joinSteps(steps: readonly [Applied, ...Applied[]]): Applied {
  const [first] = steps;
  if (steps.length === 1) return first;
  return { ...first, steps };
}

// The hook through which metrics count and time commands and commits. Invariant: without an
// observer nothing is timed or allocated.

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
