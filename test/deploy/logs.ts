/**
 * `npm run test:deploy -- logs`: Debian's rsyslog and logrotate keep the log of an exchange with
 * the files of `deploy/watching/`. The file is rotated again and again while requests arrive, and
 * each request is in it once.
 */
import { strict as assert } from 'node:assert';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './front-servers.ts';
import { PROJECT, run, say, waitUntil } from './system.ts';
import { WATCHING } from './watching-files.ts';

const REQUESTS = 10_000;
const CLIENTS = 8;
const ROTATION_MS = 300;
const POLL_MS = 100;
const LOG = '/var/log/outcome-exchange.log';
const ID = 'counted-';

interface Place {
  readonly folder: string;
  readonly log: string;
  readonly socket: string;
  readonly processFile: string;
}

/** A file of `deploy/watching/`, for a log in the folder of the test. */
function installed(name: string, { log }: Place): string {
  return readFileSync(join(WATCHING, name), 'utf8').replaceAll(LOG, log);
}

/** Starts rsyslog for a socket of its own, and writes what logrotate needs. */
function startRsyslog(place: Place): ChildProcess {
  const { folder, socket, processFile } = place;
  const main = [
    'module(load="imuxsock" SysSock.Use="off")',
    `input(type="imuxsock" Socket="${socket}" RateLimit.Interval="0")`,
    installed('rsyslog.conf', place),
  ];
  writeFileSync(join(folder, 'rsyslog.conf'), main.join('\n'));
  const rotation = installed('logrotate.conf', place)
    .replace('/usr/lib/rsyslog/rsyslog-rotate', `kill -HUP $(cat ${processFile})`)
    .replace('rotate 14', 'rotate 1000')
    .replace('delaycompress', 'nocompress')
    .replace('{\n', '{\n  su root root\n');
  writeFileSync(join(folder, 'logrotate.conf'), rotation);
  const words = ['-n', '-f', join(folder, 'rsyslog.conf'), '-i', processFile];
  return spawn('rsyslogd', words, { stdio: 'inherit' });
}

/** Starts an exchange whose standard error goes to `logger`. Returns its port. */
async function startExchange({ folder, socket }: Place): Promise<number> {
  const [port, adminPort] = [await freePort(), await freePort()];
  const flags = `--data ${folder}/data --crowd off --port ${port} --admin-port ${adminPort}`;
  const serve = `"$0" main.ts serve ${flags} --log-level debug`;
  const logger = `logger --socket ${socket} --size 8192 --tag outcome-exchange`;
  spawn('sh', ['-c', `${serve} 2>&1 >/dev/null | ${logger}`, process.execPath], {
    cwd: PROJECT,
    stdio: 'inherit',
  });
  await waitUntil('the exchange is ready', () => isReady(port));
  return port;
}

function isReady(port: number): boolean {
  return spawnSync('curl', ['-sf', `http://127.0.0.1:${port}/readyz`]).status === 0;
}

async function sendRequests(port: number): Promise<void> {
  let sent = 0;
  const client = async (): Promise<void> => {
    while (sent < REQUESTS) {
      const headers = { 'x-request-id': `${ID}${sent}` };
      sent += 1;
      await (await fetch(`http://127.0.0.1:${port}/nowhere`, { headers })).arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
}

/** How often each request is in the files. Throws if a line is not whole. */
function countLines({ folder, log }: Place): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const name = log.slice(folder.length + 1);
  for (const file of readdirSync(folder).filter((one) => one.startsWith(name))) {
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
      if (line === '') continue;
      // Safe: only the id is read, and it is compared.
      const { requestId = '' } = JSON.parse(line) as { readonly requestId?: string };
      if (requestId.startsWith(ID)) counts.set(requestId, (counts.get(requestId) ?? 0) + 1);
    }
  }
  return counts;
}

async function rotateWhile(place: Place, work: Promise<void>): Promise<number> {
  const { folder } = place;
  let isOver = false;
  const ended = work.finally(() => {
    isOver = true;
  });
  let rotations = 0;
  for (; !isOver; rotations += 1) {
    run('logrotate', ['--force', '--state', join(folder, 'state'), join(folder, 'logrotate.conf')]);
    await sleep(ROTATION_MS);
  }
  await ended;
  return rotations;
}

async function keepLog(place: Place): Promise<void> {
  const rsyslog = startRsyslog(place);
  await waitUntil('rsyslog listens', () => existsSync(place.socket));
  const port = await startExchange(place);
  const exchange = Number(readFileSync(join(place.folder, 'data/lock.pid'), 'utf8'));
  try {
    const rotations = await rotateWhile(place, sendRequests(port));
    await waitUntil('every request is in the log', () => countLines(place).size === REQUESTS);
    await sleep(POLL_MS);
    const twice = [...countLines(place).values()].filter((count) => count > 1);
    assert.equal(twice.length, 0, 'no line is there twice');
    assert.ok(rotations >= 3, `${rotations} rotations`);
    say(`${REQUESTS} requests and ${rotations} rotations: each request is in the log once`);
  } finally {
    process.kill(exchange, 'SIGTERM');
    await waitUntil('the exchange has ended', () => !isReady(port));
    rsyslog.kill('SIGTERM');
    await once(rsyslog, 'exit');
  }
}

const folder = mkdtempSync(join(tmpdir(), 'exchange-logs-'));
try {
  await keepLog({
    folder,
    log: join(folder, 'exchange.log'),
    socket: join(folder, 'log.socket'),
    processFile: join(folder, 'rsyslog.pid'),
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
