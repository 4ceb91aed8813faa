/**
 * `npm run test:deploy -- container`: carries out each step of deploy/container/Dockerfile in a
 * clean Debian root, and runs the image as compose.yaml would: process 1 of its own namespaces, as
 * its user, without capabilities, with a read-only root and one volume.
 *
 * Not tried, because there is no container engine: pulling the base images, compose itself, and the
 * limits and networks that an engine sets up.
 */
import { strict as assert } from 'node:assert';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  closeSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildImage, type Image } from './image.ts';
import { attempt, PROJECT, run, say } from './system.ts';

const READY_WITHIN_MS = 120_000;
const POLL_MS = 500;
const SECRET = '/run/secrets/admin-token';

/** Written so that mounts of the namespace never reach this machine's own. */
const SETUP = `set -e
root=$1; shift
mount --make-rprivate /
ip link set lo up
mount --bind "$root" "$root"
for volume in $VOLUMES; do mount --bind "$VOLUME_FOLDER" "$root$volume"; done
mount -t proc proc "$root/proc"
mount -o remount,ro,bind "$root"
exec chroot "$root" "$@"
`;

class Container {
  readonly #image: Image;
  readonly #log: string;
  readonly #outside: ChildProcess;

  /** `data` is the folder of the volume. */
  constructor(image: Image, data: string, log: string) {
    this.#image = image;
    this.#log = log;
    const namespaces = '--mount --pid --fork --kill-child --net --ipc --uts'.split(' ');
    const inside = [...this.#asUser(), ...image.entry, ...image.command];
    const output = openSync(log, 'a');
    this.#outside = spawn(
      'unshare',
      [...namespaces, 'sh', '-c', SETUP, 'sh', image.root, ...inside],
      {
        env: { ...process.env, VOLUMES: image.volumes.join(' '), VOLUME_FOLDER: data },
        stdio: ['ignore', output, output],
      },
    );
    closeSync(output);
  }

  /** Its process 1, by its number outside; undefined before it is there. */
  get #first(): string | undefined {
    const { pid, exitCode } = this.#outside;
    assert.equal(exitCode, null, `it has ended: ${this.log}`);
    const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
    return child === '' ? undefined : child;
  }

  #inside(): string {
    const first = this.#first;
    assert.ok(first !== undefined, 'it has begun');
    return first;
  }

  get log(): string {
    return readFileSync(this.#log, 'utf8');
  }

  #asUser(): string[] {
    const { user, environment, folder } = this.#image;
    const variables = { ...environment, ADMIN_TOKEN_FILE: SECRET };
    const [uid, gid] = user.split(':');
    const powers = '--clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all'.split(' ');
    return [
      ...['env', '-i', `--chdir=${folder}`],
      ...Object.entries(variables).map(([name, value]) => `${name}=${value}`),
      ...['setpriv', `--reuid=${uid}`, `--regid=${gid}`, ...powers],
    ];
  }

  /** As `docker exec`: a command in its namespaces, as its user. */
  exec(...words: string[]) {
    const target = ['--target', this.#inside(), '--mount', '--net', '--pid', '--root', '--wd=/'];
    return attempt('nsenter', [...target, ...this.#asUser(), ...words]);
  }

  /** A program of this project, in the network of the container alone. */
  session(...words: string[]): Record<string, unknown> {
    const program = join(PROJECT, 'test/deploy/venue-session.ts');
    const target = ['--target', this.#inside(), '--net'];
    const printed = run('nsenter', [...target, process.execPath, program, ...words]);
    // Safe: it prints one record.
    return JSON.parse(printed) as Record<string, unknown>;
  }

  async waitUntilHealthy(): Promise<void> {
    const { health } = this.#image;
    const end = performance.now() + READY_WITHIN_MS;
    while (this.#first === undefined || this.exec(...health).code !== 0) {
      assert.ok(performance.now() < end, `it is not healthy in time: ${this.log}`);
      await sleep(POLL_MS);
    }
  }

  status(name: string): string {
    const text = readFileSync(`/proc/${this.#inside()}/status`, 'utf8');
    return new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(text)?.[1] ?? '';
  }

  /** Sends a signal to process 1, and returns the exit code. */
  async stop(signal: string): Promise<number | null> {
    process.kill(Number(this.#inside()), signal);
    return this.ended();
  }

  /** Waits until it has ended by itself, and returns the exit code. */
  async ended(): Promise<number | null> {
    await once(this.#outside, 'exit');
    return this.#outside.exitCode;
  }

  kill(): void {
    this.#outside.kill('SIGKILL');
  }
}

async function tryImage(image: Image, folder: string): Promise<void> {
  const data = join(folder, 'volume');
  // An engine fills an empty volume with what the image has there, and so do we.
  cpSync(join(image.root, image.volumes[0] ?? ''), data, { recursive: true });
  run('chown', [image.user, data]);
  run('chmod', ['0700', data]);
  const token = randomBytes(32).toString('base64');
  const log = join(folder, 'log');
  const urls = ['http://127.0.0.1:8080', 'http://127.0.0.1:8081'] as const;

  const refused = new Container(image, data, log);
  const code = await refused.ended();
  assert.notEqual(code, 0);
  say(`without a token of the operator it does not start: exit code ${code}`);

  writeFileSync(join(image.root, SECRET), `${token}\n`, { mode: 0o400 });
  run('chown', [image.user, join(image.root, SECRET)]);
  const first = new Container(image, data, log);
  let facts: Record<string, unknown>;
  try {
    await first.waitUntilHealthy();
    say(`healthy by ${image.health.join(' ')}`);
    checkConfinement(first, image);
    facts = first.session('trade', ...urls, token);
    say(`the published client traded: ${JSON.stringify(facts.book)}`);
    assert.equal(await first.stop(image.stopSignal), 0, first.log);
    say(`${image.stopSignal} to process 1 ended it with exit code 0`);
  } finally {
    first.kill();
  }
  const second = new Container(image, data, log);
  try {
    await second.waitUntilHealthy();
    assert.deepEqual(second.session('look', ...urls, token, String(facts.market)), facts);
    say('started again, it has the same market, book, last trade and sums');
    const verified = second.exec('outcome-exchange', 'verify');
    assert.equal(verified.code, 0, verified.output);
    say('outcome-exchange verify, beside it: good');
    assert.notEqual(await second.stop('SIGKILL'), 0);
  } finally {
    second.kill();
  }
  const third = new Container(image, data, log);
  try {
    await third.waitUntilHealthy();
    assert.deepEqual(third.session('look', ...urls, token, String(facts.market)), facts);
    say('killed and started again, it has them too');
    assert.equal(await third.stop(image.stopSignal), 0, third.log);
  } finally {
    third.kill();
  }
}

/** What the image and compose.yaml promise about process 1. */
function checkConfinement(container: Container, { user, volumes }: Image): void {
  const [uid = ''] = user.split(':');
  assert.equal(container.status('NSpid').split('\t').at(-1), '1');
  assert.deepEqual(new Set(container.status('Uid').split('\t')), new Set([uid]));
  assert.equal(container.status('CapBnd'), '0'.repeat(16));
  assert.equal(container.status('NoNewPrivs'), '1');
  for (const path of ['/x', '/tmp/x', '/opt/outcome-exchange/x']) {
    assert.match(container.exec('touch', path).output, /Read-only file system|Permission denied/);
  }
  assert.equal(container.exec('touch', `${volumes[0]}/x`).code, 0);
  assert.equal(container.exec('rm', `${volumes[0]}/x`).code, 0);
  say(`process 1 is user ${uid}, without capabilities, and can write to the volume alone`);
}

const folder = mkdtempSync(join(tmpdir(), 'deploy-container-'));
try {
  const image = buildImage(folder);
  const size = run('du', ['--summarize', '--block-size=1M', image.root]).split('\t')[0];
  say(`the image has ${size} MB, Debian included`);
  assert.deepEqual(image.volumes.length, 1);
  mkdirSync(join(image.root, 'run/secrets'), { recursive: true });
  assert.deepEqual(readdirSync(join(image.root, image.volumes[0] ?? '')), []);
  await tryImage(image, folder);
  say("not tried: pulling the base images, compose.yaml, an engine's limits and networks");
} finally {
  rmSync(folder, { recursive: true, force: true });
}
