/**
 * The part of the plan that makes a process a node of a cluster: what the options of each role need
 * and what they exclude.
 *
 * Invariant: an option without effect in a role is refused with the reason. Nothing leaves the
 * machine without encryption unless `--cluster-plaintext` allows it.
 */
import { X509Certificate } from 'node:crypto';
import type {
  ClusterRole,
  ClusterSettings,
  ClusterTls,
  NodeRole,
} from '../../http/settings/cluster.ts';
import { isSandbox } from '../../http/settings/settings.ts';
import { isLoopbackHost } from '../../http/socket/client-address.ts';
import {
  CLUSTER,
  isEtcdUrl,
  isMasterSecret,
  MASTER_SECRET_WORDS,
} from '../options/cluster-options.ts';
import { SERVE_OPTIONS, type ServeValues } from '../options/serve-options.ts';
import { type ReadText, readNamedText } from '../parser/named-files.ts';
import { UsageError } from '../parser/parse-arguments.ts';
import { FROM_DEFAULT, type ResolvedOptions } from '../parser/resolve-options.ts';
import { tlsFault } from './tls-fault.ts';

export type ServeOptions = ResolvedOptions<typeof SERVE_OPTIONS>;
type OptionName = keyof typeof SERVE_OPTIONS;

// Safe: the keys of a constant.
const CLUSTER_NAMES = Object.keys(CLUSTER) as (keyof typeof CLUSTER)[];

interface Exclusion {
  readonly roles: readonly NodeRole[];
  readonly names: readonly OptionName[];
  /** Follows "is given; ". */
  readonly why: string;
  /** Whether variables are no fault: the image of a container sets some for all roles. */
  readonly toleratesVariables?: true;
}

/** What a role has no use for. */
const EXCLUSIONS: readonly Exclusion[] = [
  {
    roles: ['all'],
    names: CLUSTER_NAMES.filter((name) => name !== 'role'),
    why: 'it is for the nodes of a cluster: give --role core, gateway or standby too',
  },
  {
    roles: ['core', 'gateway', 'standby'],
    names: ['memory'],
    why: 'a node of a cluster needs a data folder that outlives it',
  },
  {
    roles: ['core', 'gateway', 'standby'],
    names: ['replaceLostCatalog'],
    why:
      'a node of a cluster that lost its catalog gets all data from the core: start it with an ' +
      'empty data folder',
  },
  {
    roles: ['gateway', 'standby'],
    names: ['newLog'],
    why: 'only the core begins a log',
  },
  {
    roles: ['core', 'standby'],
    names: ['host', 'port', 'tlsCert', 'tlsKey', 'trustProxy', 'verifierThreads'],
    why: 'it is for the public API, which gateways run',
    toleratesVariables: true,
  },
  {
    roles: ['core', 'standby'],
    names: ['devAccounts', 'forcePublicDevAccounts'],
    why: 'gateways open the dev accounts',
  },
  {
    roles: ['gateway'],
    names: ['feedHost', 'feedPort', 'feedAddress'],
    why: 'the core has the feed, and a gateway only reads it',
  },
  {
    roles: ['gateway'],
    names: ['catalog', 'syncFrom', 'syncSeconds', 'tradeImported'],
    why: 'the core fills the catalog, and a gateway gets its content from there',
  },
  {
    roles: ['gateway'],
    names: ['heartbeatWindowSeconds'],
    why: 'the core counts heartbeats: give it to the core and to each standby',
  },
];

/** Whether the option asks for something: `--dev-accounts 0` asks for nothing. */
function isGiven({ values, origins }: ServeOptions, name: OptionName): boolean {
  return origins[name] !== FROM_DEFAULT && !(name === 'devAccounts' && values[name] === 0);
}

function exclusionFaults(options: ServeOptions): string[] {
  const { role } = options.values;
  const isVariable = (name: OptionName): boolean => options.origins[name].startsWith('variable ');
  return EXCLUSIONS.filter(({ roles }) => roles.includes(role)).flatMap(
    ({ names, why, toleratesVariables = false }) =>
      names
        .filter((name) => isGiven(options, name) && !(toleratesVariables && isVariable(name)))
        .map((name) => `${SERVE_OPTIONS[name].flag} is given, and --role is "${role}"; ${why}`),
  );
}

const CERTIFICATES = ['clusterCert', 'clusterKey', 'clusterCa'] as const;

function hasCertificates(values: ServeValues): boolean {
  return CERTIFICATES.every((name) => values[name] !== undefined);
}

function missingFaults({ role, etcd, node, masterSecret, masterSecretFile }: ServeValues) {
  const needs = (flag: string, what: string): string =>
    `${flag} is missing; --role ${role} needs ${what}`;
  return [
    ...(etcd === undefined
      ? [needs('--etcd', 'the URLs of the etcd nodes that keep the log')]
      : []),
    ...(node === undefined
      ? [needs('--node', 'a name that no other node of the cluster has')]
      : []),
    ...((masterSecret ?? masterSecretFile) === undefined
      ? [
          needs(
            '--master-secret-file',
            'the secret that all nodes share (a file, or the variable MASTER_SECRET; a flag ' +
              'would show it to all users of the machine)',
          ),
        ]
      : []),
    ...(masterSecret !== undefined && masterSecretFile !== undefined
      ? ['--master-secret and --master-secret-file: give one of them']
      : []),
  ];
}

function certificateFaults(values: ServeValues): string[] {
  const { etcd = [] } = values;
  const given = CERTIFICATES.filter((name) => values[name] !== undefined);
  const missing = CERTIFICATES.filter((name) => values[name] === undefined);
  const flagsOf = (names: typeof given): string =>
    names.map((name) => SERVE_OPTIONS[name].flag).join(' and ');
  if (given.length > 0 && missing.length > 0) {
    return [`${flagsOf(missing)} is missing; ${flagsOf(given)} needs it`];
  }
  if (given.length > 0) return [];
  return etcd
    .filter((url) => url.startsWith('https:'))
    .map((url) => `--etcd names "${url}", which needs ${flagsOf(missing)}`);
}

const ON_PRIVATE_NETWORK = '--cluster-plaintext if the network is private';

/** The host of HOST:PORT or of a URL, without the brackets of an IPv6 address. */
function hostOf(address: string): string {
  return new URL(address.includes('://') ? address : `tcp://${address}`).hostname.replace(
    /^\[|\]$/g,
    '',
  );
}

function plaintextFaults(values: ServeValues): string[] {
  const { role, etcd = [], feedHost, feedAddress, clusterPlaintext } = values;
  if (clusterPlaintext) return [];
  const open = etcd.filter((url) => url.startsWith('http:') && !isLoopbackHost(hostOf(url)));
  const faults = open.map(
    (url) =>
      `--etcd names "${url}", which is reached without encryption: give an https URL, or ` +
      ON_PRIVATE_NETWORK,
  );
  if (role === 'gateway' || hasCertificates(values)) return faults;
  const isOpen = (host: string): boolean => !isLoopbackHost(host);
  const place = isOpen(feedHost)
    ? `--feed-host is "${feedHost}"`
    : feedAddress !== undefined && isOpen(hostOf(feedAddress))
      ? `--feed-address is "${feedAddress}"`
      : undefined;
  if (place === undefined) return faults;
  return [
    ...faults,
    `${place}, which other machines may reach, without encryption: give --cluster-cert, ` +
      `--cluster-key and --cluster-ca, or ${ON_PRIVATE_NETWORK}`,
  ];
}

const ANY_ADDRESS = ['0.0.0.0', '::'] as const;

function addressFaults({ etcd = [], feedHost, feedAddress }: ServeValues): string[] {
  const wrong = etcd.filter((url) => !isEtcdUrl(url));
  const twice = etcd.filter((url, index) => etcd.indexOf(url) !== index);
  return [
    ...wrong.map(
      (url) =>
        `--etcd names "${url}"; it must be an HTTP or HTTPS URL without name, password, path and ` +
        'query, such as http://127.0.0.1:2379',
    ),
    ...twice.map((url) => `--etcd names "${url}" twice`),
    ...(ANY_ADDRESS.some((host) => host === feedHost) && feedAddress === undefined
      ? [
          `--feed-host is "${feedHost}", to which no other node can connect: give --feed-address ` +
            'HOST:PORT too',
        ]
      : []),
  ];
}

/** What is wrong with the options of the role, one sentence each. */
export function roleFaults(options: ServeOptions): string[] {
  const { values } = options;
  const exclusions = exclusionFaults(options);
  if (values.role === 'all') return exclusions;
  const addresses = addressFaults(values);
  // A URL that is none has no host to judge.
  const open = addresses.length > 0 ? [] : plaintextFaults(values);
  return [
    ...exclusions,
    ...missingFaults(values),
    ...addresses,
    ...certificateFaults(values),
    ...open,
  ];
}

/** A cluster begins without dev accounts. A gateway opens those that an option asks for. */
export function withRoleDefaults({ values, origins }: ServeOptions): ServeOptions {
  if (values.role === 'all' || origins.devAccounts !== FROM_DEFAULT) return { values, origins };
  return {
    values: { ...values, devAccounts: 0 },
    origins: { ...origins, devAccounts: `role ${values.role}` },
  };
}

/** Whether the options make an exchange with the sandbox. */
export function hasSandbox({ role, ...values }: ServeValues): boolean {
  return role === 'all' && isSandbox(values);
}

/** Throws `UsageError`, without the secret. */
function readMasterSecret(values: ServeValues, readText: ReadText): Buffer {
  const { masterSecret, masterSecretFile = '' } = values;
  if (masterSecret !== undefined) return Buffer.from(masterSecret, 'hex');
  const { flag } = SERVE_OPTIONS.masterSecretFile;
  const text = readNamedText(flag, masterSecretFile, readText).trimEnd();
  if (isMasterSecret(text)) return Buffer.from(text, 'hex');
  throw new UsageError([
    `${flag} is "${masterSecretFile}", which has ${text.length} characters that are no secret; ` +
      `it must have ${MASTER_SECRET_WORDS}`,
  ]);
}

const CERTIFICATE_FORM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** The certificates of a text in PEM form; none if it has others or a broken one. */
function certificatesIn(pem: string): readonly X509Certificate[] {
  try {
    return (pem.match(CERTIFICATE_FORM) ?? []).map((text) => new X509Certificate(text));
  } catch {
    // A text that is not a certificate is ordinary input here.
    return [];
  }
}

/** Whether one of the chain is signed by one of the authorities. */
function isSignedBy(chainPem: string, authorities: readonly X509Certificate[]): boolean {
  return certificatesIn(chainPem).some((certificate) =>
    authorities.some((authority) => certificate.verify(authority.publicKey)),
  );
}

function readClusterTls(values: ServeValues, readText: ReadText): ClusterTls | undefined {
  const { clusterCert: certFile, clusterKey: keyFile, clusterCa: caFile } = values;
  if (certFile === undefined || keyFile === undefined || caFile === undefined) return undefined;
  const { clusterCert: cert, clusterKey: key, clusterCa: ca } = SERVE_OPTIONS;
  const certificatePem = readNamedText(cert.flag, certFile, readText);
  const keyPem = readNamedText(key.flag, keyFile, readText);
  const fault = tlsFault(certificatePem, keyPem, cert.flag);
  if (fault !== undefined) {
    const of = fault.of === 'key' ? `${key.flag} is "${keyFile}"` : `${cert.flag} is "${certFile}"`;
    throw new UsageError([`${of}, which ${fault.text}`]);
  }
  const authorities = certificatesIn(readNamedText(ca.flag, caFile, readText));
  const place = `${ca.flag} is "${caFile}", which`;
  if (authorities.length === 0) {
    throw new UsageError([`${place} has no certificates in PEM form`]);
  }
  if (!isSignedBy(certificatePem, authorities)) {
    throw new UsageError([
      `${place} has no certificate that signs the one in ${cert.flag}: the other nodes, which ` +
        'trust the same file, would refuse this one',
    ]);
  }
  return { certFile, keyFile, caFile };
}

function isClusterRole(role: NodeRole): role is ClusterRole {
  return role !== 'all';
}

/** The settings of a node; undefined in the role `all`. Throws `UsageError`. */
export function readCluster(values: ServeValues, readText: ReadText): ClusterSettings | undefined {
  const { role, etcd = [], node = '', feedAddress } = values;
  if (!isClusterRole(role)) return undefined;
  const tls = readClusterTls(values, readText);
  return {
    role,
    etcdUrls: etcd.map((url) => url.replace(/\/$/, '')),
    prefix: values.etcdPrefix,
    node,
    feedHost: values.feedHost,
    feedPort: values.feedPort,
    ...(feedAddress === undefined ? {} : { feedAddress }),
    gateways: values.gateways,
    beginsLog: values.newLog,
    masterSecret: readMasterSecret(values, readText),
    ...(tls === undefined ? {} : { tls }),
    allowsPlaintext: values.clusterPlaintext,
  };
}
