/**
 * The settings of an exchange. The command line makes them from flags, environment and file. No
 * other code reads the environment.
 */
import type { DiskModule, Funding } from '../../persistence/index.ts';
import type { LimitRules } from '../admission/limit-table.ts';
import type { OverloadBounds } from '../admission/overload.ts';
import type { OperatorList } from '../operators/operator-gate.ts';
import type { VenueProfile } from '../profiles/profile-schema.ts';
import type { LogLevel } from '../runtime/log.ts';
import type { SigningDomain } from '../signing/domains.ts';
import type { WalletFactory } from '../signing/wallets.ts';
import type { TlsFiles } from '../socket/socket-library.ts';
import type { ClusterSettings } from './cluster.ts';
import type { CollectorHeaders } from './collector-headers.ts';
import type { CrowdMode, CrowdModel } from './crowd.ts';

/** The default for resolutions: pay each holder on request, or all holders at once. */
export type RedemptionMode = 'on-request' | 'automatic';

/** Who opens the first account of an owner: anyone who signs for an API key, or the operator. */
export type NewOwners = 'anyone' | 'operator';

/** How often an owner gets play money from the faucet: as often as it asks, once, once a day. */
export type FaucetMode = 'open' | 'once' | 'daily' | 'off';
/** The most that one gift of the faucet may be: 100,000 units. */
export const MOST_GIFT_MICROS = 100_000_000_000;

/** Who sees the sandbox's explorer on the public listener. */
export type ExplorerMode = 'everyone' | 'operators';

/** Tracing (docs/tracing.md). */
export interface TracingSettings {
  /** The URL of a collector that speaks OTLP/HTTP with JSON. */
  readonly endpoint: string;
  /** The share of requests that are traced, from 0 to 1. */
  readonly share: number;
  /** Headers for the collector; their values are secrets. */
  readonly headers: CollectorHeaders;
}

export interface Settings {
  /** What makes the process a node of a cluster; absent: everything runs in this process. */
  readonly cluster?: ClusterSettings;
  /** Address and port of the public API; port 0 takes any free one. */
  readonly host: string;
  readonly port: number;
  /** If set, the public API speaks only TLS; otherwise plain HTTP. */
  readonly tls?: TlsFiles;
  /** Addresses and ranges of proxies whose X-Forwarded-For names the client. */
  readonly trustedProxies: readonly string[];
  readonly adminHost: string;
  readonly adminPort: number;
  /** The bearer token that all operators share; made at the first start if nothing is given. */
  readonly adminToken?: string;
  /** Operators with names, tokens and roles, in place of `adminToken`. */
  readonly operators?: OperatorList;
  readonly dataDir: string;
  /** Where the operator's backups are kept; absent: in a folder of the data folder. */
  readonly backupDir?: string;
  /** Uses a new folder instead of `dataDir` and removes it at the end; `--memory`, and tests. */
  readonly temporary: boolean;
  /** `paper`: each new account starts with play money; `ledger`: deposits only. */
  readonly funding: Funding;
  /** Play money of a new account under paper funding, in micros. */
  readonly paperMicros: number;
  readonly redemption: RedemptionMode;
  readonly newOwners: NewOwners;
  readonly faucet: FaucetMode;
  /** What the faucet gives at most, and by default where it is open. */
  readonly faucetMicros: number;
  readonly explorer: ExplorerMode;
  /** For production: only the operator binds deposit wallets, and secrets must be given. */
  readonly strict: boolean;
  /** The private keys of the dev accounts, which are public: /docs signs requests with them. */
  readonly devKeys: readonly string[];
  /** A catalog to load into an empty data folder instead of the built-in one. */
  readonly catalogFile?: string;
  /** Makes a new catalog if the data folder's own is lost, instead of refusing the start. */
  readonly replacesLostCatalog: boolean;
  /** The base URL of another catalog that is copied while the exchange runs. */
  readonly syncFrom?: string;
  /** The pause between two copies; 0 makes a single copy after the start. */
  readonly syncMs: number;
  /** Opens imported and copied markets at once, without the operator. */
  readonly tradesImported: boolean;
  /** EIP-712 domains that orders may be signed for (wire 3.2). */
  readonly domains: readonly SigningDomain[];
  /** How the addresses of wallets follow from those of their owners (wire 3.4). */
  readonly wallets: readonly WalletFactory[];
  /** Chains that credential requests may be signed for (wire 2.2). */
  readonly chainIds: readonly number[];
  readonly verifierThreads: number;
  /** How far a timestamp of auth headers may be from the server's clock (wire 2.4). */
  readonly authWindowMs: number;
  /** The longest time between two heartbeats (wire 1.7: 10 s and 5 s of grace). */
  readonly heartbeatWindowMs: number;
  /** The rules that venues change; its dialect is that of /ws/live too (wire 0.14). */
  readonly profile: VenueProfile;
  readonly rateLimits: LimitRules;
  /** What the simulated participants of a sandbox do in each market. */
  readonly crowd: CrowdMode;
  /** Their keys, their markets' characters and all they do follow from it. */
  readonly crowdSeed: number;
  /** Their orders and cancels a second, over all markets. */
  readonly crowdPace: number;
  readonly crowdModel: CrowdModel;
  /**
   * The interval of snapshots. 0: only at a stop. Infinity, for tests: never, and the follower
   * starts with the first audit.
   */
  readonly snapshotMs: number;
  readonly logLevel: LogLevel;
  /** Where traces of requests are sent, and of how many; absent for no tracing. */
  readonly tracing?: TracingSettings;
  /** Bounds of overload protection; changed by tests. */
  readonly overload: OverloadBounds;
  /** What the journal is written with; absent: SQLite on the disk of the data folder. */
  readonly journalDisk?: DiskModule;
  /** The clock, milliseconds since the epoch; injectable for tests. */
  readonly now: () => number;
  /** A clock that is never set, in ms since the process started; for rate limits and heartbeats. */
  readonly monotonicMs: () => number;
  /**
   * The most that `now` may move against `monotonicMs` between two readings. After a larger jump
   * orders are refused (runtime/clock.ts). Infinity for tests that set `now`.
   */
  readonly clockJumpMs: number;
}

/**
 * Whether the exchange has the sandbox: faults, time, checkpoints and more, for play money. A
 * cluster has none, because it moves the clock and the state of one process.
 */
export function isSandbox({
  funding,
  strict,
  cluster,
}: Pick<Settings, 'funding' | 'strict' | 'cluster'>): boolean {
  return funding === 'paper' && !strict && cluster === undefined;
}
