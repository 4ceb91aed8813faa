/**
 * `npm run test:deploy -- container`: builds deploy/container/Dockerfile with podman and runs
 * compose.yaml with podman-compose, as its README says.
 *
 * The base images are not pulled (`images.ts`).
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
import { buildExchange, CONTAINER_USER, importBases } from './images.ts';
import { PROJECT, run, say, waitUntil } from './system.ts';

const FILES = join(PROJECT, 'deploy/container');
/** The project's name for compose is that of its folder, with older versions of podman-compose. */
const NAME = 'outcome-exchange';
const CONTAINER = `${NAME}_exchange_1`;
const URLS = ['http://127.0.0.1:8080', 'http://127.0.0.1:8081'] as const;

class Service {
  readonly #engine: ContainerEngine;
  readonly #folder: string;
  readonly #compose: readonly string[];

  constructor(engine: ContainerEngine, folder: string) {
    this.#engine = engine;
    this.#folder = join(folder, NAME);
    mkdirSync(this.#folder);
    cpSync(join(FILES, 'compose.yaml'), join(this.#folder, 'compose.yaml'));
    mkdirSync(join(folder, 'backups'), { mode: 0o700 });
    chownSync(join(folder, 'backups'), CONTAINER_USER, CONTAINER_USER);
    const exchange = { ulimits: engine.limits(), volumes: [`${folder}/backups:/backups`] };
    const more = { services: { exchange } };
    // JSON is YAML.
    writeFileSync(join(this.#folder, 'more.yaml'), JSON.stringify(more));
    const files = ['compose.yaml', 'more.yaml'].map((name) => join(this.#folder, name));
    this.#compose = ['podman-compose', ...files.flatMap((file) => ['--file', file])];
  }

  get log(): string {
    return this.#engine.attempt('podman', 'logs', CONTAINER).output;
  }

  /** As the README makes it; then its content is replaced in place. */
  writeToken(token: string): void {
    const file = join(this.#folder, 'admin-token');
    writeFileSync(file, `${token}\n`);
    chmodSync(file, 0o400);
    chownSync(file, CONTAINER_USER, CONTAINER_USER);
  }

  up(): void {
    this.#engine.run(...this.#compose, 'up', '--detach', '--no-build');
  }

  podman(...words: string[]): string {
    return this.#engine.run('podman', ...words, CONTAINER);
  }

  exec(...words: string[]) {
    return this.#engine.attempt('podman', 'exec', CONTAINER, ...words);
  }

  state(field: string): string {
    return this.podman('inspect', `--format={{.State.${field}}}`).trim();
  }

  async waitUntilHealthy(): Promise<void> {
    await waitUntil(`healthy: ${this.log}`, () => {
      return this.#engine.attempt('podman', 'healthcheck', 'run', CONTAINER).code === 0;
    });
  }

  session(...words: string[]): Record<string, unknown> {
    const program = join(PROJECT, 'test/deploy/venue-session.ts');
    // Safe: it prints one record.
    return JSON.parse(this.#engine.run(process.execPath, program, ...words)) as Record<
      string,
      unknown
    >;
  }

  /** How many requests an address that a proxy names has left. */
  remainingFor(address: string): string {
    const words = ['--silent', '--include', '--header', `X-Forwarded-For: ${address}`];
    const head = this.#engine.run('curl', ...words, `${URLS[0]}/time`);
    return /^x-ratelimit-remaining: (\d+)/im.exec(head)?.[1] ?? head;
  }
}

/** What the image and compose.yaml promise about process 1. */
function checkConfinement(service: Service): void {
  const status = service.exec('cat', '/proc/1/status').output;
  for (const line of [/^NSpid:\t1$/m, /^CapBnd:\t0{16}$/m, /^NoNewPrivs:\t1$/m, /^Seccomp:\t2$/m]) {
    assert.match(status, line);
  }
  assert.match(status, new RegExp(`^Uid:(\t${CONTAINER_USER}){4}$`, 'm'));
  for (const path of ['/x', '/opt/outcome-exchange/x']) {
    assert.match(service.exec('touch', path).output, /Read-only file system/);
  }
  say(`process 1 is user ${CONTAINER_USER}, without capabilities, and its root is read-only`);
}

/** Requests of the machine come from the gateway, which compose.yaml trusts as a proxy. */
function checkProxy(service: Service): void {
  const [first, second, other] = ['203.0.113.1', '203.0.113.1', '203.0.113.2'].map((address) =>
    service.remainingFor(address),
  );
  assert.equal(Number(second), Number(first) - 1);
  assert.equal(other, first);
  say('a proxy on the machine names the addresses of clients');
}

async function tryService(service: Service): Promise<void> {
  service.writeToken('short');
  service.up();
  await waitUntil('a refused start ends', () => service.log.includes('16 to 256'));
  say('with a token that is too short it does not start');
  service.podman('rm', '--force', '--time=0');

  let token = randomBytes(32).toString('base64');
  service.writeToken(token);
  service.up();
  await service.waitUntilHealthy();
  say('podman-compose up: healthy');
  checkConfinement(service);
  checkProxy(service);
  const facts = service.session('trade', ...URLS, token);
  const { market, book } = facts;
  const look = () => service.session('look', ...URLS, token, String(market));
  say(`the published client traded: ${JSON.stringify(book)}`);

  token = randomBytes(32).toString('base64');
  service.writeToken(token);
  service.podman('kill', '--signal=HUP');
  await waitUntil('the token was read again', () => service.log.includes('were read again'));
  assert.deepEqual(look(), facts);
  say('SIGHUP: the new token is known');

  const rotated = service.exec('outcome-exchange', 'rotate-backups', '/backups');
  assert.match(rotated.output, /It was restored and verified/);
  assert.equal(service.exec('outcome-exchange', 'verify').code, 0);
  say('rotate-backups and verify, beside it: good');

  const pid = service.state('Pid');
  process.kill(Number(pid), 'SIGKILL');
  await waitUntil('it is started again', () => !['0', pid].includes(service.state('Pid')));
  await service.waitUntilHealthy();
  assert.deepEqual(look(), facts);
  say('killed, it was started again, and shows the same');

  service.podman('stop');
  assert.equal(service.state('ExitCode'), '0');
  service.podman('start');
  await service.waitUntilHealthy();
  assert.deepEqual(look(), facts);
  say('SIGTERM ended it with exit code 0; started again, it shows the same');
}

const folder = mkdtempSync(join(tmpdir(), 'deploy-container-'));
const engine = new ContainerEngine(join(folder, 'engine'));
try {
  importBases(engine, folder);
  buildExchange(engine);
  // podman-compose 1.0 makes networks without the addresses that compose.yaml names.
  const addresses = ['--subnet=172.30.80.0/29', '--gateway=172.30.80.1'];
  run('podman', ['network', 'create', ...addresses, `${NAME}_exchange`]);
  const service = new Service(engine, folder);
  try {
    await tryService(service);
  } catch (error) {
    process.stderr.write(service.log);
    throw error;
  }
} finally {
  engine.close();
  rmSync(folder, { recursive: true, force: true });
}
