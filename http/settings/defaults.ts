import { OVERLOAD_BOUNDS } from '../bounds/sizes.ts';
import { DEFAULT_PROFILE } from '../profiles/profiles.ts';
import { DEFAULT_CROWD_MODEL } from './crowd.ts';
import type { Settings } from './settings.ts';

/** All defaults but `domains`, `wallets` and `rateLimits`: `--help` need not load their tables. */
export const DEFAULT_SETTINGS: Omit<Settings, 'domains' | 'wallets' | 'rateLimits'> = {
  host: '127.0.0.1',
  port: 8080,
  trustedProxies: [],
  adminHost: '127.0.0.1',
  adminPort: 8081,
  dataDir: './data',
  temporary: false,
  funding: 'paper',
  paperMicros: 10_000_000_000,
  redemption: 'on-request',
  newOwners: 'anyone',
  faucet: 'open',
  faucetMicros: 1_000_000_000,
  explorer: 'everyone',
  strict: false,
  devKeys: [],
  replacesLostCatalog: false,
  syncMs: 300_000,
  tradesImported: false,
  chainIds: [137, 80_002],
  verifierThreads: 1,
  authWindowMs: 300_000,
  heartbeatWindowMs: 15_000,
  profile: DEFAULT_PROFILE,
  // The command line has another default; tests, benchmarks and programs choose for themselves.
  crowd: 'off',
  crowdSeed: 1,
  crowdPace: 10,
  crowdModel: DEFAULT_CROWD_MODEL,
  snapshotMs: 300_000,
  logLevel: 'info',
  overload: OVERLOAD_BOUNDS,
  now: Date.now,
  monotonicMs: () => performance.now(),
  clockJumpMs: 60_000,
};
