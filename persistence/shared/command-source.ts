/**
 * Where the commands of an open exchange come from. The `Sequencer` leads: it gives commands their
 * seq and time. A `ReplicaSource` follows: it applies the commands that the core has made durable,
 * and passes new ones on to the core. A node that takes over swaps one for the other, and all other
 * parts of the exchange stay open.
 */
import type { Command } from '../../engine/index.ts';
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
