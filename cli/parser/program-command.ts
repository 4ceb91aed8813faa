/** A command that brings what it does: how commands of plots join the program. */
import type { DocumentedCommand } from './help.ts';
import type { ReadText } from './named-files.ts';
import type { Sources } from './resolve-options.ts';

/** Where the progress of long work is shown. */
export interface ProgressOptions {
  readonly isTerminal: boolean;
  readonly write: (text: string) => void;
  /** A monotonic clock in milliseconds. */
  readonly nowMs: () => number;
}

export interface CommandRun {
  readonly sources: Sources;
  readonly operands: readonly string[];
  /** The version of this program. */
  readonly version: string;
  readonly readText: ReadText;
  /** Tells a person something on the way, apart from the result. */
  readonly tell: (sentence: string) => void;
  readonly progress: ProgressOptions;
}

export interface CommandResult {
  readonly text: string;
  /** Whether the process exits with 0. */
  readonly ok: boolean;
}

export interface ProgramCommand extends DocumentedCommand {
  /** Loads what runs the command. It throws `UsageError`, or an Error with a complete message. */
  load(): Promise<(run: CommandRun) => Promise<CommandResult>>;
}
