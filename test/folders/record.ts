/**
 * Records a data folder for `recorded-folders.test.ts`: starts the exchange of this checkout,
 * trades, and keeps the folder, as compressed files, with what the exchange answered.
 * `node test/folders/record.ts NAME` makes `test/folders/NAME`. Run it before a change of a format,
 * so that the folder of the program before the change is tested from then on.
 */
import { strict as assert } from 'node:assert';
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { Chain, OrderType, Side } from '@polymarket/clob-client-v2';
import { type ExchangeProcess, startExchangeProcess } from '../exchange-process.ts';
import { newTrader } from '../published-client.ts';
import { ANSWERS, readAnswers } from './answers.ts';

/** Side files of SQLite and locks, which a closed folder does not need. */
const LEFT_OUT = /(-wal|-shm|lock\.db|lock\.pid)$/;
const MARKETS = ['rain', 'snow'];

async function operator({ adminUrl }: ExchangeProcess, dataDir: string, path: string, body = {}) {
  const token = readFileSync(join(dataDir, 'admin.token'), 'utf8').trim();
  const answer = await fetch(adminUrl + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ by: 'recorder', reason: 'to record a folder', ...body }),
  });
  const text = await answer.text();
  assert.ok(answer.ok, `${path}: ${text}`);
  return JSON.parse(text);
}

/** Two traders, trades in two markets with fees, one of which is resolved, and resting orders. */
async function fill(exchange: ExchangeProcess, dataDir: string): Promise<void> {
  await operator(exchange, dataDir, '/events', {
    slug: 'weather',
    title: 'Weather',
    markets: MARKETS.map((slug) => ({
      slug,
      question: `Will there be ${slug}?`,
      tick_size: '0.01',
      minimum_order_size: '5',
    })),
  });
  const key = (digit: number) => `0x${`${digit}`.repeat(64)}` as const;
  const alice = await newTrader('Alice', exchange.url, Chain.POLYGON, key(1));
  const bob = await newTrader('Bob', exchange.url, Chain.POLYGON, key(2));
  const { data } = await alice.client.getSimplifiedMarkets();
  for (const { condition_id: market, tokens } of data) {
    const terms = { taker_fee_bps: 200, fee_exponent: 1 };
    await operator(exchange, dataDir, `/markets/${market}/terms`, terms);
    const [{ token_id: yes }, { token_id: no }] = tokens;
    const place = (trader: typeof alice, tokenID: string, price: number, size: number) =>
      trader.client.createAndPostOrder({ tokenID, side: Side.BUY, price, size }, {}, OrderType.GTC);
    await place(alice, yes, 0.4, 100);
    await place(bob, no, 0.6, 60);
    await place(bob, no, 0.3, 25);
  }
  const resolution = { payout: '1', redeem_all: true };
  await operator(exchange, dataDir, `/markets/${data[1].condition_id}/resolve`, resolution);
}

const name = process.argv[2];
assert.ok(name !== undefined, 'name the folder');
const target = fileURLToPath(new URL(name, import.meta.url));
mkdirSync(target);
const dataDir = mkdtempSync(join(tmpdir(), 'exchange-recording-'));
const catalog = join(dataDir, 'catalog.json');
writeFileSync(catalog, '[]');
const folder = join(dataDir, 'data');
const exchange = await startExchangeProcess(folder, ['--dev-accounts', '0', '--catalog', catalog]);
await fill(exchange, folder);
const answers = await readAnswers(exchange.url);
assert.equal(await exchange.stop(), 0);
for (const path of globSync('**/*', { cwd: folder })) {
  if (LEFT_OUT.test(path) || statSync(join(folder, path)).isDirectory()) continue;
  const file = join(target, `${path}.gz`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, gzipSync(readFileSync(join(folder, path)), { level: 9 }));
}
writeFileSync(join(target, ANSWERS), `${JSON.stringify(answers, undefined, 1)}\n`);
rmSync(dataDir, { recursive: true });
