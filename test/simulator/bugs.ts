/**
 * Bugs that can be planted to prove that the simulation finds them. They are in the simulated parts
 * around the exchange, not in the exchange.
 */
export const BUGS = [
  /** Answers are sent before the disk has what they show. */
  'answer_before_commit',
  /** Streams publish a batch when it is sealed, before its commit. */
  'publish_before_commit',
  /** Now and then a message of a stream is not sent. */
  'skip_a_message',
  /** At a crash the journal loses the fills of all commands with an even seq. */
  'lose_a_fill',
  /** An order that was accepted before is applied again under another id. */
  'apply_a_retry',
  /** The first two commands of a batch are swapped in the journal. */
  'swap_two_commands',
  /** At a crash the disk loses the last command whose commit it had confirmed. */
  'lying_disk',
] as const;

export type Bug = (typeof BUGS)[number];
