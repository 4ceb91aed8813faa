/** The program on the command line: its arguments, output, exit codes and signals. */
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { type Finished, ProgramProcess, runProgram } from '../program-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const FREE_PORTS = ['--port', '0', '--admin-port', '0'];

interface DevAccount {
  readonly address: string;
  readonly privateKey: string;
  readonly apiKey: string;
  readonly secret: string;
  readonly passphrase: string;
}

interface ReadyLine {
  readonly ready: boolean;
  readonly url: string;
  readonly port: number;
  readonly adminPort: number;
  readonly dataDir: string;
  readonly pid: number;
  readonly ms: number;
  readonly devAccounts: readonly DevAccount[];
}

interface Served {
  readonly program: ProgramProcess;
  readonly ready: ReadyLine;
}

async function serve(
  t: Test,
  dataDir: string,
  words: readonly string[] = [],
  environment?: Record<string, string>,
): Promise<Served> {
  const line = ['serve', '--json', '--data', dataDir, ...FREE_PORTS, ...words];
  const program = new ProgramProcess(t, line, environment);
  // Safe: the first test checks every key.
  const ready = JSON.parse(await program.firstOutput()) as ReadyLine;
  return { program, ready };
}

async function fetchJson(url: string): Promise<Record<string, unknown>> {
  const response = await fetch(url);
  // Safe: these routes answer with objects, and each test checks what it reads.
  return (await response.json()) as Record<string, unknown>;
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** A token of a market whose tick is 0.01. */
async function findToken(url: string): Promise<string> {
  const { data } = await fetchJson(`${url}/simplified-markets`);
  // Safe: the tests of the route check its answer.
  const markets = data as { tokens: { token_id: string }[] }[];
  for (const { tokens } of markets) {
    const id = tokens[0]?.token_id ?? '';
    const { minimum_tick_size: tick } = await fetchJson(`${url}/tick-size?token_id=${id}`);
    if (tick === 0.01) return id;
  }
  throw new Error('the built-in catalog has no such market');
}

function placeOrder(
  t: Test,
  url: string,
  words: readonly string[],
  environment?: Record<string, string>,
): Promise<Finished> {
  return runProgram(t, ['place-order', '--url', url, ...words], environment);
}

// The next tests use one data folder. Each continues where the one before it ended.

const PAPER = ['--dev-accounts', '2', '--paper-amount', '10', '--crowd', 'off'];
const dataDir = temporaryFolder(t);
const folder = join(dataDir, 'one');
const first = await serve(t, folder, PAPER);
const token = await findToken(first.ready.url);
const buy = ['--token', token, '--side', 'BUY', '--price', '0.42', '--size', '10'];

t.test('serve --json prints one line with all that a program needs', async (t) => {
  const { program, ready } = first;
  t.match(ready, {
    ready: true,
    url: `http://127.0.0.1:${ready.port}`,
    dataDir: folder,
    pid: program.pid,
  });
  t.ok(ready.port > 0 && ready.adminPort > 0 && ready.ms > 0);
  t.equal(ready.devAccounts.length, 2);
  for (const account of ready.devAccounts) {
    t.match(account, {
      address: /^0x[0-9a-fA-F]{40}$/,
      privateKey: /^0x[0-9a-f]{64}$/,
      apiKey: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
      secret: /^[\w-]{43}=$/,
      passphrase: /^[0-9a-f]{64}$/,
    });
  }
  t.equal((await fetch(`${ready.url}/ok`)).status, 200);
  t.equal((await fetch(`http://127.0.0.1:${ready.adminPort}/audit`)).status, 401);
  t.equal(statSync(join(folder, 'admin.token')).mode & 0o777, 0o600);
});

t.test('orders match, and a refusal is printed with its code and values', async (t) => {
  const { url } = first.ready;
  const sell = ['--token', token, '--side', 'SELL', '--price', '0.42', '--size', '5'];
  const placed = await placeOrder(t, url, buy);
  t.match(placed, { code: 0, stdout: /^Order 0x[0-9a-f]{64} is live: nothing matched yet\.\n$/ });
  const bought = await placeOrder(t, url, [
    ...['--token', token, '--side', 'BUY', '--price', '0.6', '--amount', '1', '--type', 'FOK'],
    ...['--account', '1', '--chain', '80002'],
  ]);
  t.match(bought, { code: 1, stderr: /fill_or_kill_unfilled/ });
  const key = `0x${'0'.repeat(63)}5`;
  const poor = await placeOrder(t, url, sell, { PRIVATE_KEY: key });
  t.match(poor, { code: 1, stderr: /\(400 not_enough_tokens\).*\n(.*\n)* {2}required: 5\n/ });
  t.notMatch(poor.stderr, key);
  const unknown = await placeOrder(t, url, buy.with(1, '1'));
  t.match(unknown, { code: 1, stderr: /GET \/neg-risk was refused \(404 / });
  const chain = await placeOrder(t, url, [...buy, '--chain', '5']);
  t.match(chain, { code: 1, stderr: /\(401 l1_bad_signature\)/ });
  const nobody = await placeOrder(t, 'http://127.0.0.1:9', buy);
  t.match(nobody, { code: 1, stderr: /No exchange answers at http:\/\/127.0.0.1:9/ });
});

t.test('a second process on the same folder or port is refused with a message', async (t) => {
  const { program, ready } = first;
  const port = ['--port', String(ready.port), '--admin-port', '0'];
  const [used, taken] = await Promise.all([
    runProgram(t, ['serve', '--data', folder, ...FREE_PORTS]),
    runProgram(t, ['serve', '--data', join(dataDir, 'two'), ...port]),
  ]);
  t.equal(used.code, 1);
  t.match(used.stderr, `is in use by process ${program.pid}: stop that one first`);
  t.match(used.stderr, '--data');
  t.equal(taken.code, 1);
  t.match(taken.stderr, `Cannot listen on 127.0.0.1:${ready.port}`);
  t.equal((await fetch(`${ready.url}/ok`)).status, 200, 'the first is not disturbed');
});

t.test('SIGTERM stops it in order, and its log holds no secret', async (t) => {
  const { program, ready } = first;
  const { code, stdout, stderr } = await program.stop();
  t.equal(code, 0);
  t.notOk(existsSync(join(folder, 'journal.db-wal')), 'the databases were closed in order');
  t.equal(stdout.split('\n').length, 2, 'one line, and its end');
  for (const line of stderr.trim().split('\n')) t.match(JSON.parse(line), { msg: String }, line);
  for (const { privateKey, secret, passphrase } of ready.devAccounts) {
    for (const text of [privateKey, secret, passphrase]) t.notOk(stderr.includes(text));
  }
});

t.test('a restart keeps accounts, credentials and orders, and gives no money twice', async (t) => {
  const second = await serve(t, folder, PAPER);
  t.same(second.ready.devAccounts, first.ready.devAccounts);
  const { bids } = await fetchJson(`${second.ready.url}/book?token_id=${token}`);
  t.same(bids, [{ price: '0.42', size: '10' }]);
  const refused = await placeOrder(t, second.ready.url, buy.with(-1, '20'));
  t.equal(refused.code, 1);
  t.match(refused.stderr, /not_enough_cash/);
  t.match(refused.stderr, /available: 5.8\n/, '10 less the 4.2 that the first order holds');

  const mark = join(folder, 'durable.seq');
  rmSync(mark);
  mkdirSync(mark);
  const { code, stderr } = await second.program.stop();
  t.equal(code, 1, 'a stop reports a failed close');
  const last = stderr.trim().split('\n').at(-1) ?? '';
  t.match(last, /^outcome-exchange: the journal's thread failed while it closed: .*durable\.seq/);
  rmSync(mark, { recursive: true });
  const third = await serve(t, folder, PAPER);
  t.equal((await third.program.stop('SIGINT')).code, 0);
});

t.test('the commands of the banner work unchanged', async (t) => {
  const program = new ProgramProcess(t, ['--memory', '--dev-accounts', '1', ...FREE_PORTS]);
  const banner = (await program.firstOutput()).replaceAll('\\\n', ' ');
  const [, book = '', query = ''] = /curl -G (\S+) +-d (\S+)/.exec(banner) ?? [];
  // The crowd quotes within a second of the start. It has both sides in this market.
  let shown = { bids: [] as unknown, asks: [] as unknown };
  while (isEmptyList(shown.bids) || isEmptyList(shown.asks)) {
    const { bids, asks } = await fetchJson(`${book}?${query}`);
    shown = { bids, asks };
  }
  const midpoint = await fetch(`${book.replace(/book$/, 'midpoint')}?${query}`);
  t.equal(midpoint.status, 200);
  const [, words = ''] = /\.\/outcome-exchange place-order (.*)\n/.exec(banner) ?? [];
  const placed = await runProgram(t, ['place-order', ...words.trim().split(/\s+/)]);
  t.match(placed, { code: 0, stderr: '', stdout: / is (live|matched): / });
  t.equal((await program.stop()).code, 0);
});

t.test('strict mode runs without play money, dev accounts and fictional markets', async (t) => {
  const folder = temporaryFolder(t);
  const secret = 'a-token-that-is-long-enough';
  const { program, ready } = await serve(t, folder, ['--strict'], { ADMIN_TOKEN: secret });
  t.same(ready.devAccounts, []);
  const headers = { authorization: `Bearer ${secret}` };
  const audit = await fetch(`http://127.0.0.1:${ready.adminPort}/audit`, { headers });
  t.equal(audit.status, 200);
  // It once started with the built-in catalog: fifty fictional markets open for real money.
  t.same(await fetchJson(`${ready.url}/events`), []);
  t.match(await fetchJson(`${ready.url}/simplified-markets`), { data: [], count: 0 });
  t.equal((await fetch(`${ready.url}/readyz`)).status, 200);
  const { code, stderr } = await program.stop();
  t.equal(code, 0);
  t.notMatch(stderr, secret);
  const paper = await runProgram(t, ['--data', folder, ...FREE_PORTS]);
  t.equal(paper.code, 1, 'a ledger folder never gets play money');
  t.match(paper.stderr, /ledger/);
});

/** Wrong arguments and their messages; nothing is started. */
const WRONG: readonly (readonly [words: string, stderr: RegExp])[] = [
  ['sevre', /no command "sevre"; the nearest is "serve"/],
  ['serve --prot 1', /no flag --prot; the nearest is --port/],
  ['serve --host 0.0.0.0', /dev accounts are publicly known/],
  ['serve --config no-such-file.json', /--config is "no-such-file.json", which can't be read/],
  ['config print --log-level loud', /--log-level is "loud"; it must be one of trace, /],
  ['place-order --side BUY', /--token is missing/],
];

t.test('wrong arguments end with exit code 2 and a message', async (t) => {
  for (const [words, stderr] of WRONG) {
    const finished = await runProgram(t, words.split(' '));
    t.match(finished, { code: 2, stdout: '', stderr }, words);
  }
});

t.test('a catalog that can not be loaded is refused with its reasons', async (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, 'catalog.json');
  writeFileSync(file, '[{"id":"x"}]');
  const refused = await runProgram(t, ['--memory', '--catalog', file, ...FREE_PORTS]);
  t.match(refused, {
    code: 1,
    stderr: /the catalog is refused because of \d+ faults:\n[\s\S]*\.id must be/,
  });
});

t.test('help, version and config print end with 0 and print nothing else', async (t) => {
  const help = await runProgram(t, ['--help']);
  t.match(help, { code: 0, stderr: '', stdout: /Usage: .\/outcome-exchange \[serve\]/ });
  const version = await runProgram(t, ['--version']);
  t.match(version, { code: 0, stderr: '', stdout: /^\d+\.\d+\.\d+\n$/ });
  const config = await runProgram(t, ['config', 'print', '--data', 'elsewhere'], {
    PORT: '9000',
    ADMIN_TOKEN: 'a-token-that-is-long-enough',
  });
  t.match(config, { code: 0, stderr: '' });
  t.match(config.stdout, /^--port +9000 +variable PORT$/m);
  t.match(config.stdout, /^--data +elsewhere +flag --data$/m);
  t.match(config.stdout, /^--admin-token +\(set, not shown\) +variable ADMIN_TOKEN$/m);
});
