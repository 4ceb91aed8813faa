/** Operators and tokens that are replaced while the program runs. */
import { createHash } from 'node:crypto';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { ProgramProcess } from '../../program-process.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const QUIET = ['--dev-accounts', '0', '--crowd', 'off'];
const LINE = ['serve', '--json', '--port', '0', '--admin-port', '0', ...QUIET];

async function start(t: Test, words: readonly string[]) {
  const program = new ProgramProcess(t, [...LINE, ...words]);
  // Safe: program.test.ts checks every key of this line.
  const { adminPort } = JSON.parse(await program.firstOutput()) as { adminPort: number };
  const statusOf = async (token: string): Promise<number> => {
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(`http://127.0.0.1:${adminPort}/operators`, { headers })).status;
  };
  /** Sends SIGHUP and waits until a text was logged once more. */
  const reread = async (text: string): Promise<void> => {
    const before = program.stderr.split(text).length;
    if (program.pid !== undefined) process.kill(program.pid, 'SIGHUP');
    while (program.stderr.split(text).length === before) await sleep(5);
  };
  return { program, statusOf, reread };
}

t.test('SIGHUP reads the file of operators again, and a wrong one changes nothing', async (t) => {
  const file = join(temporaryFolder(t), 'operators.json');
  const write = (...tokens: readonly string[]): void => {
    const tokenHashes = tokens.map((token) => createHash('sha256').update(token).digest('hex'));
    const operators = [{ name: 'Ada', roles: ['admin'], tokenHashes }];
    writeFileSync(file, JSON.stringify({ operators }));
  };
  const [before, after] = ['the-token-until-now', 'the-token-from-now-on'];
  write(before);
  const { program, statusOf, reread } = await start(t, ['--memory', '--operators', file]);
  t.same([await statusOf(before), await statusOf(after)], [200, 401]);
  write(before, after);
  await reread('the operators and their tokens were read again');
  t.same([await statusOf(before), await statusOf(after)], [200, 200]);
  write();
  await reread('the operators and their tokens stay as they were');
  t.match(program.stderr, /tokenHashes is .{0,2}"a list of 0/);
  write(after);
  await reread('the operators and their tokens were read again');
  t.same([await statusOf(before), await statusOf(after)], [401, 200]);
  const hash = createHash('sha256').update(after).digest('hex');
  for (const secret of [before, after, hash]) t.notMatch(program.stderr, secret);
});

t.test('a token file that others can read is told', async (t) => {
  const file = join(temporaryFolder(t), 'token');
  writeFileSync(file, 'the-token-of-a-file\n');
  chmodSync(file, 0o644);
  const { program, statusOf } = await start(t, ['--memory', '--admin-token-file', file]);
  t.equal(await statusOf('the-token-of-a-file'), 200);
  t.match(program.stderr, /"mode":"644".*other users can read the operator's token/);
  t.notMatch(program.stderr, /the-token-of-a-file/);
});

t.test('SIGHUP reads the token of the data folder again', async (t) => {
  const dataDir = temporaryFolder(t);
  const { statusOf, reread } = await start(t, ['--data', dataDir]);
  const file = join(dataDir, 'admin.token');
  const before = readFileSync(file, 'utf8').trim();
  const after = 'a-token-that-was-written-by-hand';
  writeFileSync(file, `${after}\n`);
  t.same([await statusOf(before), await statusOf(after)], [200, 401]);
  await reread('the operators and their tokens were read again');
  t.same([await statusOf(before), await statusOf(after)], [401, 200]);
  writeFileSync(file, 'short\n');
  await reread('the operators and their tokens stay as they were');
  t.equal(await statusOf(after), 200);
});
