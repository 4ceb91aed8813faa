/** The options that make a process a node of a cluster. */
import { parseBaseUrl } from '../../http/codec/index.ts';
import { DEFAULT_CLUSTER, NODE_ROLES, type NodeRole } from '../../http/settings/cluster.ts';
import {
  choiceKind,
  SWITCH,
  testedKind,
  textKind,
  textListKind,
  wholeKind,
} from '../parser/kinds.ts';
import { option, optional, settingTable } from '../parser/option-table.ts';

const MAX_PORT = 65_535;
const MAX_ETCD_URLS = 9;
const MAX_GATEWAYS = 1_000;

/** Segments of at most 128 characters together. */
const PREFIX_FORM = /^(?=.{2,128}$)(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)+$/;
const NODE_FORM = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const SECRET_FORM = /^[0-9a-f]{64}$/i;
const ADDRESS_FORM = /^(\[[0-9a-f:]+\]|[a-z0-9.-]{1,253}):([1-9][0-9]{0,4})$/i;

/** What a master secret must be, in words. */
export const MASTER_SECRET_WORDS = '64 hex digits, for example of "openssl rand -hex 32"';

/** Whether a text is a master secret. */
export function isMasterSecret(text: string): boolean {
  return SECRET_FORM.test(text);
}

/** Whether a text is the URL of a client listener of etcd. */
export function isEtcdUrl(text: string): boolean {
  const url = parseBaseUrl(text);
  return url !== undefined && url.pathname === '/';
}

function isFeedAddress(text: string): boolean {
  const [, , port = ''] = ADDRESS_FORM.exec(text) ?? [];
  return port !== '' && Number(port) <= MAX_PORT;
}

const FILE = textKind('FILE');

export const CLUSTER = settingTable({
  role: option<NodeRole>(
    choiceKind(NODE_ROLES),
    'all',
    'What this process runs. all: the whole exchange; core: matching and the log, without a ' +
      'public API; gateway: the public API on a replica; standby: a replica that becomes the ' +
      'core when that is gone',
    { variable: 'EXCHANGE_ROLE' },
  ),
  etcd: optional(
    textListKind('URL,URL', MAX_ETCD_URLS, 'URLs such as http://127.0.0.1:2379'),
    'Client listeners of the etcd nodes that keep the log of the cluster',
    { fallbackText: 'none; required in a cluster' },
  ),
  etcdPrefix: option(
    testedKind(
      'PREFIX',
      (text) => PREFIX_FORM.test(text),
      'a path such as /outcome-exchange, of 2 to 128 letters, digits, dots, dashes, underscores ' +
        'and slashes, without a slash at the end',
    ),
    DEFAULT_CLUSTER.prefix,
    'Beginning of all keys of this exchange in etcd',
  ),
  node: optional(
    testedKind(
      'NAME',
      (text) => NODE_FORM.test(text),
      '1 to 63 lower-case letters, digits and dashes, without a dash at an end',
    ),
    'Name of this node, which no other node of the cluster has',
    // npm gives each script a variable NODE of its own.
    { fallbackText: 'none; required in a cluster', variable: 'EXCHANGE_NODE' },
  ),
  feedHost: option(
    textKind('ADDRESS'),
    DEFAULT_CLUSTER.feedHost,
    'Address that a core listens on for its replicas',
  ),
  feedPort: option(
    wholeKind(0, MAX_PORT),
    DEFAULT_CLUSTER.feedPort,
    'Port that a core listens on for its replicas; 0 takes any free port',
  ),
  feedAddress: optional(
    testedKind(
      'HOST:PORT',
      isFeedAddress,
      'a host and a port from 1 to 65535, such as core.example:8082 or [2001:db8::1]:8082',
    ),
    'Address by which the other nodes reach the feed of this one',
    { fallbackText: 'that of --feed-host and --feed-port' },
  ),
  newLog: option(
    SWITCH,
    DEFAULT_CLUSTER.beginsLog,
    'Begin a new log in etcd with the data folder of this core, because its log is lost',
    { variable: '', key: '' },
  ),
  gateways: option(
    wholeKind(1, MAX_GATEWAYS),
    DEFAULT_CLUSTER.gateways,
    'Number of gateways: each one grants this part of the rate limits',
  ),
  masterSecret: optional(
    testedKind('HEX', isMasterSecret, MASTER_SECRET_WORDS),
    'Secret from which API keys are derived, the same at each node',
    { fallbackText: 'none; required in a cluster', isSecret: true },
  ),
  masterSecretFile: optional(FILE, 'File with that secret', { fallbackText: 'none' }),
  clusterCert: optional(FILE, 'Certificate of this node for the feed and etcd (PEM)', {
    fallbackText: 'none',
  }),
  clusterKey: optional(FILE, 'Private key of that certificate (PEM, without a passphrase)', {
    fallbackText: 'none',
  }),
  clusterCa: optional(FILE, 'Certificates that sign those of the other nodes and of etcd (PEM)', {
    fallbackText: 'none',
  }),
  clusterPlaintext: option(
    SWITCH,
    false,
    'Allow connections of the cluster without certificates on a private network',
  ),
});
