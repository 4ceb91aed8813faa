/** The metrics of a node of a cluster. Outside a cluster they show no line. */

import type { Metric } from 'prom-client';
import { SECOND_MS } from '../../engine/model/index.ts';
import type { Exchange } from '../../persistence/index.ts';
import type { ClusterRole } from '../settings/cluster.ts';
import type { Settings } from '../settings/settings.ts';
import { gauges, type Sample } from './family.ts';

export interface ShownNode {
  readonly node: string;
  /** `leading`: it is the core. */
  readonly state: string;
  /** The newest epoch that it knows; 0 before the first. */
  readonly epoch: number;
  /** Whether what it shows is current. */
  readonly isCurrent: boolean;
  /** The core that it follows, or itself. */
  readonly core: { readonly node: string } | undefined;
  /** The last entry of the log that it has applied. */
  readonly entryNumber: number;
  /** The last durable command that it has heard of; a replica may not have applied it. */
  readonly heardSeq: number;
  /** How long ago it, or its core, committed last; never: Infinity. */
  readonly silenceMs: number;
  readonly replicas: readonly {
    readonly node: string;
    readonly role: ClusterRole;
    /** The last command that it has synced. */
    readonly seq: number;
  }[];
  /** Rejects if etcd does not answer. */
  etcdStatus(): Promise<EtcdFigures>;
}

interface EtcdFigures {
  readonly endpoints: readonly { readonly isAnswering: boolean }[];
  readonly sizeBytes: number | undefined;
  readonly quotaBytes: number | undefined;
}

export interface ClusterSources {
  readonly settings: Pick<Settings, 'cluster'>;
  readonly exchange: Pick<Exchange, 'appliedSeq' | 'durableSeq'>;
  readonly node?: ShownNode | undefined;
}

const ROLES_NOW: readonly ClusterRole[] = ['core', 'gateway', 'standby'];

/**
 * How etcd is. A scrape does not wait for etcd: it shows the answer to the question of the scrape
 * before it.
 */
class EtcdAnswer {
  readonly #node: Pick<ShownNode, 'etcdStatus'>;
  #latest: EtcdFigures | undefined;
  #isAsking = false;

  constructor(node: Pick<ShownNode, 'etcdStatus'>) {
    this.#node = node;
  }

  /** undefined before the first answer, and while etcd does not answer. */
  get latest(): EtcdFigures | undefined {
    return this.#latest;
  }

  ask(): void {
    if (this.#isAsking) return;
    this.#isAsking = true;
    this.#node
      .etcdStatus()
      // etcd does not answer: the alerts see that no endpoint does.
      .catch(() => undefined)
      .then((status) => {
        this.#latest = status;
        this.#isAsking = false;
      });
  }
}

export function clusterFamilies({ settings, exchange, node }: ClusterSources): Metric[] {
  const role = settings.cluster?.role;
  const each = (name: string, help: string, read: (known: NonNullable<typeof node>) => number) =>
    gauges([name, `${help}; absent outside a cluster`], () => {
      const value = node === undefined ? Number.POSITIVE_INFINITY : read(node);
      return Number.isFinite(value) ? [[value]] : [];
    });
  return [
    gauges(
      ['node_role', '1 for what this node of a cluster is now, 0 for the others', ['role']],
      () => {
        const now = node?.state === 'leading' ? 'core' : role;
        return now === undefined ? [] : ROLES_NOW.map((one): Sample => [one, one === now ? 1 : 0]);
      },
    ),
    each('node_leading', '1 while this node is the core, else 0', ({ state }) =>
      state === 'leading' ? 1 : 0,
    ),
    each('node_current', '1 while what this node shows is current, else 0', ({ isCurrent }) =>
      isCurrent ? 1 : 0,
    ),
    each('node_epoch', 'The newest epoch that this node knows', ({ epoch }) => epoch),
    each(
      'node_entry',
      'Number of the last entry of the log that this node has applied',
      ({ entryNumber }) => entryNumber,
    ),
    each(
      'node_lag_commands',
      'Durable commands that this node has heard of and not applied yet',
      ({ heardSeq }) => Math.max(heardSeq - exchange.appliedSeq, 0),
    ),
    each(
      'node_silence_seconds',
      'How long ago this node, as the core, committed last, or heard that the core did',
      ({ silenceMs }) => silenceMs / SECOND_MS,
    ),
    ...feedFamilies(node, exchange),
    ...etcdFamilies(node && new EtcdAnswer(node)),
  ];
}

function feedFamilies(
  node: ClusterSources['node'],
  { durableSeq }: ClusterSources['exchange'],
): Metric[] {
  const replicas = () => node?.replicas ?? [];
  return [
    gauges(['feed_replicas', 'Replicas that are connected to this core', ['role']], () =>
      node?.state === 'leading'
        ? (['gateway', 'standby'] as const).map(
            (role): Sample => [role, replicas().filter((one) => one.role === role).length],
          )
        : [],
    ),
    gauges(
      [
        'feed_lag_commands',
        'Durable commands that a replica of this core has not synced',
        ['node'],
      ],
      () => replicas().map(({ node: name, seq }): Sample => [name, Math.max(durableSeq - seq, 0)]),
    ),
  ];
}

function etcdFamilies(etcd: EtcdAnswer | undefined): Metric[] {
  const size = (name: string, help: string, read: (status: EtcdFigures) => number | undefined) =>
    gauges([name, `${help}; absent while etcd does not say it`], () => {
      const value = etcd?.latest && read(etcd.latest);
      return value === undefined ? [] : [[value]];
    });
  return [
    gauges(
      ['etcd_endpoints', 'Endpoints of etcd, by whether they answered this node', ['answering']],
      () => {
        etcd?.ask();
        const endpoints = etcd?.latest?.endpoints;
        if (endpoints === undefined) return [];
        const answering = endpoints.filter(({ isAnswering }) => isAnswering).length;
        return [
          ['yes', answering],
          ['no', endpoints.length - answering],
        ];
      },
    ),
    size('etcd_bytes', 'Size of the largest database of etcd', ({ sizeBytes }) => sizeBytes),
    size(
      'etcd_quota_bytes',
      'The most that the database of etcd may take',
      ({ quotaBytes }) => quotaBytes,
    ),
  ];
}
