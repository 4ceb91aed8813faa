/**
 * `npm run test:deploy -- container-cluster`: builds both images with podman and runs
 * deploy/container/compose.cluster.yaml with podman-compose, as its README says.
 */
import { strict as assert } from 'node:assert';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ContainerEngine } from './container-engine.ts';
import { buildEtcd, buildExchange, CONTAINER_USER, importBases } from './images.ts';
import { PROJECT, run, say, waitUntil } from './system.ts';

const FILES = join(PROJECT, 'deploy/container');
const FILE = 'compose.cluster.yaml';
/** The project's name for compose is that of its folder, with older versions of podman-compose. */
const NAME = 'outcome-exchange-cluster';
const NODES = ['core-1', 'core-2', 'gateway-1', 'gateway-2'] as const;
const ETCD_NODES = ['etcd-1', 'etcd-2', 'etcd-3'] as const;
const GATEWAYS = [
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8081'],
  ['http://127.0.0.1:8090', 'http://127.0.0.1:8091'],
] as const;

class ClusterService {
  readonly #engine: ContainerEngine;
  readonly #folder: string;
  readonly #compose: readonly string[];
  readonly #token = randomBytes(32).toString('base64');

  constructor(engine: ContainerEngine, folder: string) {
    this.#engine = engine;
    this.#folder = join(folder, NAME);
    mkdirSync(this.#folder);
    cpSync(join(FILES, FILE), join(this.#folder, FILE));
    this.#writeSecret('admin-token', this.#token);
    this.#writeSecret('master-secret', randomBytes(32).toString('hex'));
    const limits = { ulimits: engine.limits() };
    // Podman's own limits, also for etcd, may be higher than this process may give.
    const services = Object.fromEntries([...ETCD_NODES, ...NODES].map((name) => [name, limits]));
    // JSON is YAML.
    writeFileSync(join(this.#folder, 'more.yaml'), JSON.stringify({ services }));
    const files = [FILE, 'more.yaml'].map((name) => join(this.#folder, name));
    this.#compose = ['podman-compose', ...files.flatMap((file) => ['--file', file])];
  }

  #writeSecret(name: string, text: string): void {
    const file = join(this.#folder, name);
    writeFileSync(file, `${text}\n`);
    chmodSync(file, 0o400);
    chownSync(file, CONTAINER_USER, CONTAINER_USER);
  }

  /** The first start makes a log, which needs a core. */
  up(coreRole: 'core' | 'standby'): void {
    const words = [...this.#compose, 'up', '--detach', '--no-build'];
    this.#engine.run('env', `CORE_1_ROLE=${coreRole}`, ...words);
  }

  log(name: string): string {
    return this.#engine.attempt('podman', 'logs', containerOf(name)).output;
  }

  async waitUntilHealthy(name: string): Promise<void> {
    const words = ['podman', 'healthcheck', 'run', containerOf(name)];
    try {
      await waitUntil(`${name} is healthy`, () => this.#engine.attempt(...words).code === 0);
    } catch (error) {
      throw new Error(`${name}:\n${this.log(name)}`, { cause: error });
    }
  }

  podman(word: string, name: string, ...more: string[]): string {
    return this.#engine.run('podman', word, ...more, containerOf(name));
  }

  session(mode: 'trade' | 'look', gateway: number, ...more: string[]): Record<string, unknown> {
    const program = join(PROJECT, 'test/deploy/venue-session.ts');
    const urls = GATEWAYS[gateway] ?? [];
    const words = [process.execPath, program, mode, ...urls, this.#token, ...more];
    // Safe: it prints one record.
    return JSON.parse(this.#engine.run(...words)) as Record<string, unknown>;
  }
}

function containerOf(name: string): string {
  return `${NAME}_${name}_1`;
}

async function mustShow(service: ClusterService, facts: Record<string, unknown>): Promise<void> {
  for (const gateway of GATEWAYS.keys()) {
    await waitUntil(`gateway ${gateway + 1} shows the same`, () => {
      assert.deepEqual(service.session('look', gateway, String(facts.market)), facts);
      return true;
    });
  }
}

async function tryCluster(service: ClusterService): Promise<void> {
  service.up('core');
  for (const name of NODES) await service.waitUntilHealthy(name);
  say('podman-compose up: three etcd nodes, two cores and two gateways are healthy');
  const facts = service.session('trade', 0);
  await mustShow(service, facts);
  say('the published client traded at one gateway; the other one shows the same');

  const pid = service.podman('inspect', 'core-1', '--format={{.State.Pid}}').trim();
  process.kill(Number(pid), 'SIGKILL');
  await mustShow(service, facts);
  const again = service.session('trade', 1, 'after-takeover');
  await mustShow(service, again);
  say('the core was killed: the standby took over, and clients trade on');

  // podman-compose 1.0 does not see that the settings of a container have changed.
  service.podman('rm', 'core-1', '--force');
  service.up('standby');
  for (const name of NODES) await service.waitUntilHealthy(name);
  await mustShow(service, again);
  say('up again without CORE_1_ROLE: both cores run as standbys from now on');

  for (const name of NODES.toReversed()) service.podman('stop', name);
  for (const name of NODES) {
    assert.equal(service.podman('inspect', name, '--format={{.State.ExitCode}}').trim(), '0');
  }
  for (const name of NODES) service.podman('start', name);
  for (const name of NODES) await service.waitUntilHealthy(name);
  await mustShow(service, again);
  say('all nodes stopped with exit code 0; started again, they show the same');
}

const folder = mkdtempSync(join(tmpdir(), 'deploy-cluster-'));
const engine = new ContainerEngine(join(folder, 'engine'));
try {
  importBases(engine, folder);
  buildExchange(engine);
  buildEtcd(engine);
  // podman-compose 1.0 makes networks without the addresses that the file names.
  const addresses = ['--subnet=172.30.81.0/28', '--gateway=172.30.81.1'];
  run('podman', ['network', 'create', ...addresses, `${NAME}_cluster`]);
  await tryCluster(new ClusterService(engine, folder));
} finally {
  engine.close();
  rmSync(folder, { recursive: true, force: true });
}
