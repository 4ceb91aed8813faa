/** The npm package, as another project uses it, and what a server runs, which is made of it. */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import t from 'tap';
import { deadLinks } from '../../.ci/links.mjs';
import { makeServer } from '../../.ci/server.mjs';
import packageJson from '../../package.json' with { type: 'json' };
import { FAULT_KINDS } from '../../sandbox/faults/kinds.ts';
import { type Exchange, FAULT_NAMES } from '../../sandbox/package/exchange-types.ts';
import type { ExchangeError } from '../../sandbox/package/operator.ts';
import type { startExchange } from '../../sandbox/package/start-exchange.ts';
import { isLong } from '../long-set.ts';
import { isAlive } from '../run-folder.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { makeProject, PACKAGES, readmeExample } from './packed-project.ts';

const { version } = packageJson;
const project = makeProject(t);
interface Packed {
  readonly startExchange: typeof startExchange;
  readonly ExchangeError: typeof ExchangeError;
}

/** As a file of the other project would import it. */
const packed: Packed = await import(
  join(project.folder, 'node_modules', 'outcome-exchange', 'dist', 'sandbox-package-index.js')
);
/** The environment of another project: nothing of this test runner. */
const env = { PATH: process.env.PATH };
// `startExchange` runs the program with the environment of this process.
delete process.env.TEST_BUNDLE;

t.test('the package has the program, its data and its documents, and no sources', async (t) => {
  for (const path of [
    'outcome-exchange',
    'dist/main.js',
    'dist/types/index.d.ts',
    'dist/licenses.txt',
    'LICENSE',
  ]) {
    t.ok(project.files.includes(path), path);
  }
  const foreign = project.files.filter((path) =>
    /^(test|bench|\.ci|engine)\/.*(?<!\.md)$|^(?!docs\/|deploy\/).*(?<!\.d)\.ts$/.test(path),
  );
  t.strictSame(foreign, []);
});

// History: 106 of 175 links led to files that the package does not have.
t.test('every link of its documents leads to a file of it', async (t) => {
  const home = join(project.folder, 'node_modules', 'outcome-exchange');
  t.strictSame(deadLinks(home), []);
  rmSync(join(home, 'SECURITY.md'));
  t.ok(deadLinks(home).includes('README.md: SECURITY.md'), 'a missing file is found');
});

t.test('its kinds of faults are those of the exchange', async (t) => {
  t.strictSame([...FAULT_NAMES], FAULT_KINDS.map(({ name }) => name).sort());
});

t.test("the test of a bot in README passes, and fails without the exchange's memory", async (t) => {
  const lines = readmeExample().trimEnd().split('\n');
  t.ok(lines.length <= 35, `${lines.length} lines`);
  const file = project.write('bot.test.js', readmeExample());
  const run = promisify(execFile)(process.execPath, ['--test', file], { env });
  t.match(await run, { stdout: /^# pass 1$/m });
  // A bot that signs a new order after the failure has two.
  const twice = readmeExample().replace(
    'await client.postOrder(order); ',
    'await client.createAndPostOrder(wish); ',
  );
  const naive = project.write('naive.test.js', twice);
  const failing = promisify(execFile)(process.execPath, ['--test', naive], { env });
  const failure = await failing.then(
    () => undefined,
    (error: unknown) => error,
  );
  t.match(failure, { code: 1, stdout: /2 !== 1/ });
});

t.test(
  'the program in docs/package.md runs, and the page names each option and part',
  async (t) => {
    const home = join(project.folder, 'node_modules', 'outcome-exchange');
    const page = readFileSync(join(home, 'docs', 'package.md'), 'utf8');
    const blocks = [...page.matchAll(/```js\n([\s\S]*?)```/g)].map(([, block = '']) => block);
    t.ok(blocks.length >= 6);
    const file = project.write('page.js', blocks.join(''));
    t.match(await promisify(execFile)(process.execPath, [file], { env }), { stderr: '' });
    const types = readFileSync(join(home, 'dist', 'types', 'exchange-types.d.ts'), 'utf8');
    const membersOf = (name: string): readonly string[] => {
      const [, body = ''] = new RegExp(`interface ${name} \\{([\\s\\S]*?)\\n\\}`).exec(types) ?? [];
      return [...body.matchAll(/^ +(?:readonly )?(\w+)\??[(:]/gm)].map(([, member = '']) => member);
    };
    for (const type of ['ExchangeOptions', 'DevAccount', 'Exchange']) {
      const members = membersOf(type);
      t.ok(members.length >= 5, type);
      t.strictSame(
        members.filter((member) => !new RegExp(`\\b${member}\\b`).test(page)),
        [],
        type,
      );
    }
  },
);

/** The test that docs/ci.md has for a runner. */
function ciTest(runner: string): string {
  const page = readFileSync(new URL('../../docs/ci.md', import.meta.url), 'utf8');
  const [, code] = new RegExp(`\`\`\`js ${runner}\\n([\\s\\S]*?)\`\`\``).exec(page) ?? [];
  if (code === undefined) throw new Error(`docs/ci.md has no test for ${runner}`);
  return code;
}

t.test('the test in docs/ci.md for node:test passes', async (t) => {
  const file = project.write('ci.test.mjs', ciTest('node'));
  const run = promisify(execFile)(process.execPath, ['--test', file], { env });
  t.match(await run, { stdout: /^# pass 1$/m });
});

// Each runner is 30 to 100 MB of packages, which no other test needs.
t.test('those for vitest and jest pass', { skip: !isLong && 'in the long set' }, async (t) => {
  const words = ['--no-audit', '--no-fund', '--loglevel=error'];
  for (const [runner, version, command] of [
    ['vitest', '5.1.2', ['vitest', 'run']],
    ['jest', '30.5.2', ['jest', '--testMatch', '**/*.test.mjs']],
  ] as const) {
    const cwd = temporaryFolder(t);
    const named = [project.packageFile, `${runner}@${version}`];
    execFileSync('npm', ['install', ...named, ...words], { cwd, env });
    writeFileSync(join(cwd, 'bot.test.mjs'), ciTest(runner));
    const [program, ...flags] = command;
    const run = promisify(execFile)(join(cwd, 'node_modules/.bin', program), flags, {
      cwd,
      env: { ...env, ...(runner === 'jest' && { NODE_OPTIONS: '--experimental-vm-modules' }) },
    });
    const { stdout, stderr } = await run;
    t.match(stdout + stderr, /Tests:? +1 passed/);
  }
});

t.test('its types are those of a strict project in TypeScript', async (t) => {
  const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2024'];
  const code = (fault: string) => `
    import { type Exchange, ExchangeError, startExchange } from 'outcome-exchange';
    export async function use(): Promise<Exchange> {
      await using exchange = await startExchange({ flags: ['--dev-accounts', '1'] });
      const fired: number = (await exchange.faults.add({ kind: ${fault} })).fired;
      const error = new ExchangeError(400, {});
      return fired > error.status ? exchange : startExchange();
    }`;
  const compile = (text: string) => {
    const file = project.write('use.ts', text);
    const words = [...options, '--lib', 'es2024,esnext.disposable', '--types', 'node', file];
    return execFileSync('tsc', words, { cwd: project.folder, encoding: 'utf8' });
  };
  t.equal(compile(code("'restart'")), '');
  t.throws(() => compile(code("'restrt'")), 'a kind is one of the exchange');
});

t.test('npx outcome-exchange prints its help', async (t) => {
  const program = join(project.folder, 'node_modules', 'outcome-exchange', 'outcome-exchange');
  const help = execFileSync(program, ['--help'], { env, encoding: 'utf8' });
  // What it says to type works there: the package has no script in the project's folder.
  t.match(help, /^Usage: npx outcome-exchange /);
  t.notMatch(help, './outcome-exchange');
});

t.test('started by npx from its file, it names a command that works in any folder', async (t) => {
  const modules = join(temporaryFolder(t), '_npx', 'a1', 'node_modules');
  const home = join(modules, 'outcome-exchange');
  cpSync(join(project.folder, 'node_modules', 'outcome-exchange'), home, { recursive: true });
  for (const name of readdirSync(PACKAGES)) symlinkSync(join(PACKAGES, name), join(modules, name));
  const program = join(home, 'outcome-exchange');
  const help = execFileSync(program, ['--help'], { env, encoding: 'utf8' });
  // A long path stands on a line of its own.
  t.strictSame(help.split(/\s+/).slice(0, 2), ['Usage:', program]);
});

t.test('an exchange ends with the process that started it', async (t) => {
  const file = project.write(
    'killed.js',
    `import { startExchange } from 'outcome-exchange';
     console.log((await startExchange()).pid);`,
  );
  const child = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface(child.stdout), 'line');
  const pid = Number(line);
  t.teardown(() => isAlive(pid) && process.kill(pid, 'SIGKILL'));
  t.ok(isAlive(pid));
  child.kill('SIGKILL');
  while (isAlive(pid)) await sleep(5);
});

t.test('a start that fails says why', async (t) => {
  await t.rejects(packed.startExchange({ flags: ['--no-such-flag'] }), {
    message: /ended with code 2 before it was ready:\n.*--no-such-flag/,
  });
});

t.test('a server runs the bundle: no sources are beside it', async (t) => {
  const home = join(temporaryFolder(t), 'server');
  makeServer(project.packageFile, home);
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' });
  t.strictSame(
    files.filter((path) => /^(?!docs\/|deploy\/).*(?<!\.d)\.tsx?$/.test(path)),
    [],
  );
  // Without the lock file, an installation would choose other packages than those of the tests.
  for (const path of ['.ci/install.mjs', '.npmrc', 'package-lock.json', 'deploy/systemd/README.md'])
    t.ok(files.includes(path), path);
  // History: 88 of 224 links were dead.
  t.strictSame(deadLinks(home), [], 'every link of its documents leads to a file of it');
  symlinkSync(PACKAGES, join(home, 'node_modules'));
  const program = join(home, 'outcome-exchange');
  t.equal(execFileSync(program, ['--version'], { env, encoding: 'utf8' }), `${version}\n`);
  const data = join(home, 'data');
  const flags = ['--data', data, '--port', '0', '--admin-port', '0', '--log-level', 'error'];
  const child = spawn(program, ['serve', '--json', ...flags], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  const [line] = await once(createInterface(child.stdout), 'line');
  const { adminPort } = JSON.parse(line);
  const headers = {
    authorization: `Bearer ${readFileSync(join(data, 'admin.token'), 'utf8').trim()}`,
    'content-type': 'application/json',
  };
  const url = `http://127.0.0.1:${adminPort}/backups`;
  // A backup is made by the program in another process.
  t.equal((await fetch(url, { method: 'POST', headers, body: '{}' })).status, 200);
  let last = null;
  while (last === null) {
    await sleep(20);
    ({ last } = Object(await (await fetch(url, { headers })).json()));
  }
  t.match(last, { error: '' });
  child.kill('SIGTERM');
  t.strictSame(await ended, [0, null]);
});

t.test('with --enable-source-maps a stack trace names the sources', async (t) => {
  const file = project.write(
    'trace.js',
    `import { startExchange } from 'outcome-exchange';
     startExchange({ flags: ['--no-such-flag'] }).catch((error) => console.log(error.stack));`,
  );
  const words = ['--enable-source-maps', file];
  const trace = execFileSync(process.execPath, words, { env, encoding: 'utf8' });
  t.match(trace, /outcome-exchange\/sandbox\/package\/start-exchange\.ts:\d+:\d+/);
});

t.test('its functions do what their routes do, and throw their refusals', async (t) => {
  const exchange: Exchange = await packed.startExchange({ flags: ['--dev-accounts', '1'] });
  t.teardown(() => exchange.stop());
  const { accounts, checkpoints, faults, time } = exchange;
  const [account] = accounts;
  t.equal(accounts.length, 1);
  const balance = async () => {
    const path = `/accounts/${account?.address}`;
    return Object(await exchange.operator('GET', path)).balance;
  };
  const before = await balance();
  const { id, name } = await checkpoints.make('empty');
  t.equal(name, 'empty');
  await exchange.faucet(account?.address ?? '', '12.5');
  t.strictNotSame(await balance(), before);
  const fault = await faults.add({ kind: 'unavailable', match: { path: '/ok' } });
  t.equal((await fetch(`${exchange.url}/ok`)).status, 503);
  const [{ hits = [], fired = 0 } = {}] = await faults.list();
  t.equal(fired, 1);
  t.match(hits, [{ method: 'GET', path: '/ok' }]);
  t.equal((await faults.remove(fault.id)).id, fault.id);
  t.same(await faults.clear(), []);
  const early = await time.now();
  t.ok((await time.advance(3_600)) >= early + 3_600_000);
  await checkpoints.restore(id);
  t.strictSame(await balance(), before);
  t.ok((await time.now()) < early + 3_600_000, 'the time is restored too');
  t.match(await checkpoints.list(), [{ id, name: 'empty' }]);
  await checkpoints.remove(id);
  t.same(await checkpoints.list(), []);
  const refusal = await faults.add({ kind: 'none' as 'restart' }).catch((error: unknown) => error);
  t.type(refusal, packed.ExchangeError);
  t.match(refusal, { name: 'ExchangeError', status: 400, code: 'invalid_payload' });
  await Promise.all([exchange.stop(), exchange.stop()]);
});
