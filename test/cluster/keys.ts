/** What a cluster has in etcd, read and removed over etcd's JSON gateway. */
import { strict as assert } from 'node:assert';
import { CLUSTER_PREFIX, type Cluster } from '../../deploy/cluster/cluster.ts';

async function askEtcd(
  { etcd }: Cluster,
  path: 'range' | 'deleterange',
  key: string,
): Promise<Record<string, unknown>> {
  const body = JSON.stringify({ key: Buffer.from(`${CLUSTER_PREFIX}/${key}`).toString('base64') });
  const response = await fetch(`${etcd.node(0).url}/v3/kv/${path}`, { method: 'POST', body });
  // Safe: etcd answers with an object.
  const answer = (await response.json()) as Record<string, unknown>;
  assert.ok(response.ok, JSON.stringify(answer));
  return answer;
}

/** The record of a key below the prefix of the cluster, which must be there. */
export async function readRecord<Value>(cluster: Cluster, key: string): Promise<Value> {
  const { kvs } = await askEtcd(cluster, 'range', key);
  // Safe: etcd answers with a list of values in base64.
  const [record] = (kvs ?? []) as readonly { readonly value: string }[];
  assert.ok(record !== undefined, `etcd has ${key}`);
  // Safe: the caller knows what the cluster keeps there.
  return JSON.parse(Buffer.from(record.value, 'base64').toString()) as Value;
}

export async function deleteKey(cluster: Cluster, key: string): Promise<void> {
  await askEtcd(cluster, 'deleterange', key);
}
