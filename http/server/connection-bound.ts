/**
 * How many connections the listeners hold, so that the process never runs out of file descriptors:
 * without one the journal can't make its files, and the exchange stops.
 */

import { descriptorLimit } from '../../persistence/shared/index.ts';

/** Descriptors for files, databases, threads and connections to other servers. */
const RESERVED = 256;
/** Connections of the operator's listener, which public clients can't use up. */
const OPERATOR = 64;
/** A process that may open fewer files than this refuses to start. */
const FEWEST_DESCRIPTORS = 512;

export interface ConnectionBounds {
  readonly public: number;
  readonly operator: number;
}

/** Throws if the process may open too few files. */
export function connectionBounds(descriptors = descriptorLimit()): ConnectionBounds {
  if (descriptors < FEWEST_DESCRIPTORS) {
    throw new Error(
      `this process may open ${descriptors} files at once and needs ${FEWEST_DESCRIPTORS}: raise ` +
        'the limit with ulimit -n, or with LimitNOFILE of systemd',
    );
  }
  return { public: descriptors - RESERVED - OPERATOR, operator: OPERATOR };
}

export class Connections {
  /** How many may be open. */
  readonly most: number;
  readonly #onFull: (most: number) => void;
  #open = 0;
  #refused = 0;
  #isFull = false;

  /** `onFull` is called at the first refusal, and again only after a tenth was free between. */
  constructor(most: number, onFull: (most: number) => void) {
    this.most = most;
    this.#onFull = onFull;
  }

  get open(): number {
    return this.#open;
  }

  /** The number of connections that were refused because too many were open. */
  get refused(): number {
    return this.#refused;
  }

  /** Counts a new connection; false if it must be closed. `closed` follows either way. */
  opened(): boolean {
    this.#open += 1;
    if (this.#open <= this.most) return true;
    this.#refused += 1;
    if (!this.#isFull) this.#onFull(this.most);
    this.#isFull = true;
    return false;
  }

  closed(): void {
    this.#open -= 1;
    if (this.#open < this.most * 0.9) this.#isFull = false;
  }
}
