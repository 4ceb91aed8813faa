/** The command `arena`: one of two bots, its result, and results that were tampered with. */
import { once } from 'node:events';
import { readFileSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { UsageError } from '../../../cli/parser/parse-arguments.ts';
import { type ArenaResult, parseArena } from '../../../sandbox/arena/arena-file.ts';
import { runBots } from '../../../sandbox/arena/bots.ts';
import { hashOf } from '../../../sandbox/arena/result.ts';
import { runArena } from '../../../sandbox/arena/run-arena.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const folder = temporaryFolder(t);
const OUT = join(folder, 'result');

/** Places orders, given as `YES BUY 0.5 10`, and ends with the code that its first word names. */
const BOT = `
const { EXCHANGE_URL: url, TOKEN_ID, ACCOUNT_NUMBER: account } = process.env;
const [code, ...orders] = process.argv.slice(2);
const { data } = await (await fetch(url + '/sampling-simplified-markets')).json();
const { tokens } = data.find((market) => market.tokens[0].token_id === TOKEN_ID);
for (const order of orders) {
  const [outcome, side, price, size] = order.split(' ');
  const token = tokens[outcome === 'YES' ? 0 : 1].token_id;
  const wish = { token, side, price, size, account };
  const options = { method: 'POST', body: JSON.stringify(wish) };
  const signed = await (await fetch(url + '/sign-order', options)).json();
  const { method, path, headers, body } = signed;
  console.log(await (await fetch(url + path, { method, headers, body })).text());
}
process.exit(Number(code));
`;
writeFileSync(join(folder, 'bot.mjs'), BOT);

const node = process.execPath;
const ARENA = {
  seed: 7,
  seconds: 60,
  markets: 1,
  crowd: 'off',
  bots: [
    {
      name: 'yes',
      command: [node, 'bot.mjs', '0', 'YES BUY 0.5 10', 'NO BUY 0.3 5', 'YES BUY 0.1 5'],
    },
    { name: 'no', command: [node, 'bot.mjs', '3', 'NO BUY 0.5 10'] },
  ],
};

function arena(...operands: string[]) {
  return runArena({
    sources: { flags: new Map([['--out', OUT]]), environment: {} },
    operands,
    version: '1.0.0',
    readText: (path) => readFileSync(path, 'utf8'),
    tell: () => {},
  });
}

function writeResult(result: ArenaResult): void {
  writeFileSync(join(OUT, 'arena.json'), JSON.stringify(result));
}

t.test('two bots are ranked, and the result is verified; a changed one is not', async (t) => {
  const file = join(folder, 'arena.json');
  writeFileSync(file, JSON.stringify(ARENA));
  const { text, ok } = await arena(file);
  t.equal(ok, true);
  // `no` could sell half of its 10 NO to the order of `yes` at 0.3. Nobody else wants the 10 YES of
  // `yes`, whose own bid does not count.
  t.match(text, /^name +profit +fees +fills +how it ended\nno +-3.5 +0 +1 +exited with code 3/);
  const result: ArenaResult = JSON.parse(readFileSync(join(OUT, 'arena.json'), 'utf8'));
  t.match(result.table, [
    { name: 'no', profit: '-3.5', deposits: '10000', cash: '9995', tokens: '1.5' },
    { name: 'yes', profit: '-5', deposits: '10000', cash: '9995', tokens: '0', fills: 1 },
  ]);
  t.match(readFileSync(join(OUT, 'yes.log'), 'utf8'), /"status":"live"/);
  t.match(await arena('verify', OUT), { ok: true, text: new RegExp(`table: ${result.hash}$`) });

  const [first, ...others] = result.table;
  const raised = { ...result, table: [{ ...first, profit: '9' }, ...others] } as ArenaResult;
  writeResult({ ...raised, hash: hashOf(raised) });
  const table = 'arena.json: table is not what follows from the journal';
  t.strictSame(await arena('verify', OUT), { ok: false, text: table });
  writeResult({ ...result, version: '1.0.1' });
  const hash = 'arena.json: hash is not that of the other fields';
  t.strictSame(await arena('verify', OUT), { ok: false, text: hash });

  writeResult(result);
  const data = readFileSync(join(OUT, 'data.tar'));
  data[data.length >> 1]! ^= 1;
  writeFileSync(join(OUT, 'data.tar'), data);
  await t.rejects(arena('verify', OUT), { name: 'BackupError' });
  await t.rejects(arena(file), { message: /^--out is ".*", which can't be made: EEXIST/ });
});

t.test('the file in docs/arena.md is accepted', async (t) => {
  const page = readFileSync(new URL('../../../docs/arena.md', import.meta.url), 'utf8');
  const [, json = ''] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
  t.equal(parseArena(JSON.parse(json)).bots.length, 2);
});

t.test('what is wrong with a file is named', async (t) => {
  const [bot] = ARENA.bots;
  for (const [change, fault] of [
    [{ seconds: 0 }, /^seconds/],
    [{ markets: 21 }, /^markets.*21/],
    [{ bots: [] }, /^bots/],
    [{ bots: [bot, bot] }, /^bots\.1\.name is "yes"; it must be another name/],
    [{ bots: [{ ...bot, name: '../x' }] }, /^bots\.0\.name/],
    [{ bots: [{ ...bot, environment: { 'a=b': '' } }] }, /^bots\.0\.environment/],
    [{ more: 1 }, /^more/],
  ] as const) {
    t.throws(() => parseArena({ ...ARENA, ...change }), { message: fault }, `${fault}`);
  }
  await t.rejects(arena('verify'), UsageError);
  await t.rejects(arena('a', 'b'), UsageError);
});

t.test('a bot that ignores SIGTERM is killed, and one that does not start is told', async (t) => {
  const place = temporaryFolder(t);
  const watcher = watch(place);
  t.teardown(() => watcher.close());
  const changed = once(watcher, 'change');
  const stop = new AbortController();
  const put = { cwd: place, variables: {} };
  const script = "trap '' TERM; echo ready; while :; do sleep 1; done";
  const round = runBots({
    bots: [
      [
        { name: 'a', command: ['sh', '-c', script] },
        { ...put, logFile: join(place, 'a.log') },
      ],
      [
        { name: 'b', command: ['./none'] },
        { ...put, logFile: join(place, 'b.log') },
      ],
    ],
    seconds: 60,
    stopMs: 50,
    stop: stop.signal,
  });
  await changed;
  stop.abort();
  t.match(await round, ['hung: it ignored SIGTERM and was killed', /^did not start: .*ENOENT/]);
});
