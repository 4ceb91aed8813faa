/**
 * What can be set. The composition root makes one record of it from flags, environment and file;
 * tests take `TEST_SETTINGS` and override what they need. Nothing else reads the environment.
 */
import type { JournalFault } from '../../persistence/index.ts';
import type { LimitRules, OverloadBounds } from '../admission/index.ts';
import type { LogLevel } from '../api/index.ts';
import type { SigningDomain } from '../signing/index.ts';
import type { TlsFiles } from '../socket/index.ts';

export type Funding = 'paper' | 'ledger';
/** What `side=BUY` asks for in /price and /prices: the best ask (`kuest`) or bid (wire 11.3). */
export type PriceSideMeaning = 'kuest' | 'polymarket';
/** What `interval=1m` of a price history is: two families of clients differ (wire 11.33). */
export type History1m = 'minute' | 'month';
/** Who is paid by a resolution that does not say it: who asks for it, or everybody. */
export type RedemptionMode = 'on-request' | 'automatic';

export interface Settings {
  /** Address and port of the public API; port 0 takes any free one. */
  readonly host: string;
  readonly port: number;
  /** The public API speaks TLS alone; without it, plain HTTP. */
  readonly tls?: TlsFiles;
  /** Addresses and ranges of proxies whose X-Forwarded-For names the client. */
  readonly trustedProxies: readonly string[];
  readonly adminHost: string;
  readonly adminPort: number;
  /** The operator's bearer token; made at the first start and kept when it is not given. */
  readonly adminToken?: string;
  readonly dataDir: string;
  /** The data folder is removed when the exchange closes; for tests. */
  readonly temporary: boolean;
  /** `paper`: each new account starts with play money; `ledger`: deposits only. */
  readonly funding: Funding;
  /** Play money of a new account under paper funding, in micros. */
  readonly paperMicros: number;
  readonly redemption: RedemptionMode;
  /** Production: deposit wallets are bound by the operator alone, secrets must be given. */
  readonly strict: boolean;
  /** A catalog to load into an empty data folder instead of the built-in one. */
  readonly catalogFile?: string;
  /** Another catalog of this form that is copied while the exchange runs: the base of its URLs. */
  readonly syncFrom?: string;
  /** From the end of one copy to the beginning of the next; 0: one, after the start. */
  readonly syncMs: number;
  /** What an import or a sync brings is traded at once, not by the operator's word. */
  readonly tradesImported: boolean;
  /** EIP-712 domains that orders may be signed for (wire 3.2). */
  readonly domains: readonly SigningDomain[];
  /** Chains that credential requests may be signed for (wire 2.2). */
  readonly chainIds: readonly number[];
  readonly verifierThreads: number;
  /** How far in the future the expiration of a GTD order must lie (wire 5.2). */
  readonly gtdMinLeadSeconds: number;
  /** How far a timestamp of auth headers may be from the server's clock (wire 2.4). */
  readonly authWindowMs: number;
  /** How long after a heartbeat the next one is waited for (wire 1.7: 10 s and 5 s of grace). */
  readonly heartbeatWindowMs: number;
  readonly priceSideMeaning: PriceSideMeaning;
  readonly history1m: History1m;
  /** A `limit` above a catalog list's most is taken for that, not refused (wire 11.24). */
  readonly clampsLimits: boolean;
  readonly rateLimits: LimitRules;
  /**
   * The longest a change waits for a snapshot to show it; 0: they are made at a stop alone.
   * Infinity, for tests: none, and the follower is started by the first audit.
   */
  readonly snapshotMs: number;
  readonly logLevel: LogLevel;
  /** From when on new orders are refused; for tests that bring that about. */
  readonly overload: OverloadBounds;
  /** Added to each commit of the journal; for tests that look at what a slow disk hides. */
  readonly journalDelayMs: number;
  /** What goes wrong at the journal's disk, or with its thread; for tests. */
  readonly journalFault?: JournalFault;
  /** The clock, milliseconds since the epoch; injectable for tests. */
  readonly now: () => number;
  /** A clock that is never set, in ms since the process started; for rate limits and heartbeats. */
  readonly monotonicMs: () => number;
  /**
   * The most that the first may move against the second from one look to the next: beyond that no
   * orders are taken (clock.ts). Infinity for tests that set it as they like.
   */
  readonly clockJumpMs: number;
}
