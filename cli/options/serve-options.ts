/** The options of the exchange itself. `config print` shows them with the values in effect. */
import { BOUNDS, SECOND_MS } from '../../engine/model/index.ts';
import { isOperatorToken, parseBaseUrl, TOKEN_WORDS } from '../../http/codec/index.ts';
import { PROFILES } from '../../http/profiles/profiles.ts';
import type { LogLevel } from '../../http/runtime/log.ts';
import { HEADERS_WORDS, parseCollectorHeaders } from '../../http/settings/collector-headers.ts';
import { CROWD_MODES, type CrowdMode, MOST_CROWD_PACE } from '../../http/settings/crowd.ts';
import { DEFAULT_SETTINGS } from '../../http/settings/defaults.ts';
import {
  type ExplorerMode,
  type FaucetMode,
  MOST_GIFT_MICROS,
  type NewOwners,
  type RedemptionMode,
} from '../../http/settings/settings.ts';
import type { Funding } from '../../persistence/index.ts';
import {
  choiceKind,
  decimalKind,
  SWITCH,
  testedKind,
  textKind,
  textListKind,
  wholeKind,
  wholeListKind,
} from '../parser/kinds.ts';
import {
  flagTable,
  option,
  optional,
  settingTable,
  type ValuesOf,
} from '../parser/option-table.ts';
import { CLUSTER } from './cluster-options.ts';
import { DEV_KEYS } from './dev-keys.ts';

const MAX_PORT = 65_535;
const MAX_THREADS = 64;
const MAX_CHAINS = 16;
const MAX_PROXIES = 64;
const DAY_SECONDS = 86_400;

const FILE = textKind('FILE');
const ADDRESS = textKind('ADDRESS');
/** Units of collateral, read into micros. */
const AMOUNT = decimalKind(0, BOUNDS.amountMicros, 6);
const FAUCET_AMOUNT = decimalKind(1, MOST_GIFT_MICROS, 6);
const TOKEN = testedKind('TOKEN', isOperatorToken, TOKEN_WORDS);
export const BASE_URL = testedKind(
  'URL',
  (text) => parseBaseUrl(text) !== undefined,
  'an HTTP or HTTPS URL without name, password and query, such as https://exchange.example',
);
function hasCollectorHeaders(text: string): boolean {
  try {
    parseCollectorHeaders(text);
    return true;
  } catch {
    // What is wrong could show a part of a secret in the words of the option.
    return false;
  }
}

const FUNDINGS: readonly Funding[] = ['paper', 'ledger'];
const NEW_OWNERS: readonly NewOwners[] = ['anyone', 'operator'];
const FAUCETS: readonly FaucetMode[] = ['open', 'once', 'daily', 'off'];
const EXPLORERS: readonly ExplorerMode[] = ['everyone', 'operators'];
const REDEMPTIONS: readonly RedemptionMode[] = ['on-request', 'automatic'];
const LOG_LEVELS: readonly LogLevel[] = [
  'trace',
  'debug',
  'info',
  'warn',
  'error',
  'fatal',
  'silent',
];

/** The options of every command. */
export const COMMON_OPTIONS = flagTable({
  help: option(SWITCH, false, 'Print this help and exit'),
  version: option(SWITCH, false, 'Print the version and exit'),
});

const LISTENERS = settingTable({
  host: option(ADDRESS, DEFAULT_SETTINGS.host, 'Address that the public API listens on'),
  port: option(
    wholeKind(0, MAX_PORT),
    DEFAULT_SETTINGS.port,
    'Port of the public API; 0 takes any free port',
  ),
  tlsCert: optional(FILE, 'Certificate chain (PEM); the public API then speaks TLS only', {
    fallbackText: 'none: plain HTTP',
    needs: 'tlsKey',
  }),
  tlsKey: optional(FILE, 'Private key of the certificate (PEM, without a passphrase)', {
    fallbackText: 'none',
    needs: 'tlsCert',
  }),
  trustProxy: optional(
    textListKind('ADDRESS,ADDRESS', MAX_PROXIES, 'addresses or ranges such as 10.0.0.0/8'),
    'Proxies whose X-Forwarded-For names the client, and X-Forwarded-Proto whether it uses TLS',
    { fallbackText: 'none' },
  ),
  adminHost: option(
    ADDRESS,
    DEFAULT_SETTINGS.adminHost,
    "Address that the operator's API listens on",
  ),
  adminPort: option(
    wholeKind(0, MAX_PORT),
    DEFAULT_SETTINGS.adminPort,
    "Port of the operator's API; 0 takes any free port",
  ),
  adminToken: optional(TOKEN, "Bearer token of the operator's API", {
    fallbackText: 'created at the first start, kept in the data folder',
    isSecret: true,
    states: 'operators',
  }),
  adminTokenFile: optional(FILE, 'File with that token, which SIGHUP reads again', {
    fallbackText: 'none',
    states: 'operators',
  }),
  operators: optional(
    FILE,
    'Operators with names, tokens and roles (JSON) in place of one token; SIGHUP reads it again',
    { fallbackText: 'none', states: 'operators' },
  ),
});

const FLAG_ONLY = { variable: '', key: '' } as const;

const STORE = settingTable({
  dataDir: option(textKind('FOLDER'), DEFAULT_SETTINGS.dataDir, 'The data folder', {
    flag: '--data',
  }),
  backupDir: optional(
    textKind('FOLDER'),
    "Existing folder for the backups that the operator's API makes, of this exchange alone",
    { fallbackText: 'backups in the data folder' },
  ),
  memory: option(
    SWITCH,
    false,
    'Keep all data in memory; it is gone when the exchange stops',
    FLAG_ONLY,
  ),
  catalog: optional(FILE, 'Catalog to load into an empty data folder (JSON)', {
    fallbackText: 'the built-in one; none with ledger funding',
  }),
  replaceLostCatalog: option(
    SWITCH,
    DEFAULT_SETTINGS.replacesLostCatalog,
    "Make a new catalog if the data folder's own is lost; otherwise the start is refused",
    FLAG_ONLY,
  ),
  syncFrom: optional(BASE_URL, 'Another catalog to copy repeatedly while the exchange runs', {
    fallbackText: 'none',
  }),
  syncSeconds: option(
    wholeKind(0, DAY_SECONDS),
    DEFAULT_SETTINGS.syncMs / SECOND_MS,
    'Pause between two syncs with --sync-from; 0 syncs once, after the start',
  ),
  tradeImported: option(
    SWITCH,
    DEFAULT_SETTINGS.tradesImported,
    'Open imported markets for trading at once; otherwise the operator opens each of them',
  ),
  snapshotSeconds: option(
    wholeKind(0, DAY_SECONDS),
    DEFAULT_SETTINGS.snapshotMs / SECOND_MS,
    'Interval between snapshots, which shorten starts; 0 writes one only when the exchange stops',
  ),
});

const MONEY = settingTable({
  funding: option(
    choiceKind(FUNDINGS),
    DEFAULT_SETTINGS.funding,
    'paper: new accounts start with play money; ledger: accounts get money by deposits only',
    { strict: 'ledger' },
  ),
  paperAmount: option(
    AMOUNT,
    DEFAULT_SETTINGS.paperMicros,
    'Play money of a new account under paper funding, in units of collateral',
  ),
  redemption: option(
    choiceKind(REDEMPTIONS),
    DEFAULT_SETTINGS.redemption,
    'Default for resolutions. on-request: accounts are paid when they redeem their tokens; ' +
      'automatic: all accounts are paid at once',
  ),
  newOwners: option(
    choiceKind(NEW_OWNERS),
    DEFAULT_SETTINGS.newOwners,
    'Who may get a first API key. anyone: whoever signs for it; operator: only owners for whom ' +
      'the operator opened an account',
  ),
  devAccounts: option(
    wholeKind(0, DEV_KEYS.length),
    10,
    'Number of funded accounts with publicly known keys; their credentials are printed',
    { strict: 0 },
  ),
  forcePublicDevAccounts: option(
    SWITCH,
    false,
    'Allow the dev accounts on a host that other machines can reach',
    FLAG_ONLY,
  ),
  strict: option(
    SWITCH,
    DEFAULT_SETTINGS.strict,
    'Production: ledger funding, no dev accounts, no built-in catalog, rate limits for all ' +
      'clients; needs a given token',
  ),
});

/** A seed of 32 bits. */
const MAX_SEED = 4_294_967_295;

/** What exists for play money only. */
const SANDBOX = settingTable({
  crowd: option<CrowdMode>(
    choiceKind(CROWD_MODES),
    'live',
    'Simulated participants. off: none; still: they quote once in each book; live: they ' +
      'trade while somebody watches, and a minute longer',
  ),
  crowdSeed: option(
    wholeKind(0, MAX_SEED),
    DEFAULT_SETTINGS.crowdSeed,
    'Seed of the crowd: the same seed and the same requests give the same orders',
  ),
  crowdPace: option(
    wholeKind(1, MOST_CROWD_PACE),
    DEFAULT_SETTINGS.crowdPace,
    'Orders and cancels that the crowd sends in a second, over all markets',
  ),
  faucet: option(
    choiceKind(FAUCETS),
    DEFAULT_SETTINGS.faucet,
    'Who gets play money by POST /faucet. open: everybody, as often as they ask; once, daily: ' +
      'each owner once, or once a day (UTC); off: nobody',
  ),
  faucetAmount: option(
    FAUCET_AMOUNT,
    DEFAULT_SETTINGS.faucetMicros,
    'What the faucet gives when no amount is asked for; with once and daily also the most',
  ),
  explorer: option(
    choiceKind(EXPLORERS),
    DEFAULT_SETTINGS.explorer,
    'Who sees the orders and commands of others in the explorer: everyone, or operators alone',
  ),
  crowdModel: optional(FILE, "Numbers of the crowd's model that differ from the defaults (JSON)", {
    fallbackText: 'none',
  }),
});

const SIGNING = settingTable({
  domains: optional(FILE, 'EIP-712 domains that orders may be signed for (JSON)', {
    fallbackText: 'those of the published clients',
  }),
  wallets: optional(FILE, "How wallets' addresses follow from their owners' (JSON)", {
    fallbackText: 'those of the published clients',
  }),
  chainIds: option(
    wholeListKind(MAX_CHAINS),
    DEFAULT_SETTINGS.chainIds,
    'Chains that requests for API keys may be signed for',
  ),
  authWindowSeconds: option(
    wholeKind(1, DAY_SECONDS),
    DEFAULT_SETTINGS.authWindowMs / SECOND_MS,
    "Largest difference between the timestamp of a signed request and the server's clock",
  ),
  heartbeatWindowSeconds: option(
    wholeKind(1, DAY_SECONDS),
    DEFAULT_SETTINGS.heartbeatWindowMs / SECOND_MS,
    "Time from an owner's last heartbeat to the cancellation of all its orders",
  ),
  verifierThreads: option(
    wholeKind(1, MAX_THREADS),
    DEFAULT_SETTINGS.verifierThreads,
    'Threads that verify the signatures of orders',
  ),
});

/** `place-order` has this one too. */
export const DOMAINS_OPTION = SIGNING.domains;
export const WALLETS_OPTION = SIGNING.wallets;

const PROFILE_NAMES = PROFILES.map(({ name }) => name).join(', ');

/** A name, or a path: a misspelled name is no file. */
function isProfileWord(text: string): boolean {
  return /[./\\]/.test(text) || PROFILES.some(({ name }) => name === text);
}

const WIRE = settingTable({
  profile: option(
    testedKind(
      'NAME|FILE',
      isProfileWord,
      `${PROFILE_NAMES}, or a file (JSON) in a folder or with an extension`,
    ),
    DEFAULT_SETTINGS.profile.name,
    `The rules that venues change (docs/profiles.md): ${PROFILE_NAMES}, or a file (JSON) that ` +
      'changes keys of one',
  ),
  rateLimits: option(
    { ...textKind('on|off|FILE'), must: 'on, off, or a file (JSON), which SIGHUP reads again' },
    'on',
    'Rate limits of clients; requests from this machine count only with --strict or if a file ' +
      'says so',
  ),
});

/** Shares of requests have six decimals. */
export const SHARE_UNITS = 1_000_000;

const TRACING = settingTable({
  traceEndpoint: optional(
    testedKind(
      'URL',
      (text) => parseBaseUrl(text) !== undefined,
      'an HTTP or HTTPS URL without name, password and query, such as ' +
        'http://127.0.0.1:4318/v1/traces',
    ),
    'Collector that gets traces of requests by OTLP/HTTP (JSON)',
    { fallbackText: 'none: no tracing' },
  ),
  traceShare: option(
    decimalKind(1, SHARE_UNITS, 6),
    SHARE_UNITS,
    'Share of requests that are traced, chosen by their ids',
    { needs: 'traceEndpoint' },
  ),
  traceHeaders: optional(
    testedKind('NAME=VALUE,NAME=VALUE', hasCollectorHeaders, HEADERS_WORDS),
    'Headers for the collector, such as its token',
    { fallbackText: 'none', isSecret: true, needs: 'traceEndpoint', states: 'trace headers' },
  ),
  traceHeadersFile: optional(FILE, 'File with these headers, which SIGHUP reads again', {
    fallbackText: 'none',
    needs: 'traceEndpoint',
    states: 'trace headers',
  }),
});

const OUTPUT = settingTable({
  logLevel: option(
    choiceKind(LOG_LEVELS),
    DEFAULT_SETTINGS.logLevel,
    'Lowest level that is logged, as JSON lines on standard error',
  ),
  json: option(SWITCH, false, 'Print one line of JSON instead of text', FLAG_ONLY),
  stopWithParent: option(
    SWITCH,
    false,
    'Stop when the Node process ends that started this one with an IPC channel',
    FLAG_ONLY,
  ),
  config: optional(FILE, 'Settings file: one JSON object with keys such as adminPort', {
    variable: 'CONFIG_FILE',
    key: '',
    fallbackText: 'none',
  }),
});

/** What `config print` shows. */
export const SERVE_SETTINGS = {
  ...LISTENERS,
  ...STORE,
  ...CLUSTER,
  ...MONEY,
  ...SANDBOX,
  ...SIGNING,
  ...WIRE,
  ...TRACING,
  ...OUTPUT,
};

export const SERVE_OPTIONS = { ...SERVE_SETTINGS, ...COMMON_OPTIONS };

export type ServeValues = ValuesOf<typeof SERVE_OPTIONS>;
