/** The exchange as people start it: by npm, and from a terminal. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { isAlive } from './run-folder.ts';
import { temporaryFolder } from './temporary-folder.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FLAGS = ['--json', '--port', '0', '--admin-port', '0', '--dev-accounts', '1'];

/** Starts a command that runs an exchange, and waits until the exchange is ready. */
async function start(t: Test, command: string, words: readonly string[]) {
  const child: ChildProcess = spawn(command, words, { cwd: ROOT, stdio: ['pipe', 'pipe', 'pipe'] });
  t.teardown(() => child.kill('SIGKILL'));
  for await (const line of createInterface({ input: child.stdout ?? process.stdin })) {
    if (!line.includes('"ready":true')) continue;
    // Safe: program.test.ts checks every key of this line.
    const { pid } = JSON.parse(line) as { pid: number };
    t.teardown(() => isAlive(pid) && process.kill(pid, 'SIGKILL'));
    return { child, pid };
  }
  throw new Error(`${command} ended before the exchange was ready`);
}

// The shell between npm and the exchange once kept the signal for itself, and the exchange went on
// with its port and its folder.
t.test('SIGTERM to npm start stops the exchange before npm ends', async (t) => {
  const words = ['start', '--silent', '--ignore-scripts', '--', '--memory', ...FLAGS];
  const { child, pid } = await start(t, 'npm', words);
  child.kill('SIGTERM');
  t.strictSame(await once(child, 'exit'), [0, null]);
  t.notOk(isAlive(pid));
});

// The flags of `script` are those of util-linux.
const skip = process.platform !== 'linux' && 'needs the script command of Linux';
t.test('closing the terminal stops the exchange cleanly', { skip }, async (t) => {
  const data = join(temporaryFolder(t), 'data');
  const line = [process.execPath, 'main.ts', '--data', data, ...FLAGS].join(' ');
  const { child, pid } = await start(t, 'script', ['--quiet', '--command', line, '/dev/null']);
  t.notOk(existsSync(join(data, 'snapshots')));
  child.kill('SIGKILL');
  while (isAlive(pid)) await sleep(5);
  t.ok(existsSync(join(data, 'snapshots')), 'a clean stop writes a snapshot');
});

// The terminal sends Ctrl-C to all of its programs, and npm sends it on: the exchange took that for
// a second signal, and never stopped cleanly.
t.test('Ctrl-C stops npm start cleanly', { skip }, async (t) => {
  const data = join(temporaryFolder(t), 'data');
  // Some shells stay between the terminal and npm, and end with 130 whatever npm ends with.
  const line = ['exec npm start --silent --ignore-scripts -- --data', data, ...FLAGS].join(' ');
  const words = ['--quiet', '--return', '--command', line, '/dev/null'];
  const { child, pid } = await start(t, 'script', words);
  child.stdin?.write('\u0003');
  t.strictSame(await once(child, 'exit'), [0, null]);
  t.notOk(isAlive(pid));
  t.ok(existsSync(join(data, 'snapshots')), 'a clean stop writes a snapshot');
});

t.test('the launcher asks glibc for huge pages, unless whoever starts it has chosen', async (t) => {
  const printed = 'data:text/javascript,console.log(process.env.GLIBC_TUNABLES)';
  for (const [given, expected] of [
    [undefined, 'glibc.malloc.hugetlb=1'],
    ['', ''],
    ['glibc.malloc.hugetlb=0', 'glibc.malloc.hugetlb=0'],
  ]) {
    const env = { ...process.env, NODE_OPTIONS: `--import=${printed}`, GLIBC_TUNABLES: given };
    const words = ['--version'];
    const output = execFileSync('./outcome-exchange', words, { cwd: ROOT, env, encoding: 'utf8' });
    t.equal(output.split('\n')[0], expected, `GLIBC_TUNABLES=${given}`);
  }
});
