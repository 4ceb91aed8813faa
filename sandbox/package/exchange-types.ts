/** The types of the npm package. */

declare global {
  // For `await using`; projects without that library of TypeScript have the types too.
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol;
  }
}

export interface ExchangeOptions {
  /** The data folder. Without it all data is in memory, and gone at the end. */
  readonly dataDir?: string;
  /** Any free one without it. */
  readonly port?: number;
  readonly adminPort?: number;
  /** Simulated traders: see docs/sandbox.md. Off without it. */
  readonly crowd?: 'off' | 'still' | 'live';
  /** More flags of `outcome-exchange --help`, such as `['--dev-accounts', '3']`. */
  readonly flags?: readonly string[];
  /** Gets each line of the log, which is JSON. */
  readonly onLog?: (line: string) => void;
}

/** An account with play money, and API credentials that are ready for use. */
export interface DevAccount {
  readonly address: string;
  readonly privateKey: string;
  readonly apiKey: string;
  readonly secret: string;
  readonly passphrase: string;
}

/** Which requests, sockets or trades a fault is for; without any key, all. */
export interface FaultMatch {
  readonly api_key?: string;
  readonly account?: string;
  readonly owner?: string;
  /** A condition id. */
  readonly market?: string;
  readonly method?: string;
  readonly path?: string;
  /** Part of a socket's User-Agent. */
  readonly user_agent?: string;
}

/** docs/sandbox.md lists the kinds with their parameters. */
export const FAULT_NAMES = [
  'closed_socket',
  'edge_page',
  'late_order',
  'lost_acknowledgement',
  'muted_socket',
  'not_executed',
  'pause_market',
  'post_only',
  'rate_limited',
  'resolve_market',
  'restart',
  'sequence_gap',
  'slow_answer',
  'stale_book',
  'tick_size_change',
  'too_early',
  'trade_status',
  'unavailable',
] as const;

export interface FaultRequest {
  readonly kind: (typeof FAULT_NAMES)[number];
  readonly match?: FaultMatch;
  readonly probability?: number;
  readonly count?: number;
  readonly skip?: number;
  readonly seed?: number;
  readonly after_seconds?: number;
  readonly for_seconds?: number;
  /** The kind's own parameters. */
  readonly [parameter: string]: unknown;
}

export interface FaultHit {
  /** The `x-request-id` of the answer; '' where no request was hit. */
  readonly request_id: string;
  readonly method: string;
  readonly path: string;
  readonly owner: string;
  readonly account: string;
  readonly market: string;
  /** The exchange's time, ISO 8601. */
  readonly time: string;
  /** What the fault did. */
  readonly done: string;
}

export interface Fault {
  readonly id: string;
  readonly kind: string;
  readonly state: 'waiting' | 'active' | 'spent' | 'over';
  readonly matched: number;
  readonly fired: number;
  readonly hits: readonly FaultHit[];
}

/** A state to return to. */
export interface Checkpoint {
  readonly id: string;
  /** '' for none. */
  readonly name: string;
  /** The last command that it has. */
  readonly seq: number;
  /** The exchange's time, ISO 8601. */
  readonly time: string;
}

/** Each method throws ExchangeError if the exchange refuses. */
export interface Exchange {
  /** The address of the public API, which clients take as their host. */
  readonly url: string;
  /** The address of the operator's API, and its bearer token. */
  readonly adminUrl: string;
  readonly adminToken: string;
  readonly pid: number;
  readonly accounts: readonly DevAccount[];
  readonly faults: {
    add(fault: FaultRequest): Promise<Fault>;
    list(): Promise<readonly Fault[]>;
    remove(id: string): Promise<Fault>;
    clear(): Promise<readonly Fault[]>;
  };
  readonly time: {
    /** Milliseconds since the epoch. */
    now(): Promise<number>;
    /** Moves the clock forward by seconds. Resolves with the new time in milliseconds. */
    advance(seconds: number): Promise<number>;
  };
  readonly checkpoints: {
    make(name?: string): Promise<Checkpoint>;
    list(): Promise<readonly Checkpoint[]>;
    restore(id: string): Promise<void>;
    remove(id: string): Promise<void>;
  };
  /** Gives play money to an account, in units of collateral, such as '100.5'. */
  faucet(address: string, amount: string): Promise<void>;
  /** Any request to the operator's API; `/openapi.json` of that listener lists them. */
  operator(method: string, path: string, body?: object): Promise<unknown>;
  /** Resolves when the exchange has ended. A second call waits for the same end. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
