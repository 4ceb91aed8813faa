/**
 * Throttles the messages that tell a worker the newest durable seq: the first is sent at once, and
 * those within the next `intervalMs` as one, so that a busy exchange seldom wakes the worker and
 * gives it large steps. Invariant: the newest seq is sent in the end, unless `stop` comes first.
 * Bound: one timer.
 */
export class SeqThrottle {
  readonly #send: (seq: number) => void;
  readonly #intervalMs: number;
  #seq = 0;
  #sentSeq = 0;
  /** Runs since the last message; undefined when the interval has passed. */
  #timer: NodeJS.Timeout | undefined;

  constructor(send: (seq: number) => void, intervalMs: number) {
    this.#send = send;
    this.#intervalMs = intervalMs;
  }

  /** The newest seq, sent or not. */
  get seq(): number {
    return this.#seq;
  }

  advance(seq: number): void {
    this.#seq = seq;
    if (this.#timer === undefined) this.flush();
  }

  /** Sends the newest seq at once if `seq`, for which a request waits, was not sent yet. */
  flushFor(seq: number): void {
    if (seq > this.#sentSeq) this.flush();
  }

  /** Sends the newest seq at once, unless it was sent. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#sentSeq !== this.#seq) this.resend();
  }

  /**
   * Sends the newest seq at once, also if it was sent before, for a worker that has just started.
   */
  resend(): void {
    clearTimeout(this.#timer);
    this.#sentSeq = this.#seq;
    this.#send(this.#seq);
    this.#timer = setTimeout(() => this.flush(), this.#intervalMs).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
