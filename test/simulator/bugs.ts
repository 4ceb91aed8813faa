/**
 * Faults that can be planted to see the simulation find them. None is in the exchange: they are in
 * the pieces that the simulation puts around it. What is proved is that each would be noticed.
 */
export const BUGS = [
  /** Answers come before the disk has what they show. */
  'answer_before_commit',
  /** Streams tell of a batch when it is sealed. */
  'publish_before_commit',
  /** Now and then a message of a stream is not sent. */
  'skip_a_message',
  /** A fill is gone from the journal at a start. */
  'lose_a_fill',
  /** An order that was accepted before is applied again under another id. */
  'apply_a_retry',
  /** Two commands of a batch are journaled in each other's place. */
  'swap_two_commands',
  /** At a crash the disk loses the last command that it had said it has. */
  'lying_disk',
  /** A snapshot misses the last command that it is said to show. */
  'stale_snapshot',
] as const;

export type Bug = (typeof BUGS)[number];
