/**
 * How long the log has been silent, as a standby sees it that reads the log again and again: the
 * time between the first and the last of several looks that found the same newest entry, each
 * answered quickly. A slow or failed look says that etcd is in trouble, and not that the core is
 * gone: the count begins anew.
 */
export interface SilenceOptions {
  /** From this duration on, the log is silent. */
  readonly silentMs: number;
  /** A look that took longer does not count. */
  readonly slowMs: number;
}

export class LogSilence {
  readonly #options: SilenceOptions;
  #number: number | undefined;
  #sinceMs = 0;

  constructor(options: SilenceOptions) {
    this.#options = options;
  }

  /** The next look is the first one. */
  reset(): void {
    this.#number = undefined;
  }

  /** A look found `number` as the newest entry. Returns whether the log has been silent so long. */
  note(number: number, startedMs: number, endedMs: number): boolean {
    const { silentMs, slowMs } = this.#options;
    if (endedMs - startedMs > slowMs) {
      this.reset();
      return false;
    }
    if (this.#number !== number) {
      this.#number = number;
      // The entry may have been written up to the end of this look, but not after it.
      this.#sinceMs = endedMs;
      return false;
    }
    return startedMs - this.#sinceMs >= silentMs;
  }
}
