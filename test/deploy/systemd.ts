/**
 * `npm run test:deploy -- systemd`: checks the units of deploy/systemd, installs them as its README
 * says into a clean Debian root, boots its systemd, and runs the exchange and its backups under
 * them: with their system call filters, their own user and their limits.
 *
 * Not tried: time-sync.target, because the namespace has no clock of its own, and limits that need
 * control groups of version 2.
 */
import { strict as assert } from 'node:assert';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BootedSystem } from './booted-system.ts';
import { addNode, makeDebianRoot, PROJECT, run, runInRoot, say, waitUntil } from './system.ts';

const UNIT = 'outcome-exchange.service';
const BACKUP = 'outcome-exchange-backup.service';
const TIMER = 'outcome-exchange-backup.timer';
const FILES = join(PROJECT, 'deploy/systemd');
const URLS = ['http://127.0.0.1:8080', 'http://127.0.0.1:8081'] as const;
const SETTINGS = '/etc/outcome-exchange/settings.json';
const BACKUPS = '/var/backups/outcome-exchange';
const readme = readFileSync(join(FILES, 'README.md'), 'utf8');

/** The steps of the README, one a line. */
const [, steps = ''] = /^## Install it$.*?^```sh\n(.*?)^```$/ms.exec(readme) ?? [];
const INSTALLING = steps.trim().split('\n');

function isForSystemd(step: string): boolean {
  return step.startsWith('systemctl ');
}

interface Installed {
  readonly system: BootedSystem;
  readonly root: string;
  /** The operator's. */
  readonly token: string;
}

/**
 * Makes a root with systemd, Node and npm, and carries out those steps of the README there that
 * need no systemd. Returns the operator's token.
 */
function install(root: string): string {
  makeDebianRoot(root);
  addNode(root);
  cpSync('/etc/resolv.conf', join(root, 'etc/resolv.conf'));
  const packages = 'systemd systemd-sysv openssl';
  runInRoot(root, `apt-get install --yes --no-install-recommends ${packages}`);
  run(process.execPath, [join(PROJECT, '.ci/server.mjs'), join(root, 'opt/outcome-exchange')]);
  // Its network is that of this machine, for npm; a booted system has none.
  runInRoot(root, INSTALLING.filter((step) => !isForSystemd(step)).join('\n'));
  return readFileSync(join(root, 'etc/outcome-exchange/admin-token'), 'utf8').trim();
}

/** Verifies the units, and compares their exposure with what the README says. */
function analyze(root: string): void {
  const paths = [UNIT, BACKUP, TIMER].map((name) => `/etc/systemd/system/${name}`);
  const complaints = runInRoot(root, `systemd-analyze verify --man=no ${paths.join(' ')}`);
  assert.equal(complaints, '');
  say('systemd-analyze verify has no complaint');
  for (const name of [UNIT, BACKUP]) {
    const command = 'systemd-analyze security --offline=yes';
    const printed = runInRoot(root, `${command} /etc/systemd/system/${name}`);
    const [, level = ''] = /Overall exposure level for \S+: ([0-9.]+)/.exec(printed) ?? [];
    assert.ok(readme.includes(`| \`${name}\` | ${level} |`), `${name} has ${level} in the README`);
    say(`systemd-analyze security ${name}: ${level}`);
  }
}

function session(system: BootedSystem, ...words: string[]): Record<string, unknown> {
  const program = join(PROJECT, 'test/deploy/venue-session.ts');
  // Safe: it prints one record.
  return JSON.parse(system.runOutside(process.execPath, program, ...words)) as Record<
    string,
    unknown
  >;
}

async function waitUntilActive(system: BootedSystem): Promise<void> {
  await waitUntil('the exchange is active', () => {
    return system.show(UNIT, 'ActiveState') === 'active';
  });
}

function checkConfinement(system: BootedSystem): void {
  const pid = system.show(UNIT, 'MainPID');
  const status = system.run('cat', `/proc/${pid}/status`);
  const uid = system.run('id', '--user', 'outcome-exchange').trim();
  assert.match(status, new RegExp(`^Uid:(\t${uid}){4}$`, 'm'));
  assert.match(status, /^CapBnd:\t0{16}$/m);
  assert.match(status, /^NoNewPrivs:\t1$/m);
  assert.match(status, /^Seccomp:\t2$/m);
  assert.equal(
    system.run('stat', '--format=%U %a', '/var/lib/outcome-exchange').trim(),
    'outcome-exchange 700',
  );
  // Root itself could not write there, in the mounts of the unit.
  const inUnit = ['nsenter', '--target', pid, '--mount', 'touch'];
  for (const path of ['/usr/x', '/etc/x', `${BACKUPS}/x`]) {
    assert.match(system.attempt(...inUnit, path).output, /Read-only file system/);
  }
  say(`it runs as user ${uid}, without capabilities, under the filter of system calls`);
}

async function checkRestarts(system: BootedSystem, look: () => unknown, facts: unknown) {
  const pid = system.show(UNIT, 'MainPID');
  system.run('systemctl', 'kill', '--kill-who=main', '--signal=KILL', UNIT);
  await waitUntil('it is started again', () => {
    const next = system.show(UNIT, 'MainPID');
    return next !== pid && next !== '0' && system.show(UNIT, 'ActiveState') === 'active';
  });
  assert.deepEqual(look(), facts);
  say('killed, it was started again, with the same market, book, last trade and sums');
  system.run('systemctl', 'stop', UNIT);
  assert.equal(system.show(UNIT, 'Result'), 'success');
  assert.equal(system.show(UNIT, 'ExecMainStatus'), '0');
  say('systemctl stop ended it with exit code 0');
}

/** Starts it with a wrong setting, and with a data folder that it must refuse. */
async function checkRefusals(system: BootedSystem, root: string): Promise<void> {
  const failed = (): boolean => system.show(UNIT, 'ActiveState') === 'failed';
  const good = readFileSync(join(root, SETTINGS), 'utf8');
  writeFileSync(join(root, SETTINGS), good.replace('strict', 'strickt'));
  assert.notEqual(system.attempt('systemctl', 'start', UNIT).code, 0);
  await waitUntil('wrong settings are refused', failed);
  assert.deepEqual(
    ['ExecMainStatus', 'NRestarts'].map((name) => system.show(UNIT, name)),
    ['2', '0'],
  );
  say('wrong settings: exit code 2, and no restart');
  writeFileSync(join(root, SETTINGS), good);
  const folder = '/run/systemd/system/outcome-exchange.service.d';
  system.run('mkdir', '-p', folder);
  system.run('sh', '-c', `printf '[Service]\\nRestartSec=100ms\\n' > ${folder}/quick.conf`);
  system.run('systemctl', 'daemon-reload');
  system.run('systemctl', 'reset-failed', UNIT);
  system.run(
    'sh',
    '-c',
    'mkdir /var/tmp/aside && mv /var/lib/outcome-exchange/journal.db* /var/tmp/aside',
  );
  system.attempt('systemctl', 'start', '--no-block', UNIT);
  await waitUntil('a refused start ends', failed);
  assert.equal(system.show(UNIT, 'Result'), 'exit-code');
  const log = system.run('journalctl', '--unit', UNIT, '--output=cat');
  assert.match(log, /Start request repeated too quickly/);
  say(`a folder that lost its journal: refused ${system.show(UNIT, 'NRestarts')} times, then left`);
  system.run('sh', '-c', 'mv /var/tmp/aside/* /var/lib/outcome-exchange');
  system.run('systemctl', 'reset-failed', UNIT);
  system.run('systemctl', 'start', UNIT);
  say('with the journal back, it starts');
}

function checkBackups(system: BootedSystem): void {
  for (let count = 0; count < 2; count += 1) system.run('systemctl', 'start', BACKUP);
  const names = system
    .run('ls', BACKUPS)
    .split('\n')
    .filter((name) => name.endsWith('.tar'));
  assert.equal(names.length, 2);
  const log = system.run('journalctl', '--unit', BACKUP, '--output=cat');
  assert.match(log, /It was restored and verified/);
  assert.equal(system.show(TIMER, 'ActiveState'), 'active');
  assert.notEqual(system.show(TIMER, 'NextElapseUSecRealtime'), '');
  const stranger = ['setpriv', '--reuid=65534', '--clear-groups', 'ls', BACKUPS];
  assert.notEqual(system.attempt(...stranger).code, 0, 'others may not look at backups');
  // As the README rehearses it.
  const program = '/opt/outcome-exchange/outcome-exchange';
  const rehearsal = '/root/rehearsal';
  system.run(program, 'restore', `${BACKUPS}/${names[0]}`, '--data', rehearsal);
  system.run(program, 'verify', '--data', rehearsal);
  const asUser = ['runuser', '-u', 'outcome-exchange', '--', program];
  system.run(...asUser, 'verify', '--data', '/var/lib/outcome-exchange');
  say(`the backup unit made ${names.join(' and ')}; its timer waits for the next`);
}

/** Changes from one token to operators with names, whose file is read again while it runs. */
async function checkOperators({ system, root, token }: Installed, look: () => unknown) {
  const folder = '/etc/systemd/system/outcome-exchange.service.d';
  const file = '/etc/outcome-exchange/operators.json';
  const name = (holder: string): void => {
    const hash = createHash('sha256').update(holder).digest('hex');
    const operators = [{ name: 'test', roles: ['admin'], tokenHashes: [hash] }];
    writeFileSync(join(root, file), JSON.stringify({ operators }), { mode: 0o640 });
  };
  name('another-token-of-an-operator');
  system.run('chgrp', 'outcome-exchange', file);
  mkdirSync(join(root, folder));
  cpSync(join(FILES, 'operators.conf'), join(root, folder, 'operators.conf'));
  system.run('systemctl', 'daemon-reload');
  system.run('systemctl', 'restart', UNIT);
  assert.throws(look, /401/);
  name(token);
  system.run('systemctl', 'reload', UNIT);
  await waitUntil('the new token is known', () => look() !== undefined);
  say('operators with names: systemctl reload took a new token, without a restart');
}

/** From now on, a system call that the units refuse with an error ends the process. */
async function endOnOtherCalls(system: BootedSystem): Promise<void> {
  for (const unit of [UNIT, BACKUP]) {
    const folder = `/run/systemd/system/${unit}.d`;
    system.run('mkdir', '-p', folder);
    const setting = '[Service]\\nSystemCallErrorNumber=kill\\n';
    system.run('sh', '-c', `printf '${setting}' > ${folder}/kill.conf`);
  }
  system.run('systemctl', 'daemon-reload');
  system.run('systemctl', 'restart', UNIT);
  await waitUntilActive(system);
}

async function tryUnits({ system, root, token }: Installed): Promise<void> {
  await waitUntil('the system has booted', () => {
    const { output } = system.attempt('systemctl', 'is-system-running');
    return ['running', 'degraded'].includes(output.trim());
  });
  for (const step of INSTALLING.filter(isForSystemd)) system.run('sh', '-ec', step);
  for (const step of INSTALLING) say(step);
  // systemctl returned when systemd was told that the exchange is ready.
  assert.equal(system.show(UNIT, 'ActiveState'), 'active');
  say('the exchange is active');
  checkConfinement(system);
  const facts = session(system, 'trade', ...URLS, token);
  const look = () => session(system, 'look', ...URLS, token, String(facts.market));
  say(`the published client traded: ${JSON.stringify(facts.book)}`);
  system.run('systemctl', 'reload', UNIT);
  await waitUntil('the token was read again', () => {
    const log = system.run('journalctl', '--unit', UNIT, '--output=cat');
    return log.includes('the operators and their tokens were read again');
  });
  say('systemctl reload read the token again');
  checkBackups(system);
  await checkRestarts(system, look, facts);
  await checkRefusals(system, root);
  assert.deepEqual(look(), facts);
  await checkOperators({ system, root, token }, look);
  assert.deepEqual(look(), facts);
  await endOnOtherCalls(system);
  assert.deepEqual(session(system, 'backup', ...URLS, token, String(facts.market)), facts);
  system.run('systemctl', 'start', BACKUP);
  system.run('systemctl', 'stop', UNIT);
  assert.equal(system.show(UNIT, 'Result'), 'success');
  say('a filter that ends the process for any other system call ended neither unit');
}

const folder = mkdtempSync(join(tmpdir(), 'deploy-systemd-'));
try {
  const root = join(folder, 'root');
  const token = install(root);
  analyze(root);
  const log = join(folder, 'log');
  const system = new BootedSystem(root, log);
  try {
    await tryUnits({ system, root, token });
  } catch (error) {
    process.stderr.write(`${readFileSync(log, 'utf8')}\n`);
    process.stderr.write(system.attempt('journalctl', '--no-pager', '--lines=60').output);
    throw error;
  } finally {
    await system.powerOff();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
