/**
 * Tells a thread of the newest durable seq, not of each: what comes within a pace of the last word
 * is told together, so that a busy exchange wakes the thread seldom and its steps are large, and a
 * quiet one tells at once. Invariant: the last seq is told in the end, unless the end came first;
 * `now` leaves nothing untold. Bound: one timer.
 */
export class SeqThrottle {
  readonly #tell: (seq: number) => void;
  readonly #paceMs: number;
  #seq = 0;
  #toldSeq = 0;
  /** Since the last word; undefined when the pace has passed. */
  #timer: NodeJS.Timeout | undefined;

  constructor(tell: (seq: number) => void, paceMs: number) {
    this.#tell = tell;
    this.#paceMs = paceMs;
  }

  /** Of what was told and of what was not. */
  get seq(): number {
    return this.#seq;
  }

  advance(seq: number): void {
    this.#seq = seq;
    if (this.#timer === undefined) this.flush();
  }

  /** For somebody who waits for `seq`, unless that was told already. */
  flushFor(seq: number): void {
    if (seq > this.#toldSeq) this.flush();
  }

  /** Also where there is nothing new, for a thread that is new itself: `isAnew`. */
  flush(isAnew = false): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#toldSeq === this.#seq && !isAnew) return;
    this.#toldSeq = this.#seq;
    this.#tell(this.#seq);
    this.#timer = setTimeout(() => this.flush(), this.#paceMs).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
