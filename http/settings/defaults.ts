import { DEFAULT_RULES } from '../admission/index.ts';
import { OVERLOAD_BOUNDS } from '../bounds/index.ts';
import { DEFAULT_DOMAINS } from '../signing/index.ts';
import type { Settings } from './settings.ts';

/** The settings of an exchange for which nothing is set. */
export const DEFAULT_SETTINGS: Settings = {
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
  strict: false,
  syncMs: 300_000,
  tradesImported: false,
  domains: DEFAULT_DOMAINS,
  chainIds: [137, 80_002],
  verifierThreads: 1,
  gtdMinLeadSeconds: 60,
  authWindowMs: 300_000,
  heartbeatWindowMs: 15_000,
  priceSideMeaning: 'kuest',
  history1m: 'minute',
  clampsLimits: false,
  rateLimits: DEFAULT_RULES,
  snapshotMs: 300_000,
  logLevel: 'info',
  overload: OVERLOAD_BOUNDS,
  journalDelayMs: 0,
  now: Date.now,
  monotonicMs: () => performance.now(),
  clockJumpMs: 60_000,
};
