/**
 * What a replay can't do: the closed set of reasons, and the list of what was skipped, with lines.
 *
 * Bound: KEPT_FAULTS faults are kept and told as they happen; all of them are counted.
 */

/** Why something of a recording is not replayed, as the summary names it. */
export type FaultReason =
  | 'line_too_long'
  | 'line_malformed'
  | 'event_unknown'
  | 'message_malformed'
  | 'asset_unknown'
  | 'price_off_tick'
  | 'price_out_of_bounds'
  | 'size_out_of_bounds'
  | 'sequence_old'
  | 'book_crossed'
  | 'trade_not_possible'
  | 'terms_refused'
  | 'money_refused'
  | 'order_refused';

export interface ReplayFault {
  /** Number of the line in the file, from 1. */
  readonly line: number;
  readonly reason: FaultReason;
  readonly sentence: string;
}

const KEPT_FAULTS = 100;

/** Ends a replay with `--strict-replay`. */
export class ReplayStopped extends Error {}

export class FaultList {
  /** The first ones. */
  readonly kept: ReplayFault[] = [];
  readonly #counts = new Map<FaultReason, number>();
  readonly #isStrict: boolean;
  readonly #tell: (sentence: string) => void;
  #line = 0;

  constructor({ isStrict, tell }: { isStrict: boolean; tell: (sentence: string) => void }) {
    this.#isStrict = isStrict;
    this.#tell = tell;
  }

  /** The line that the next faults belong to. */
  beginLine(line: number): void {
    this.#line = line;
  }

  get total(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  /** How often each reason occurred. */
  counts(): Partial<Record<FaultReason, number>> {
    return Object.fromEntries(this.#counts);
  }

  add(reason: FaultReason, sentence: string): void {
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + 1);
    if (this.kept.length < KEPT_FAULTS) {
      this.kept.push({ line: this.#line, reason, sentence });
      this.#tell(`line ${this.#line}: ${sentence}`);
      if (this.kept.length === KEPT_FAULTS) this.#tell('further faults are only counted');
    }
    if (this.#isStrict) throw new ReplayStopped(`stopped at line ${this.#line}: ${sentence}`);
  }
}
