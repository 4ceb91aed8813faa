/**
 * Counts the messages of one socket, or of all sockets of one network, in the current second.
 */
import { SECOND_MS } from '../../../engine/model/index.ts';

export class MessageCounter {
  #secondStartMs = Number.NEGATIVE_INFINITY;
  #messages = 0;

  /** Counts a message, and returns how many there were in this second. */
  count(nowMs: number): number {
    if (this.isSecondOver(nowMs)) {
      this.#secondStartMs = nowMs;
      this.#messages = 0;
    }
    this.#messages += 1;
    return this.#messages;
  }

  /** Adds the work that a message caused to the count, as a number of messages. */
  charge(messages: number): void {
    this.#messages += messages;
  }

  /** Whether the counted second is over. */
  isSecondOver(nowMs: number): boolean {
    return nowMs - this.#secondStartMs >= SECOND_MS;
  }
}
