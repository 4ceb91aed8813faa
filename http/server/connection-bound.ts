/**
 * How many connections the listeners hold, so that the process never runs out of file descriptors:
 * without one the journal can't make its files, and the exchange stops.
 */

/** Descriptors for files, databases, threads and connections to other servers. */
const RESERVED = 256;
/** Connections of the operator's listener, which clients of the public one can't take. */
const OPERATOR = 64;
/** A process that may open fewer files than this can't serve anybody. */
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

/** The limit of the system. Node raises the soft limit to the hard one when it starts. */
function descriptorLimit(): number {
  // Its types lack what is used here.
  const report: { getReport(): object; excludeNetwork?: boolean } = process.report;
  // Or it looks up the names of all peers.
  report.excludeNetwork = true;
  const { userLimits } = report.getReport() as Report;
  const limit = userLimits?.open_files.soft;
  return typeof limit === 'number' ? limit : Number.POSITIVE_INFINITY;
}

interface Report {
  /** Not on Windows. */
  readonly userLimits?: { readonly open_files: { readonly soft: number | 'unlimited' } };
}

/** The open connections of one listener. */
export class Connections {
  readonly #most: number;
  readonly #onFull: (most: number) => void;
  #open = 0;
  #refused = 0;
  #isFull = false;

  /** Calls `onFull` when connections begin to be refused, once until there is room again. */
  constructor(most: number, onFull: (most: number) => void) {
    this.#most = most;
    this.#onFull = onFull;
  }

  get open(): number {
    return this.#open;
  }

  /** How many were closed because there were too many. */
  get refused(): number {
    return this.#refused;
  }

  /** Counts one that opened; false if it must be closed. `closed` follows either way. */
  opened(): boolean {
    this.#open += 1;
    if (this.#open <= this.#most) return true;
    this.#refused += 1;
    if (!this.#isFull) this.#onFull(this.#most);
    this.#isFull = true;
    return false;
  }

  closed(): void {
    this.#open -= 1;
    if (this.#open < this.#most * 0.9) this.#isFull = false;
  }
}
