/**
 * The recipes and the bot as a user runs them: `npm start` with its crowd and an open console, the
 * first token of the banner, and the commands of the page as they stand there.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Chain, OrderType, Side } from '@polymarket/clob-client-v2';
import t, { type Test } from 'tap';
import { Example } from './example-process.ts';
import { ProgramProcess } from './program-process.ts';
import { newTrader } from './published-client.ts';
import { temporaryFolder } from './temporary-folder.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const EXAMPLES = join(ROOT, 'docs/examples');
const folder = temporaryFolder(t);

const FREE_PORTS = ['--port', '0', '--admin-port', '0'];
const program = new ProgramProcess(t, ['--data', join(folder, 'data'), ...FREE_PORTS]);
const banner = await program.firstOutput();
const [[, url = ''] = []] = [...banner.matchAll(/^API +(\S+)/gm)];
const [[, operator = ''] = []] = [...banner.matchAll(/^Operator +(\S+)\/ui\//gm)];
const [[, token = ''] = []] = [...banner.matchAll(/--token (\d+)/g)];
const accounts = [...banner.matchAll(/address +(0x\w+)\n +key +(0x\w+)/g)];

const page = readFileSync(join(ROOT, 'docs/recipes.md'), 'utf8')
  .replaceAll('http://127.0.0.1:8081', operator)
  .replaceAll('./outcome-exchange', join(ROOT, 'outcome-exchange'));
const [define = ''] = page.match(/^operator\(\) .*$/m) ?? [];

/** The console of a browser, open since before the programs start: it has the oldest socket. */
const heard: string[] = [];
const browser = new WebSocket(`${url.replace('http', 'ws')}/ws/market`, {
  headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0' },
});
t.teardown(() => browser.close());
browser.addEventListener('message', ({ data }) => heard.push(data));
await once(browser, 'open');
browser.send(JSON.stringify({ type: 'market', assets_ids: [token] }));

/** Runs a command of the page, where `npm start` ran. */
async function shell(line: string, variables: Record<string, string> = {}): Promise<string> {
  const options = { cwd: folder, env: { ...process.env, ...variables } };
  return (await promisify(execFile)('bash', ['-c', `${define}\n${line}`], options)).stdout;
}

/** A program with an account of its own, and the commands of its section of the page, in order. */
function prepare(t: Test, index: number, name: string, further: Record<string, string> = {}) {
  const [, ADDRESS = '', PRIVATE_KEY = ''] = accounts[index] ?? [];
  const environment = { EXCHANGE_URL: url, TOKEN_ID: token, ADDRESS, PRIVATE_KEY, ...further };
  const section = page.split('\n## ').find((text) => text.includes(`(examples/${name})`)) ?? '';
  const commands = [...section.matchAll(/```sh\n([^`]+)\n```/g)].flatMap(([, block = '']) =>
    block.split('\n').map((line) => () => shell(line, environment)),
  );
  const start = (): Example => new Example(t, join(EXAMPLES, name), environment);
  return { address: ADDRESS, key: PRIVATE_KEY as `0x${string}`, start, commands };
}

async function sizeOf(address: string): Promise<number> {
  const answer = await fetch(`${url}/positions?user=${address}`);
  const positions = (await answer.json()) as readonly { readonly size: number }[];
  return positions.reduce((sum, { size }) => sum + size, 0);
}

t.test('an order whose answer is lost three times buys once', async (t) => {
  const waits = { FIRST_WAIT_MS: '20' };
  const { address, start, commands } = prepare(t, 0, 'recipes/lost-answer.ts', waits);
  await commands[0]?.();
  const example = start();
  t.equal(await example.end(), 0, example.output);
  t.equal(example.output.match(/sending the same order again/g)?.length, 3, example.output);
  t.match(example.output, /0x[0-9a-f]{64} is matched$/);
  t.equal(await sizeOf(address), 10);
});

t.test('an order that was not executed, and met a page of HTML, buys once', async (t) => {
  const waits = { FIRST_WAIT_MS: '20' };
  const { address, start, commands } = prepare(t, 5, 'recipes/lost-answer.ts', waits);
  const [, notExecuted, page] = commands;
  await notExecuted?.();
  await page?.();
  const example = start();
  t.equal(await example.end(), 0, example.output);
  t.same(example.output.match(/(?<=no answer \()\d+/g), ['403', '403', '500', '500']);
  t.match(example.output, /0x[0-9a-f]{64} is matched$/);
  t.equal(await sizeOf(address), 10);
});

t.test('an order that comes after its cancel is canceled when it is answered', async (t) => {
  const { start, commands } = prepare(t, 6, 'recipes/late-order.ts', { PATIENCE_MS: '100' });
  await commands[0]?.();
  const example = start();
  t.equal(await example.end(), 0, example.output);
  t.match(example.output, /^no answer yet; canceled 0 orders$/m);
  t.match(example.output, /is live\nit came after its cancel, and is canceled now\n0 orders rest$/);
});

t.test('who signs a new order after each lost answer buys four times', async (t) => {
  const { key, address, commands } = prepare(t, 1, 'recipes/lost-answer.ts');
  await commands[0]?.();
  const naive = await newTrader('naive', url, Chain.POLYGON, key);
  const order = { tokenID: token, side: Side.BUY, price: 0.99, size: 10 };
  for (let isAnswered = false; !isAnswered; ) {
    const { success } = await naive.client.createAndPostOrder(order, {}, OrderType.GTC);
    isAnswered = success === true;
  }
  t.equal(await sizeOf(address), 40);
});

// The fault muted the oldest socket, which is that of the console.
t.test('a program leaves a silent socket and is sent what it missed', async (t) => {
  const waits = { SILENCE_MS: '1500', RECONNECT_MS: '20' };
  const { key, start, commands } = prepare(t, 2, 'recipes/silent-socket.ts', waits);
  const { client } = await newTrader('busy', url, Chain.POLYGON, key);
  const busy = new AbortController();
  const order = { tokenID: token, side: Side.BUY, price: 0.001, size: 5 };
  const trading = (async (): Promise<void> => {
    while (!busy.signal.aborted) {
      await client.createAndPostOrder(order);
      await sleep(200);
    }
  })();
  const example = start();
  await example.prints(/^book \d+: best ask 0\.\d+$/);
  await commands[0]?.();
  heard.splice(0);
  await example.prints('silent; connecting again');
  t.ok(heard.length > 0, 'the console is not mute');
  await example.prints(/^resumed \d+: best ask 0\.\d+$/);
  await example.prints(/^price_change \d+: best ask 0\.\d+$/);
  busy.abort();
  await trading;
});

t.test('a program quotes and trades through a restart of the venue', async (t) => {
  const { address, start, commands } = prepare(t, 3, 'recipes/restart.ts', { FIRST_WAIT_MS: '20' });
  const [restart, moveToPostOnly, moveToEnd] = commands;
  await restart?.();
  const example = start();
  await example.prints('quote: the venue restarts, waiting');
  await moveToPostOnly?.();
  await example.prints('quote: live');
  await example.prints('order: post-only mode, waiting');
  await moveToEnd?.();
  await example.prints('order: matched');
  t.equal(await example.end(), 0);
  t.ok((await sizeOf(address)) >= 10);
});

t.test('a program takes a fill back when its trade has failed', async (t) => {
  const { start, commands } = prepare(t, 4, 'recipes/ghost-fill.ts');
  const example = start();
  await example.prints('listening');
  const [fail, buy] = commands;
  await fail?.();
  t.match(await buy?.(), /is matched/);
  await example.prints('MATCHED: 0 sure, 10 pending');
  await shell(`operator ${operator}/time -d '{"seconds":5}'`);
  await example.prints('RETRYING: 0 sure, 10 pending');
  await example.prints('FAILED: 0 sure, 0 pending');
  await example.prints('the balance says 10');
});

// It bid five cents below the best ask, behind all bids of the crowd, and hardly ever bought.
t.test('the bot bids in front of the crowd, so it buys what is sold', async (t) => {
  const { key } = prepare(t, 1, 'bot.ts');
  const { client } = await newTrader('seller', url, Chain.POLYGON, key);
  const example = prepare(t, 5, 'bot.ts').start();
  await example.prints(/^bid 10 at 0\.\d+$/);
  await client.createAndPostMarketOrder({ tokenID: token, side: Side.SELL, amount: 10 });
  await example.prints(/^bought \d+(\.\d+)? at 0\.\d+$/);
  example.child.kill('SIGINT');
  t.equal(await example.end(), 0, example.output);
});
