/**
 * Turns the options of `serve` into the settings that the exchange runs with: applies strict mode,
 * refuses options that contradict each other, and reads the files that they name.
 *
 * Invariant: in strict mode there is no play money and no generated secret. The publicly known dev
 * keys are not offered where other machines can reach them, unless forced.
 */
import { SECOND_MS } from '../../engine/model/index.ts';
import { parseRateLimits } from '../../http/admission/limit-file.ts';
import { DEFAULT_RULES, dividedRules, type LimitRules } from '../../http/admission/limit-table.ts';
import { isOperatorToken, TOKEN_WORDS } from '../../http/codec/index.ts';
import { type OperatorList, oneOperator } from '../../http/operators/operator-gate.ts';
import { parseOperators } from '../../http/operators/operators-file.ts';
import { onlySet } from '../../http/parameters/index.ts';
import { parseProfile } from '../../http/profiles/profile-file.ts';
import type { VenueProfile } from '../../http/profiles/profile-schema.ts';
import { PROFILES } from '../../http/profiles/profiles.ts';
import {
  type CollectorHeaders,
  parseCollectorHeaders,
} from '../../http/settings/collector-headers.ts';
import { DEFAULT_CROWD_MODEL } from '../../http/settings/crowd.ts';
import { DEFAULT_SETTINGS } from '../../http/settings/defaults.ts';
import type { Settings, TracingSettings } from '../../http/settings/settings.ts';
import { DEFAULT_DOMAINS, parseDomains } from '../../http/signing/domains.ts';
import { DEFAULT_WALLETS, parseWallets } from '../../http/signing/wallets.ts';
import { isAddressRange, isLoopbackHost } from '../../http/socket/client-address.ts';
import type { TlsFiles } from '../../http/socket/socket-library.ts';
import { DEV_KEYS } from '../options/dev-keys.ts';
import {
  DOMAINS_OPTION,
  SERVE_OPTIONS,
  type ServeValues,
  SHARE_UNITS,
  WALLETS_OPTION,
} from '../options/serve-options.ts';
import { type ReadText, readNamedJson, readNamedText } from '../parser/named-files.ts';
import type { OptionTable } from '../parser/option-table.ts';
import { UsageError } from '../parser/parse-arguments.ts';
import {
  FROM_DEFAULT,
  parseSettingsFile,
  relationFaults,
  resolveOptions,
  type Sources,
} from '../parser/resolve-options.ts';
import { parseCrowdModel } from './banner.ts';
import {
  hasSandbox,
  readCluster,
  roleFaults,
  type ServeOptions,
  withRoleDefaults,
} from './cluster-plan.ts';
import { certificateEnd, tlsFault } from './tls-fault.ts';

export interface ServePlan {
  readonly settings: Settings;
  readonly devAccounts: number;
  readonly json: boolean;
  /** Whether the exchange stops when the process that started it ends. */
  readonly stopsWithParent: boolean;
  /** The file of the operator's token, which others must not be able to read. */
  readonly tokenFile: string | undefined;
  /** Reads the file of rate limits again; undefined without a file. Throws `UsageError`. */
  readonly rereadLimits: (() => LimitRules) | undefined;
  /**
   * Reads the operators again; undefined if their token is in no file. Throws `UsageError`. Its
   * result is undefined if their token is in the data folder.
   */
  readonly rereadOperators: (() => OperatorList | undefined) | undefined;
  /** Checks the certificate's files again; undefined without one. Throws `UsageError`. */
  readonly rereadTls: (() => TlsFiles | undefined) | undefined;
  /** Reads the headers for the collector again; undefined without a file. Throws `UsageError`. */
  readonly rereadTraceHeaders: (() => CollectorHeaders) | undefined;
}

const FROM_STRICT = 'strict mode';

const LIMITS_WORDS: readonly string[] = ['on', 'off'];

/** The rules of this process: each of several gateways grants its part of the limits. */
function readLimits(values: ServeValues, readText: ReadText): LimitRules {
  return dividedRules(readRules(values, readText), values.gateways);
}

/** Strict mode counts requests from this machine too. */
function readRules({ rateLimits, strict }: ServeValues, readText: ReadText): LimitRules {
  if (LIMITS_WORDS.includes(rateLimits)) {
    return { ...DEFAULT_RULES, isOn: rateLimits === 'on', countsLoopback: strict };
  }
  const { flag } = SERVE_OPTIONS.rateLimits;
  const file = readNamedJson(flag, rateLimits, readText, parseRateLimits);
  const { rows, countsLoopback = strict } = file;
  if (strict && !countsLoopback) {
    throw new UsageError([`${rateLimits}: loopback is false; with --strict it must be true`]);
  }
  return { isOn: true, countsLoopback, rows };
}

function readProfile({ profile }: ServeValues, readText: ReadText): VenueProfile {
  const named = PROFILES.find(({ name }) => name === profile);
  return (
    named ??
    readNamedJson(SERVE_OPTIONS.profile.flag, profile, readText, (json) =>
      parseProfile(json, PROFILES),
    )
  );
}

/** The token in the file that an option names. Throws `UsageError`, without the token. */
function readToken(path: string, readText: ReadText): string {
  const { flag } = SERVE_OPTIONS.adminTokenFile;
  const token = readNamedText(flag, path, readText).trimEnd();
  if (isOperatorToken(token)) return token;
  throw new UsageError([
    `${flag} is "${path}", which has ${token.length} characters; it must have ${TOKEN_WORDS}`,
  ]);
}

/** The operators of the files that options name; undefined without such a file. */
function readOperators(
  { operators, adminTokenFile }: ServeValues,
  readText: ReadText,
): OperatorList | undefined {
  const { flag } = SERVE_OPTIONS.operators;
  if (operators !== undefined) return readNamedJson(flag, operators, readText, parseOperators);
  return adminTokenFile === undefined
    ? undefined
    : oneOperator(readToken(adminTokenFile, readText));
}

/** Whether the operators, or their token, are in a file that outlives the process. */
function hasTokenFile({ adminToken, adminTokenFile, operators, memory }: ServeValues): boolean {
  return (adminTokenFile ?? operators) !== undefined || (adminToken === undefined && !memory);
}

/** The catalog of the file that an option names, as parsed JSON. Throws `UsageError`. */
export function readCatalog({ catalogFile }: Settings, readText: ReadText): unknown {
  if (catalogFile === undefined) return undefined;
  return readNamedJson(SERVE_OPTIONS.catalog.flag, catalogFile, readText, (json) => json);
}

function readCrowdModel({ crowdModel }: ServeValues, readText: ReadText): Settings['crowdModel'] {
  if (crowdModel === undefined) return DEFAULT_CROWD_MODEL;
  return readNamedJson(SERVE_OPTIONS.crowdModel.flag, crowdModel, readText, parseCrowdModel);
}

/** The TLS files, after a check of what they hold. Throws `UsageError`. */
function readTls({ tlsCert, tlsKey }: ServeValues, readText: ReadText): TlsFiles | undefined {
  if (tlsCert === undefined || tlsKey === undefined) return undefined;
  const { tlsCert: cert, tlsKey: key } = SERVE_OPTIONS;
  const certificatePem = readNamedText(cert.flag, tlsCert, readText);
  const fault = tlsFault(certificatePem, readNamedText(key.flag, tlsKey, readText), cert.flag);
  if (fault === undefined) {
    return { certFile: tlsCert, keyFile: tlsKey, endMs: certificateEnd(certificatePem) };
  }
  const place = fault.of === 'key' ? `${key.flag} is "${tlsKey}"` : `${cert.flag} is "${tlsCert}"`;
  throw new UsageError([`${place}, which ${fault.text}`]);
}

/** The headers in the file that an option names. Throws `UsageError`, without their values. */
function readTraceHeaders(path: string, readText: ReadText): CollectorHeaders {
  const { flag } = SERVE_OPTIONS.traceHeadersFile;
  const text = readNamedText(flag, path, readText);
  try {
    return parseCollectorHeaders(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError([`${flag} is "${path}", which is refused: ${reason}`]);
  }
}

function readTracing(values: ServeValues, readText: ReadText): TracingSettings | undefined {
  const { traceEndpoint, traceShare, traceHeaders, traceHeadersFile } = values;
  if (traceEndpoint === undefined) return undefined;
  const given = traceHeaders === undefined ? {} : parseCollectorHeaders(traceHeaders);
  const headers =
    traceHeadersFile === undefined ? given : readTraceHeaders(traceHeadersFile, readText);
  return { endpoint: traceEndpoint, share: traceShare / SHARE_UNITS, headers };
}

type OptionName = keyof typeof SERVE_OPTIONS;
const ROWS: OptionTable = SERVE_OPTIONS;
// Safe: the keys of that table.
const STRICT_NAMES = (Object.keys(SERVE_OPTIONS) as OptionName[]).filter(
  (name) => ROWS[name]?.strict !== undefined,
);

/** Strict mode changes defaults only: an option that contradicts it is a fault. */
function withStrictDefaults({ values, origins }: ServeOptions): ServeOptions {
  if (!values.strict) return { values, origins };
  const names = STRICT_NAMES.filter((name) => origins[name] === FROM_DEFAULT);
  return {
    values: { ...values, ...Object.fromEntries(names.map((name) => [name, ROWS[name]?.strict])) },
    origins: { ...origins, ...Object.fromEntries(names.map((name) => [name, FROM_STRICT])) },
  };
}

/** A value in a sentence: texts have quotes, numbers have none. */
function inWords(value: unknown): string {
  return typeof value === 'string' ? `"${value}"` : String(value);
}

function strictFaults(values: ServeValues): string[] {
  const { strict, adminToken, adminTokenFile, operators, memory, rateLimits } = values;
  if (!strict) return [];
  const contradicting = STRICT_NAMES.filter((name) => values[name] !== ROWS[name]?.strict);
  return [
    ...contradicting.map((name) => {
      const { flag, strict: demanded } = SERVE_OPTIONS[name];
      return `${flag} is ${inWords(values[name])}; with --strict it must be ${inWords(demanded)}`;
    }),
    ...((adminToken ?? adminTokenFile ?? operators) === undefined
      ? [
          'the token of the operator is missing; --strict needs one that you give: ' +
            '--admin-token-file FILE or --operators FILE (or the variable ADMIN_TOKEN; a flag ' +
            'would show it to all users of the machine)',
        ]
      : []),
    ...(memory ? ['--memory keeps nothing; --strict needs a data folder'] : []),
    ...(rateLimits === 'off' ? ['--rate-limits is "off"; --strict needs rate limits'] : []),
  ];
}

/** Why there is no sandbox: as the origin of a default, and as a part of a sentence. */
function noSandbox({ strict, role }: ServeValues): readonly [origin: string, why: string] {
  if (strict) return [FROM_STRICT, '--strict has no sandbox'];
  return role === 'all'
    ? ['ledger funding', '--funding is "ledger"']
    : [`role ${role}`, `a cluster has no sandbox (--role is "${role}")`];
}

/** Without play money there is no crowd, nor in a cluster. */
function withoutSandbox({ values, origins }: ServeOptions): ServeOptions {
  if (hasSandbox(values) || origins.crowd !== FROM_DEFAULT) return { values, origins };
  const [from] = noSandbox(values);
  return { values: { ...values, crowd: 'off' }, origins: { ...origins, crowd: from } };
}

/** The options of the sandbox. `--crowd off` asks for nothing and is never refused. */
const SANDBOX_OPTIONS = ['crowd', 'crowdSeed', 'crowdPace', 'crowdModel'] as const;

function sandboxFaults({ values, origins }: ServeOptions): string[] {
  if (hasSandbox(values)) return [];
  const isGiven = (name: (typeof SANDBOX_OPTIONS)[number]): boolean =>
    name === 'crowd' ? values.crowd !== 'off' : origins[name] !== FROM_DEFAULT;
  const [, why] = noSandbox(values);
  return SANDBOX_OPTIONS.filter(isGiven).map(
    (name) =>
      `${SERVE_OPTIONS[name].flag} is "${values[name]}"; it is for play money only, and ${why}`,
  );
}

function conflictFaults({ values, origins }: ServeOptions): string[] {
  const { role, host, port, adminHost, adminPort, devAccounts, memory } = values;
  const isListening = role === 'all' || role === 'gateway';
  const isPublic = !isLoopbackHost(host) && !values.forcePublicDevAccounts;
  return [
    ...(devAccounts > 0 && isPublic
      ? [
          `--host is "${host}", which other machines may reach, and the keys of the ` +
            `${devAccounts} dev accounts are publicly known: give --dev-accounts 0, or ` +
            '--force-public-dev-accounts',
        ]
      : []),
    ...(memory && origins.dataDir !== FROM_DEFAULT
      ? [`--memory keeps nothing, and the data folder is "${values.dataDir}": give one of the two`]
      : []),
    ...(isListening && port === adminPort && port !== 0 && host === adminHost
      ? [`--port and --admin-port are both ${port}; they must be different`]
      : []),
  ];
}

function proxyFaults({ trustProxy = [] }: ServeValues): string[] {
  return trustProxy
    .filter((entry) => !isAddressRange(entry))
    .map(
      (entry) =>
        `--trust-proxy names "${entry}", which is neither an address nor a range such as ` +
        '10.0.0.0/8',
    );
}

/** The options of `serve` in effect. Throws `UsageError` with every fault. */
export function resolveServeOptions(
  sources: Omit<Sources, 'file'>,
  readText: ReadText,
): ServeOptions {
  const { flag, variable } = SERVE_OPTIONS.config;
  const path = sources.flags.get(flag) ?? sources.environment[variable] ?? '';
  const file =
    path === '' ? undefined : parseSettingsFile(path, readNamedText(flag, path, readText));
  const strict = withStrictDefaults(resolveOptions(SERVE_OPTIONS, { ...sources, file }));
  const resolved = withRoleDefaults(withoutSandbox(strict));
  const { values } = resolved;
  const faults = [
    ...strictFaults(values),
    ...sandboxFaults(resolved),
    ...roleFaults(resolved),
    ...conflictFaults(resolved),
    ...relationFaults(SERVE_OPTIONS, resolved),
    ...proxyFaults(values),
  ];
  if (faults.length > 0) throw new UsageError(faults);
  return resolved;
}

/** Throws `UsageError`. */
export function planServe({ values }: ServeOptions, readText: ReadText): ServePlan {
  const { adminToken, backupDir, syncFrom, domains, wallets } = values;
  const { newOwners, faucet, explorer, traceHeadersFile } = values;
  const operators = readOperators(values, readText);
  const tls = readTls(values, readText);
  const tracing = readTracing(values, readText);
  const cluster = readCluster(values, readText);
  return {
    settings: {
      ...DEFAULT_SETTINGS,
      ...onlySet({ cluster, tls, adminToken, operators, backupDir, syncFrom, tracing }),
      ...onlySet({ catalogFile: values.catalog }),
      host: values.host,
      port: values.port,
      trustedProxies: values.trustProxy ?? [],
      adminHost: values.adminHost,
      adminPort: values.adminPort,
      dataDir: values.dataDir,
      snapshotMs: values.snapshotSeconds * SECOND_MS,
      temporary: values.memory,
      funding: values.funding,
      paperMicros: values.paperAmount,
      redemption: values.redemption,
      ...{ newOwners, faucet, faucetMicros: values.faucetAmount, explorer },
      strict: values.strict,
      devKeys: DEV_KEYS.slice(0, values.devAccounts),
      replacesLostCatalog: values.replaceLostCatalog,
      syncMs: values.syncSeconds * SECOND_MS,
      tradesImported: values.tradeImported,
      domains:
        domains === undefined
          ? DEFAULT_DOMAINS
          : readNamedJson(DOMAINS_OPTION.flag, domains, readText, parseDomains),
      wallets:
        wallets === undefined
          ? DEFAULT_WALLETS
          : readNamedJson(WALLETS_OPTION.flag, wallets, readText, parseWallets),
      chainIds: values.chainIds,
      verifierThreads: values.verifierThreads,
      authWindowMs: values.authWindowSeconds * SECOND_MS,
      heartbeatWindowMs: values.heartbeatWindowSeconds * SECOND_MS,
      profile: readProfile(values, readText),
      rateLimits: readLimits(values, readText),
      crowd: values.crowd,
      crowdSeed: values.crowdSeed,
      crowdPace: values.crowdPace,
      crowdModel: readCrowdModel(values, readText),
      logLevel: values.logLevel,
    },
    devAccounts: values.devAccounts,
    json: values.json,
    stopsWithParent: values.stopWithParent,
    rereadLimits: LIMITS_WORDS.includes(values.rateLimits)
      ? undefined
      : () => readLimits(values, readText),
    tokenFile: values.adminTokenFile,
    rereadOperators: hasTokenFile(values) ? () => readOperators(values, readText) : undefined,
    rereadTls: tls === undefined ? undefined : () => readTls(values, readText),
    rereadTraceHeaders:
      traceHeadersFile === undefined
        ? undefined
        : () => readTraceHeaders(traceHeadersFile, readText),
  };
}
