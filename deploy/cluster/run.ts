/**
 * `npm run cluster`: a whole cluster on this machine. Prints what it starts, says when it is ready,
 * and stops it all on Ctrl-C or SIGTERM. Without `--folder` nothing is left.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { textKind, wholeKind } from '../../cli/parser/kinds.ts';
import { flagTable, option, optional } from '../../cli/parser/option-table.ts';
import { readProgramOptions } from '../../cli/parser/program-options.ts';
import { type Cluster, type ClusterOptions, startCluster } from './cluster.ts';
import { ETCD_MISSING, etcdVersion } from './etcd-nodes.ts';

const MOST_NODES = 9;
const FAILED = 1;

function say(line = ''): void {
  process.stdout.write(`${line}\n`);
}

/** The rows with their columns aligned. */
function tableText(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function describe(cluster: Cluster): string[] {
  const rows = [['process', 'pid', 'API', 'operator', 'feed']];
  for (const { name, url, child } of cluster.etcd.nodes) rows.push([name, `${child.pid}`, url]);
  for (const { name, role, url, adminUrl, feedAddress, child } of cluster.nodes) {
    const title = role === 'gateway' || name.startsWith(role) ? name : `${name} (${role})`;
    rows.push([title, `${child.pid}`, url, adminUrl, role === 'gateway' ? '' : feedAddress]);
  }
  const [first, second] = cluster.gateways;
  const [core] = cluster.cores;
  return [
    ...tableText(rows),
    '',
    `Folder          ${cluster.folder} (data and a log of each process)`,
    `Operator token  ${cluster.adminToken} (of each node)`,
    '',
    'Try it: open the console of both gateways, trade in one and watch in the other,',
    `  ${first?.url}/ui/`,
    ...(second === undefined ? [] : [`  ${second.url}/ui/`]),
    'and kill the core meanwhile; the standby takes over within some seconds:',
    `  kill -9 ${core?.child.pid}`,
    '',
  ];
}

/** Resolves with the first signal that asks this process to stop. */
function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => resolve(signal));
    }
  });
}

/** Says when a node ends by itself. The others go on: that is what a cluster is for. */
function watch({ etcd, nodes }: Cluster, isStopping: () => boolean): void {
  for (const { name, child } of [...etcd.nodes, ...nodes]) {
    child.ended.then(({ code, signal }) => {
      if (!isStopping()) say(`${name} has ended (${signal ?? `exit code ${code}`})`);
    });
  }
}

const { values } = readProgramOptions({
  name: 'cluster',
  program: 'npm run cluster --',
  summary:
    'Start three etcd nodes, a core, standbys and gateways on this machine, and stop them all ' +
    'on Ctrl-C',
  options: flagTable({
    folder: optional(textKind('FOLDER'), 'Where the data is kept; a later run goes on with it', {
      fallbackText: 'a temporary folder, removed at the end',
    }),
    gateways: option(wholeKind(1, MOST_NODES), 2, 'Number of gateways'),
    standbys: option(wholeKind(0, MOST_NODES), 1, 'Number of standbys'),
  }),
});
const version = etcdVersion();
if (version === undefined) {
  process.stderr.write(`${ETCD_MISSING}\n`);
  process.exit(FAILED);
}
const stopped = stopSignal();
const isTemporary = values.folder === undefined;
const folder = resolve(values.folder ?? mkdtempSync(join(tmpdir(), 'outcome-exchange-cluster-')));
const { gateways, standbys } = values;
const options: ClusterOptions = { folder, gateways, standbys };
const startMs = performance.now();
let isStopping = false;
try {
  say(`Starting three nodes of etcd ${version}, ${1 + standbys} cores and ${gateways} gateways`);
  const starting = startCluster(options);
  // A signal during the start waits for its end: then everything can be stopped in order.
  const cluster = await starting;
  watch(cluster, () => isStopping);
  for (const line of describe(cluster)) say(line);
  say(`The cluster is ready after ${Math.round(performance.now() - startMs)} ms. Stop: Ctrl-C`);
  const signal = await stopped;
  isStopping = true;
  say(`${signal}: stopping`);
  await cluster.stop();
  say(isTemporary ? 'Stopped; the folder is removed' : `Stopped; the data is in ${folder}`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = FAILED;
} finally {
  if (isTemporary) rmSync(folder, { recursive: true, force: true });
}
// Signal handlers keep the process alive.
process.exit();
