/**
 * `npm run test:deploy -- watching-cluster`: Debian's Prometheus scrapes every node of a cluster.
 * What the rules and the dashboard ask of a cluster has numbers, and the alert of a cluster without
 * a standby becomes active when the core is killed.
 */
import { strict as assert } from 'node:assert';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cluster, startCluster } from '../../deploy/cluster/cluster.ts';
import { installConfiguration, Prometheus } from './prometheus.ts';
import { run, say, waitUntil } from './system.ts';
import { readQueries, readRules, selectorsOf } from './watching-files.ts';

const OF_CLUSTER = /outcome_exchange_(node|feed|etcd)_/;
/** An etcd that is well answers everywhere. */
const NEVER_THERE = /answering="no"/;
/** What a panel shows where there is no cluster. */
const OTHERWISE = / or vector\(0\)$/;

async function hasNumbers(prometheus: Prometheus, expr: string): Promise<boolean> {
  // It does not listen at once.
  const series = await prometheus.query(expr).catch(() => []);
  return series.some(({ value: [, value] }) => value !== 'NaN');
}

async function checkNumbers(prometheus: Prometheus): Promise<void> {
  const selectors = readRules()
    .flatMap(({ expr }) => selectorsOf(expr))
    .map(({ text }) => text)
    .filter((text) => OF_CLUSTER.test(text) && !NEVER_THERE.test(text));
  const queries = readQueries()
    .map(({ expr }) => expr.replace(OTHERWISE, ''))
    .filter((expr) => OF_CLUSTER.test(expr));
  assert.ok(selectors.length > 0 && queries.length > 0);
  for (const expr of new Set([...selectors, ...queries])) {
    await waitUntil(`${expr} has numbers`, () => hasNumbers(prometheus, expr));
  }
  say(`${selectors.length} selectors and ${queries.length} queries of a cluster have numbers`);
}

async function alertNames(prometheus: Prometheus): Promise<readonly string[]> {
  const alerts = await prometheus.alerts();
  return alerts.map(({ labels: { alertname = '' } }) => alertname).toSorted();
}

async function watch(cluster: Cluster, folder: string): Promise<void> {
  const addresses = cluster.nodes.map(({ adminUrl }) => new URL(adminUrl).host);
  const configuration = installConfiguration(folder, addresses, cluster.adminToken);
  run('promtool', ['check', 'config', configuration]);
  const prometheus = await Prometheus.start(configuration, folder);
  try {
    await checkNumbers(prometheus);
    const before = await alertNames(prometheus);
    assert.ok(!before.includes('NoStandby'), before.join());
    await (await cluster.leader()).child.kill();
    await waitUntil('NoStandby', async () => (await alertNames(prometheus)).includes('NoStandby'));
    say('a killed core leaves a cluster without a standby, and the alert says so');
  } finally {
    await prometheus.stop();
  }
}

const folder = mkdtempSync(join(tmpdir(), 'exchange-watching-'));
try {
  const cluster = await startCluster({ folder: join(folder, 'cluster') });
  try {
    await watch(cluster, folder);
  } finally {
    await cluster.stop();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
