/**
 * How many messages came within a second, of one socket or of all sockets of one network.
 *
 * Bound: two numbers.
 */
const MS_PER_SECOND = 1_000;

export class MessageCounter {
  #secondStartMs = Number.NEGATIVE_INFINITY;
  #messages = 0;

  /** Counts a message, and gives how many there were in this second. */
  count(nowMs: number): number {
    if (this.isPast(nowMs)) {
      this.#secondStartMs = nowMs;
      this.#messages = 0;
    }
    this.#messages += 1;
    return this.#messages;
  }

  /** Counts what a message made us do as so many messages more. */
  charge(messages: number): void {
    this.#messages += messages;
  }

  /** Whether the second in which it counted is over. */
  isPast(nowMs: number): boolean {
    return nowMs - this.#secondStartMs >= MS_PER_SECOND;
  }
}
