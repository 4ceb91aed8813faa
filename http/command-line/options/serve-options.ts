/**
 * The options of the exchange itself: the one table that makes its command line, its variables,
 * its settings file, `config print` and the documentation (design 8).
 */
import { BOUNDS, micros } from '../../../engine/model/index.ts';
import type { LogLevel } from '../../api/index.ts';
import { microsText } from '../../codec/index.ts';
import {
  DEFAULT_SETTINGS,
  type Funding,
  type History1m,
  type PriceSideMeaning,
  type RedemptionMode,
} from '../../settings/index.ts';
import { parseSource } from '../../sync/index.ts';
import { DEV_KEYS } from './dev-keys.ts';
import {
  choiceKind,
  decimalKind,
  SWITCH,
  testedKind,
  textKind,
  textListKind,
  wholeKind,
  wholeListKind,
} from './option-kinds.ts';
import { type OptionTable, option, type ValuesOf } from './option-table.ts';

const MAX_PORT = 65_535;
const MAX_THREADS = 64;
const MAX_CHAINS = 16;
const MAX_PROXIES = 64;
const DAY_SECONDS = 86_400;
const MS_PER_SECOND = 1_000;
/** Units of collateral, read into micros. */
const AMOUNT = decimalKind({
  least: 0,
  most: BOUNDS.amountMicros,
  decimals: 6,
  print: (value) => microsText(micros(value)),
});
/** The base of another catalog's URLs. */
export const SOURCE_KIND = testedKind(
  'URL',
  (text) => parseSource(text) !== undefined,
  'a URL of HTTP or HTTPS without name, password and query, such as https://catalog.example',
);
const LOG_LEVELS: readonly LogLevel[] = [
  'trace',
  'debug',
  'info',
  'warn',
  'error',
  'fatal',
  'silent',
];
const FUNDINGS: readonly Funding[] = ['paper', 'ledger'];
const REDEMPTIONS: readonly RedemptionMode[] = ['on-request', 'automatic'];

/** Every command has these two. */
export const COMMON_OPTIONS = {
  help: option({
    flag: '--help',
    variable: '',
    key: '',
    kind: SWITCH,
    fallback: false,
    meaning: 'Print this and stop',
  }),
  version: option({
    flag: '--version',
    variable: '',
    key: '',
    kind: SWITCH,
    fallback: false,
    meaning: 'Print the version and stop',
  }),
} as const satisfies OptionTable;

const LISTENERS = {
  host: option({
    flag: '--host',
    variable: 'HOST',
    key: 'host',
    kind: textKind('ADDRESS'),
    fallback: DEFAULT_SETTINGS.host,
    meaning: 'Address of the public API',
  }),
  port: option({
    flag: '--port',
    variable: 'PORT',
    key: 'port',
    kind: wholeKind(0, MAX_PORT),
    fallback: DEFAULT_SETTINGS.port,
    meaning: 'Its port; 0 takes any free one',
  }),
  tlsCert: option<string | undefined>({
    flag: '--tls-cert',
    variable: 'TLS_CERT',
    key: 'tlsCert',
    kind: textKind('FILE'),
    fallback: undefined,
    fallbackText: 'none: plain HTTP',
    meaning: 'Certificate and its chain (PEM): the public API speaks TLS alone',
  }),
  tlsKey: option<string | undefined>({
    flag: '--tls-key',
    variable: 'TLS_KEY',
    key: 'tlsKey',
    kind: textKind('FILE'),
    fallback: undefined,
    fallbackText: 'none',
    meaning: 'Private key of the certificate (PEM, without passphrase)',
  }),
  trustProxy: option<readonly string[] | undefined>({
    flag: '--trust-proxy',
    variable: 'TRUST_PROXY',
    key: 'trustProxy',
    kind: textListKind('ADDRESS,ADDRESS', MAX_PROXIES, 'addresses or ranges such as 10.0.0.0/8'),
    fallback: undefined,
    fallbackText: 'none',
    meaning: 'Proxies whose X-Forwarded-For names the client that a request counts against',
  }),
  adminHost: option({
    flag: '--admin-host',
    variable: 'ADMIN_HOST',
    key: 'adminHost',
    kind: textKind('ADDRESS'),
    fallback: DEFAULT_SETTINGS.adminHost,
    meaning: "Address of the operator's API",
  }),
  adminPort: option({
    flag: '--admin-port',
    variable: 'ADMIN_PORT',
    key: 'adminPort',
    kind: wholeKind(0, MAX_PORT),
    fallback: DEFAULT_SETTINGS.adminPort,
    meaning: 'Its port; 0 takes any free one',
  }),
  adminToken: option<string | undefined>({
    flag: '--admin-token',
    variable: 'ADMIN_TOKEN',
    key: 'adminToken',
    kind: testedKind(
      'TOKEN',
      (text) => /^[!-~]{16,256}$/.test(text),
      '16 to 256 printable ASCII characters without spaces',
    ),
    fallback: undefined,
    fallbackText: 'made at the first start, kept in the data folder',
    meaning: "Bearer token of the operator's API",
    isSecret: true,
  }),
} as const satisfies OptionTable;

const STORE = {
  dataDir: option({
    flag: '--data',
    variable: 'DATA_DIR',
    key: 'dataDir',
    kind: textKind('FOLDER'),
    fallback: DEFAULT_SETTINGS.dataDir,
    meaning: 'The data folder',
  }),
  memory: option({
    flag: '--memory',
    variable: '',
    key: '',
    kind: SWITCH,
    fallback: false,
    meaning: 'Keep nothing: all data is gone when the exchange stops',
  }),
  catalog: option<string | undefined>({
    flag: '--catalog',
    variable: 'CATALOG',
    key: 'catalog',
    kind: textKind('FILE'),
    fallback: undefined,
    fallbackText: 'the built-in one',
    meaning: 'Catalog to load into an empty data folder (JSON)',
  }),
  syncFrom: option<string | undefined>({
    flag: '--sync-from',
    variable: 'SYNC_FROM',
    key: 'syncFrom',
    kind: SOURCE_KIND,
    fallback: undefined,
    fallbackText: 'none',
    meaning: 'Another catalog of this form that is copied while the exchange runs',
  }),
  syncSeconds: option({
    flag: '--sync-seconds',
    variable: 'SYNC_SECONDS',
    key: 'syncSeconds',
    kind: wholeKind(0, DAY_SECONDS),
    fallback: DEFAULT_SETTINGS.syncMs / MS_PER_SECOND,
    meaning: 'From the end of one copy to the next; 0: one copy, after the start',
  }),
  tradeImported: option({
    flag: '--trade-imported',
    variable: 'TRADE_IMPORTED',
    key: 'tradeImported',
    kind: SWITCH,
    fallback: DEFAULT_SETTINGS.tradesImported,
    meaning:
      "What an import or a sync brings is traded at once; else each market by the operator's word",
  }),
  snapshotSeconds: option({
    flag: '--snapshot-seconds',
    variable: 'SNAPSHOT_SECONDS',
    key: 'snapshotSeconds',
    kind: wholeKind(0, DAY_SECONDS),
    fallback: DEFAULT_SETTINGS.snapshotMs / MS_PER_SECOND,
    meaning: 'How often snapshots are made, which shorten starts; 0: only when it stops',
  }),
} as const satisfies OptionTable;

const MONEY = {
  funding: option({
    flag: '--funding',
    variable: 'FUNDING',
    key: 'funding',
    kind: choiceKind(FUNDINGS),
    fallback: DEFAULT_SETTINGS.funding,
    meaning: 'paper: new accounts start with play money; ledger: deposits only',
  }),
  paperAmount: option({
    flag: '--paper-amount',
    variable: 'PAPER_AMOUNT',
    key: 'paperAmount',
    kind: AMOUNT,
    fallback: DEFAULT_SETTINGS.paperMicros,
    meaning: 'Play money of a new account under paper funding, in units of collateral',
  }),
  redemption: option<RedemptionMode>({
    flag: '--redemption',
    variable: 'REDEMPTION',
    key: 'redemption',
    kind: choiceKind(REDEMPTIONS),
    fallback: DEFAULT_SETTINGS.redemption,
    meaning:
      'Who is paid when a market resolves, unless its resolution says it: on-request: accounts ' +
      'that ask for it; automatic: everybody',
  }),
  devAccounts: option({
    flag: '--dev-accounts',
    variable: 'DEV_ACCOUNTS',
    key: 'devAccounts',
    kind: wholeKind(0, DEV_KEYS.length),
    fallback: 10,
    meaning: 'Funded accounts with publicly known keys, printed with their credentials',
  }),
  forceDevAccounts: option({
    flag: '--force-public-dev-accounts',
    variable: '',
    key: '',
    kind: SWITCH,
    fallback: false,
    meaning: 'Allow the dev accounts on a host that others can reach',
  }),
  strict: option({
    flag: '--strict',
    variable: 'STRICT',
    key: 'strict',
    kind: SWITCH,
    fallback: DEFAULT_SETTINGS.strict,
    meaning:
      'Production: ledger funding, no dev accounts, all limited, --admin-token must be given',
  }),
} as const satisfies OptionTable;

/** Where orders may be signed for; `place-order` has it too. */
export const DOMAINS_OPTION = option<string | undefined>({
  flag: '--domains',
  variable: 'DOMAINS',
  key: 'domains',
  kind: textKind('FILE'),
  fallback: undefined,
  fallbackText: "the public clients' own",
  meaning: 'EIP-712 domains that orders may be signed for (JSON)',
});

const SIGNING = {
  domains: DOMAINS_OPTION,
  chainIds: option({
    flag: '--chain-ids',
    variable: 'CHAIN_IDS',
    key: 'chainIds',
    kind: wholeListKind(MAX_CHAINS),
    fallback: DEFAULT_SETTINGS.chainIds,
    meaning: 'Chains that requests for credentials may be signed for',
  }),
  authWindowSeconds: option({
    flag: '--auth-window-seconds',
    variable: 'AUTH_WINDOW_SECONDS',
    key: 'authWindowSeconds',
    kind: wholeKind(1, DAY_SECONDS),
    fallback: DEFAULT_SETTINGS.authWindowMs / MS_PER_SECOND,
    meaning: "How far the timestamp of a signed request may be from the server's clock",
  }),
  gtdLeadSeconds: option({
    flag: '--gtd-lead-seconds',
    variable: 'GTD_LEAD_SECONDS',
    key: 'gtdLeadSeconds',
    kind: wholeKind(0, DAY_SECONDS),
    fallback: DEFAULT_SETTINGS.gtdMinLeadSeconds,
    meaning: 'How far in the future a GTD order must expire',
  }),
  heartbeatWindowSeconds: option({
    flag: '--heartbeat-window-seconds',
    variable: 'HEARTBEAT_WINDOW_SECONDS',
    key: 'heartbeatWindowSeconds',
    kind: wholeKind(1, DAY_SECONDS),
    fallback: DEFAULT_SETTINGS.heartbeatWindowMs / MS_PER_SECOND,
    meaning: 'How long after a heartbeat all orders of its owner are cancelled',
  }),
  verifierThreads: option({
    flag: '--verifier-threads',
    variable: 'VERIFIER_THREADS',
    key: 'verifierThreads',
    kind: wholeKind(1, MAX_THREADS),
    fallback: DEFAULT_SETTINGS.verifierThreads,
    meaning: 'Threads that check the signatures of orders',
  }),
} as const satisfies OptionTable;

const PRICE_SIDES: readonly PriceSideMeaning[] = ['kuest', 'polymarket'];
const HISTORY_1M: readonly History1m[] = ['minute', 'month'];

const WIRE = {
  priceSideMeaning: option<PriceSideMeaning>({
    flag: '--price-side-meaning',
    variable: 'PRICE_SIDE_MEANING',
    key: 'priceSideMeaning',
    kind: choiceKind(PRICE_SIDES),
    fallback: 'kuest',
    meaning: 'Which best price GET /price?side=BUY gives: kuest the ask, polymarket the bid',
  }),
  history1m: option<History1m>({
    flag: '--history-1m',
    variable: 'HISTORY_1M',
    key: 'history1m',
    kind: choiceKind(HISTORY_1M),
    fallback: DEFAULT_SETTINGS.history1m,
    meaning: 'How far back interval=1m of a price history goes',
  }),
  clampsLimits: option({
    flag: '--clamp-limits',
    variable: 'CLAMP_LIMITS',
    key: 'clampLimits',
    kind: SWITCH,
    fallback: DEFAULT_SETTINGS.clampsLimits,
    meaning: "A list of the catalog takes a limit above 100 for 100 and doesn't refuse it",
  }),
  rateLimits: option({
    flag: '--rate-limits',
    variable: 'RATE_LIMITS',
    key: 'rateLimits',
    kind: {
      ...textKind('on|off|FILE'),
      must: 'on, off, or a file (JSON), read again at SIGHUP',
    },
    fallback: 'on',
    meaning: 'Limits of requests a client; those of this machine count only if a file says so',
  }),
} as const satisfies OptionTable;

const OUTPUT = {
  logLevel: option({
    flag: '--log-level',
    variable: 'LOG_LEVEL',
    key: 'logLevel',
    kind: choiceKind(LOG_LEVELS),
    fallback: DEFAULT_SETTINGS.logLevel,
    meaning: 'The least level that is logged, as JSON lines on standard error',
  }),
  json: option({
    flag: '--json',
    variable: '',
    key: '',
    kind: SWITCH,
    fallback: false,
    meaning: 'Print one line of JSON for programs instead of text for people',
  }),
  config: option<string | undefined>({
    flag: '--config',
    variable: 'CONFIG_FILE',
    key: '',
    kind: textKind('FILE'),
    fallback: undefined,
    fallbackText: 'none',
    meaning: 'Settings file: one JSON object with the keys of this table',
  }),
} as const satisfies OptionTable;

/** What `config print` shows: all that the exchange can be told. */
export const SERVE_SETTINGS = {
  ...LISTENERS,
  ...STORE,
  ...MONEY,
  ...SIGNING,
  ...WIRE,
  ...OUTPUT,
} as const satisfies OptionTable;

export const SERVE_OPTIONS = {
  ...SERVE_SETTINGS,
  ...COMMON_OPTIONS,
} as const satisfies OptionTable;

export type ServeValues = ValuesOf<typeof SERVE_OPTIONS>;
