/**
 * From the options of the exchange to the settings it runs with: what strict mode changes, which
 * options contradict each other, and what the files they name hold.
 *
 * Invariant: strict mode never falls back to play money or to a secret of its own making, and the
 * publicly known dev keys are not offered where others can reach them, unless forced.
 */

import { DEFAULT_RULES, type LimitRules, parseRateLimits } from '../../admission/index.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../settings/index.ts';
import { parseDomains, type SigningDomain } from '../../signing/index.ts';
import type { TlsFiles } from '../../socket/index.ts';
import { isAddressRange, isLoopbackHost } from '../../socket/index.ts';
import {
  DOMAINS_OPTION,
  FROM_DEFAULT,
  parseJsonFile,
  parseSettingsFile,
  type ResolvedOptions,
  resolveOptions,
  SERVE_OPTIONS,
  type ServeValues,
  type Sources,
  UsageError,
} from '../options/index.ts';
import { tlsFault } from './tls-fault.ts';

/** Gives a file's text; throws when it can't be read. This folder opens no file by itself. */
export type ReadText = (path: string) => string;

export type ServeOptions = ResolvedOptions<typeof SERVE_OPTIONS>;

/** What `serve` runs with. */
export interface ServePlan {
  readonly settings: Settings;
  readonly devAccounts: number;
  readonly json: boolean;
  /** Reads the file of rate limits again; undefined where there is none. Throws `UsageError`. */
  readonly rereadLimits: (() => LimitRules) | undefined;
}

const FROM_STRICT = 'strict mode';
const MS_PER_SECOND = 1_000;

function readOrRefuse(flag: string, path: string, readText: ReadText): string {
  try {
    return readText(path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError([`${flag} is "${path}", which can't be read: ${reason}`]);
  }
}

/** What a named file says, to the function that knows its form. Throws `UsageError`. */
function readFileOf<Result>(
  flag: string,
  path: string,
  readText: ReadText,
  parse: (json: unknown) => Result,
): Result {
  const json = parseJsonFile(path, readOrRefuse(flag, path, readText));
  try {
    return parse(json);
  } catch (error) {
    throw new UsageError([`${path}: ${error instanceof Error ? error.message : String(error)}`]);
  }
}

/** The domains of a file. Throws `UsageError`. */
export function readDomains(path: string, readText: ReadText): readonly SigningDomain[] {
  return readFileOf(DOMAINS_OPTION.flag, path, readText, parseDomains);
}

const LIMITS_WORDS: readonly string[] = ['on', 'off'];

/** The rate limits in effect. Strict mode counts requests from this machine too. */
function readLimits({ rateLimits, strict }: ServeValues, readText: ReadText): LimitRules {
  if (LIMITS_WORDS.includes(rateLimits)) {
    return { ...DEFAULT_RULES, isOn: rateLimits === 'on', countsLoopback: strict };
  }
  const { flag } = SERVE_OPTIONS.rateLimits;
  const { rows, countsLoopback = strict } = readFileOf(flag, rateLimits, readText, parseRateLimits);
  if (strict && !countsLoopback) {
    throw new UsageError([`${rateLimits}: loopback is false; with --strict it must be true`]);
  }
  return { isOn: true, countsLoopback, rows };
}

/** The catalog of a file that was named, as parsed JSON. Throws `UsageError`. */
export function readCatalog({ catalogFile }: Settings, readText: ReadText): unknown {
  if (catalogFile === undefined) return undefined;
  const { flag } = SERVE_OPTIONS.catalog;
  return parseJsonFile(catalogFile, readOrRefuse(flag, catalogFile, readText));
}

/** The files of TLS, which are looked into first. Throws `UsageError`. */
function readTls({ tlsCert, tlsKey }: ServeValues, readText: ReadText): TlsFiles | undefined {
  if (tlsCert === undefined || tlsKey === undefined) return undefined;
  const { tlsCert: cert, tlsKey: key } = SERVE_OPTIONS;
  const certificatePem = readOrRefuse(cert.flag, tlsCert, readText);
  const fault = tlsFault(certificatePem, readOrRefuse(key.flag, tlsKey, readText));
  if (fault === undefined) return { certFile: tlsCert, keyFile: tlsKey };
  const place = fault.of === 'key' ? `${key.flag} is "${tlsKey}"` : `${cert.flag} is "${tlsCert}"`;
  throw new UsageError([`${place}, which ${fault.text}`]);
}

/** What strict mode changes is a default only: what a person says against it is a fault. */
function withStrictDefaults({ values, origins }: ServeOptions): ServeOptions {
  if (!values.strict) return { values, origins };
  const isDefault = (name: 'funding' | 'devAccounts'): boolean => origins[name] === FROM_DEFAULT;
  return {
    values: {
      ...values,
      funding: isDefault('funding') ? 'ledger' : values.funding,
      devAccounts: isDefault('devAccounts') ? 0 : values.devAccounts,
    },
    origins: {
      ...origins,
      funding: isDefault('funding') ? FROM_STRICT : origins.funding,
      devAccounts: isDefault('devAccounts') ? FROM_STRICT : origins.devAccounts,
    },
  };
}

function strictFaults({
  strict,
  funding,
  devAccounts,
  adminToken,
  memory,
  rateLimits,
}: ServeValues): string[] {
  if (!strict) return [];
  return [
    ...(funding === 'ledger'
      ? []
      : [`--funding is "${funding}"; with --strict it must be "ledger"`]),
    ...(devAccounts === 0 ? [] : [`--dev-accounts is ${devAccounts}; with --strict it must be 0`]),
    ...(adminToken === undefined ? ['--admin-token is missing; --strict needs it'] : []),
    ...(memory ? ['--memory keeps nothing; --strict needs a data folder'] : []),
    ...(rateLimits === 'off' ? ['--rate-limits is "off"; --strict needs them'] : []),
  ];
}

function conflictFaults({ values, origins }: ServeOptions): string[] {
  const { host, port, adminHost, adminPort, devAccounts, forceDevAccounts, memory } = values;
  const isReachable = !isLoopbackHost(host);
  return [
    ...(devAccounts > 0 && isReachable && !forceDevAccounts
      ? [
          `--host is "${host}", which others may reach, and the keys of the ${devAccounts} dev ` +
            'accounts are publicly known: give --dev-accounts 0, or --force-public-dev-accounts',
        ]
      : []),
    ...(memory && origins.dataDir !== FROM_DEFAULT
      ? [`--memory keeps nothing, and the data folder is "${values.dataDir}": give one of the two`]
      : []),
    ...(port === adminPort && port !== 0 && host === adminHost
      ? [`--port and --admin-port are both ${port}; they must be different`]
      : []),
  ];
}

function listenerFaults({ tlsCert, tlsKey, trustProxy = [] }: ServeValues): string[] {
  return [
    ...(tlsCert !== undefined && tlsKey === undefined
      ? ['--tls-key is missing; --tls-cert needs it']
      : []),
    ...(tlsKey !== undefined && tlsCert === undefined
      ? ['--tls-cert is missing; --tls-key needs it']
      : []),
    ...trustProxy
      .filter((entry) => !isAddressRange(entry))
      .map(
        (entry) =>
          `--trust-proxy names "${entry}", which is no address and no range such as 10.0.0.0/8`,
      ),
  ];
}

/** The options in effect. Throws `UsageError` with every fault. */
export function resolveServeOptions(
  sources: Omit<Sources, 'file'>,
  readText: ReadText,
): ServeOptions {
  const { flag, variable } = SERVE_OPTIONS.config;
  const path = sources.flags.get(flag) ?? sources.environment[variable] ?? '';
  const file =
    path === '' ? undefined : parseSettingsFile(path, readOrRefuse(flag, path, readText));
  const resolved = withStrictDefaults(resolveOptions(SERVE_OPTIONS, { ...sources, file }));
  const { values } = resolved;
  const faults = [...strictFaults(values), ...conflictFaults(resolved), ...listenerFaults(values)];
  if (faults.length > 0) throw new UsageError(faults);
  return resolved;
}

function tlsSettings(tls: TlsFiles | undefined): Pick<Settings, 'tls'> {
  return tls === undefined ? {} : { tls };
}

/** What the exchange runs with. Throws `UsageError`. */
export function planServe({ values }: ServeOptions, readText: ReadText): ServePlan {
  return {
    settings: {
      ...DEFAULT_SETTINGS,
      host: values.host,
      port: values.port,
      ...tlsSettings(readTls(values, readText)),
      trustedProxies: values.trustProxy ?? [],
      adminHost: values.adminHost,
      adminPort: values.adminPort,
      ...(values.adminToken === undefined ? {} : { adminToken: values.adminToken }),
      dataDir: values.dataDir,
      snapshotMs: values.snapshotSeconds * MS_PER_SECOND,
      temporary: values.memory,
      funding: values.funding,
      paperMicros: values.paperAmount,
      redemption: values.redemption,
      strict: values.strict,
      ...(values.catalog === undefined ? {} : { catalogFile: values.catalog }),
      ...(values.syncFrom === undefined ? {} : { syncFrom: values.syncFrom }),
      syncMs: values.syncSeconds * MS_PER_SECOND,
      tradesImported: values.tradeImported,
      ...(values.domains === undefined ? {} : { domains: readDomains(values.domains, readText) }),
      chainIds: values.chainIds,
      verifierThreads: values.verifierThreads,
      gtdMinLeadSeconds: values.gtdLeadSeconds,
      authWindowMs: values.authWindowSeconds * MS_PER_SECOND,
      heartbeatWindowMs: values.heartbeatWindowSeconds * MS_PER_SECOND,
      priceSideMeaning: values.priceSideMeaning,
      history1m: values.history1m,
      clampsLimits: values.clampsLimits,
      rateLimits: readLimits(values, readText),
      logLevel: values.logLevel,
    },
    devAccounts: values.devAccounts,
    json: values.json,
    rereadLimits: LIMITS_WORDS.includes(values.rateLimits)
      ? undefined
      : () => readLimits(values, readText),
  };
}
