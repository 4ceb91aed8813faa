/** The tools of a data folder as an operator runs them: beside a running exchange, and at rest. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import t, { type Test } from 'tap';
import type { CommandResult } from '../cli/parser/program-command.ts';
import { makeClosedFolder } from './persistence/journal/fixture.ts';
import { WORLD } from './persistence/store-fixture.ts';
import { ProgramProcess, runProgram } from './program-process.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { runToolHere } from './tool-here.ts';

const FREE_PORTS = ['--port', '0', '--admin-port', '0'];

interface Ready {
  readonly url: string;
  readonly devAccounts: readonly { readonly address: string; readonly apiKey: string }[];
}

async function serve(t: Test, dataDir: string) {
  const alone = ['--crowd', 'off', ...FREE_PORTS];
  const program = new ProgramProcess(t, ['serve', '--json', '--data', dataDir, ...alone]);
  // Safe: program.test.ts looks at every key.
  const ready = JSON.parse(await program.firstOutput()) as Ready;
  return { program, ready };
}

async function tool(t: Test, dataDir: string, ...words: string[]) {
  const finished = await runProgram(t, [...words, '--data', dataDir]);
  t.equal(finished.stderr, '', `${words.join(' ')}: no progress without a terminal`);
  return finished;
}

function here(dataDir: string, ...words: string[]): Promise<CommandResult> {
  return runToolHere([...words, '--data', dataDir]);
}

/** The JSON that a tool prints. */
async function reportOf(t: Test, dataDir: string, ...words: string[]) {
  const { stdout } = await tool(t, dataDir, ...words, '--json');
  // Safe: each test looks at what it needs.
  return JSON.parse(stdout) as Record<string, unknown>;
}

async function getJson(url: string): Promise<Record<string, unknown>> {
  return (await (await fetch(url)).json()) as Record<string, unknown>;
} // as above

/** A token whose tick is 0.01. */
async function findToken(url: string): Promise<string> {
  const { data } = await getJson(`${url}/simplified-markets`);
  for (const { tokens } of data as { tokens: { token_id: string }[] }[]) {
    const id = tokens[0]?.token_id ?? '';
    if ((await getJson(`${url}/tick-size?token_id=${id}`)).minimum_tick_size === 0.01) return id;
  }
  throw new Error('the built-in catalog has no such market');
}

async function place(t: Test, url: string, token: string, ...words: string[]): Promise<string> {
  const order = ['--token', token, '--price', '0.42', '--size', '10', ...words];
  const { stdout, stderr } = await runProgram(t, ['place-order', '--url', url, ...order]);
  const [, id = ''] = /^Order (0x[0-9a-f]{64})/.exec(stdout) ?? [];
  t.not(id, '', stderr);
  return id;
}

t.test(
  'a running exchange is verified, inspected and backed up, and the copy is started',
  async (t) => {
    const dataDir = join(temporaryFolder(t), 'data');
    const { program, ready } = await serve(t, dataDir);
    const token = await findToken(ready.url);
    const first = await place(t, ready.url, token, '--side', 'BUY');
    t.match(await reportOf(t, dataDir, 'verify'), {
      ok: true,
      findings: [],
      orders: 1,
      stateHash: /^[0-9a-f]{64}$/,
    });
    t.match(await here(dataDir, 'verify'), {
      ok: true,
      text: /commands were replayed.*State hash [0-9a-f]{64}.*Good: /s,
    });

    const order = await tool(t, dataDir, 'inspect', 'order', first);
    t.match(order, { code: 0, stdout: /stands: live\n/ });
    t.match(order.stdout, /signature: 0x[0-9a-f]{130}\n/, 'what was signed is shown');
    t.match(
      order.stdout,
      /makerAmount: 4200000\n.*domain:\n\s+name: CTF Exchange\n/s,
      'all fields',
    );
    t.match(order.stdout, /priceTicks: 0.42 \(4200 ticks\)/);
    const { address = '' } = ready.devAccounts[0] ?? {};
    t.match((await here(dataDir, 'inspect', 'account', address)).text, /heldMicros: 4.2 \(/);
    t.match((await here(dataDir, 'inspect', 'market', token)).text, /question: \S+/);

    const file = join(temporaryFolder(t), 'copy.tar');
    const made = await tool(t, dataDir, 'backup', file);
    t.match(made, { code: 0, stdout: /SHA-256 [0-9a-f]{64}.*as secret as the data folder/s });
    const secrets = ['master.secret', 'admin.token'].map((name) =>
      readFileSync(join(dataDir, name)),
    );
    for (const secret of secrets) t.notOk(made.stdout.includes(secret.toString().trim()));
    const second = await place(t, ready.url, token, '--side', 'BUY');
    t.match(await tool(t, dataDir, 'compact'), { code: 0, stdout: /^(Commands 1 to|Nothing was)/ });
    t.equal((await program.stop()).code, 0);

    const elsewhere = join(temporaryFolder(t), 'new');
    t.match(await tool(t, elsewhere, 'restore', file), { code: 0, stdout: /Check it with: / });
    t.match(await here(elsewhere, 'verify'), { ok: true });
    const copy = await serve(t, elsewhere);
    t.same(copy.ready.devAccounts, ready.devAccounts, 'the same API keys and secrets');
    const { bids } = await getJson(`${copy.ready.url}/book?token_id=${token}`);
    t.same(bids, [{ price: '0.42', size: '10' }], 'the copy lacks orders after the backup');
    t.equal((await copy.program.stop()).code, 0);
    t.match(await here(dataDir, 'inspect', 'order', second), { ok: true });
    t.match(await runProgram(t, ['inspect', 'order', second, '--data', elsewhere]), {
      code: 1,
      stderr: /no order 0x[0-9a-f]{64} was ever accepted/,
    });
    await t.rejects(here(elsewhere, 'restore', file), { message: /is not empty/ });
  },
);

t.test(
  'tools report each fault of a damaged folder without a stack, and exit with 1',
  async (t) => {
    const dataDir = makeClosedFolder(t, WORLD);
    const database = new SqliteDatabase(join(dataDir, 'journal.db'));
    database.exec('UPDATE commands SET checksum = 1 WHERE seq = 3');
    database.close();
    const { code, stdout } = await tool(t, dataDir, 'verify');
    t.equal(code, 1);
    t.match(stdout, /^Wrong \(journal\): the journal's command 3 does not match its checksum/m);
    t.match(stdout, /^Note: nothing after seq 2 was replayed/m);
    t.notMatch(stdout, /\.ts:\d/);
    writeFileSync(join(dataDir, 'journal.db'), 'nonsense');
    const file = join(dataDir, 'x.tar');
    const backup = await runProgram(t, ['backup', file, '--data', dataDir]);
    t.match(backup, { code: 1, stdout: '' });
    t.notMatch(backup.stderr, /\.ts:\d/);
    for (const words of [['backup', file], ['inspect', 'journal'], ['compact']]) {
      await t.rejects(here(dataDir, ...words), { code: 'SQLITE_NOTADB' }, `${words}`);
    }
    t.notOk(existsSync(file));
  },
);

/** Wrong arguments and their errors. */
const WRONG: readonly (readonly [words: string, stderr: RegExp])[] = [
  ['verify now', /"now" is not expected here|there is no command "verify now"/],
  ['backup', /backup needs more words: \.\/outcome-exchange backup FILE/],
  ['backup one two', /"two" is one word too many/],
  ['restore --data', /--data needs a value/],
  ['inspect ordr 1', /can't show "ordr"; the nearest is "order"/],
  ['inspect command one', /word after "inspect command" is "one"; it must be a seq/],
  ['inspect fill 1.x', /it must be a sequence number, with or without/],
  ['inspect account', /word after "inspect account" is missing/],
  ['compress', /there is no command "compress"/],
];

/** One that the parser refuses, and one that the tool refuses. Only these run as processes. */
const AS_PROCESSES = ['backup', 'inspect ordr 1'];

t.test('wrong arguments end with exit code 2 and a message', async (t) => {
  for (const [words, stderr] of WRONG) {
    if (AS_PROCESSES.includes(words)) {
      t.match(await runProgram(t, words.split(' ')), { code: 2, stdout: '', stderr }, words);
    } else {
      await t.rejects(
        runToolHere(words.split(' ')),
        { name: 'UsageError', message: stderr },
        words,
      );
    }
  }
});
