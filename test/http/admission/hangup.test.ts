/** The program with a file of limits, which SIGHUP reloads. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { ProgramProcess, runProgram } from '../../program-process.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const FREE_PORTS = ['--port', '0', '--admin-port', '0'];
const LINE = ['serve', '--json', '--memory', '--crowd', 'off', ...FREE_PORTS];

async function start(t: Test, words: readonly string[]) {
  const program = new ProgramProcess(t, [...LINE, ...words]);
  // Safe: program.test.ts checks every key of this line.
  const { url } = JSON.parse(await program.firstOutput()) as { url: string };
  return { program, url };
}

function hangUp({ pid }: ProgramProcess): void {
  if (pid !== undefined) process.kill(pid, 'SIGHUP');
}

/** Waits until the program has logged a text `times` times. */
async function logged(program: ProgramProcess, text: string, times = 1): Promise<void> {
  while (program.stderr.split(text).length <= times) await sleep(5);
}

async function statusOf(url: string): Promise<number> {
  return (await fetch(url)).status;
}

t.test('SIGHUP reloads the file of limits, and an invalid one changes nothing', async (t) => {
  const file = join(temporaryFolder(t), 'limits.json');
  const write = (capacity: unknown): void =>
    writeFileSync(file, JSON.stringify({ loopback: true, limits: { root: { capacity } } }));
  write(1);
  const { program, url } = await start(t, ['--rate-limits', file]);
  t.same([await statusOf(url), await statusOf(url)], [200, 429]);
  write(2);
  hangUp(program);
  await logged(program, 'the rate limits were read again');
  // Safe: the test of the route checks its answer.
  const { limits } = (await (await fetch(`${url}/limits`)).json()) as {
    limits: readonly { name: string; capacity: number }[];
  };
  t.equal(limits.find(({ name }) => name === 'root')?.capacity, 2);
  const refusals = ['limits.root.capacity is 0; it must be a whole number', "can't be read"];
  write(0);
  hangUp(program);
  await logged(program, 'the rate limits stay as they were');
  t.match(program.stderr, refusals[0]);
  writeFileSync(file, '{');
  hangUp(program);
  await logged(program, 'the rate limits stay as they were', 2);
  t.match(program.stderr, /limits\.json is not JSON/);
  t.equal(await statusOf(`${url}/ok`), 200);
  const { code } = await program.stop();
  t.equal(code, 0);
});

t.test('without a file SIGHUP is logged and ignored', async (t) => {
  const { program, url } = await start(t, []);
  // Once it ended the program: whoever reloaded all services of a machine stopped the exchange.
  hangUp(program);
  await logged(program, 'SIGHUP is ignored: there is no file to read again');
  t.equal(await statusOf(`${url}/ok`), 200);
  t.equal((await program.stop()).code, 0);
});

t.test('an invalid file is refused at the start, with the wrong key', async (t) => {
  const file = join(temporaryFolder(t), 'limits.json');
  writeFileSync(file, JSON.stringify({ limits: { bok: {} } }));
  const refused = await runProgram(t, [...LINE, '--rate-limits', file]);
  t.match(refused, { code: 2, stderr: /limits has an unknown key "bok"; the nearest is "book"/ });
});
