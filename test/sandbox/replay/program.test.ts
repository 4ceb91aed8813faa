// The command `replay` as its user starts it: its output, exit codes and refusals.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import {
  shareTestExchange,
  startTestExchange,
  type TestExchange,
} from '../../http/exchange-fixture.ts';
import { runProgram } from '../../program-process.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { book, change } from './recorded-messages.ts';
import { entriesOf, shownLevels } from './replay-fixture.ts';

const share = await shareTestExchange(t);
const RECORDING = [
  book([['0.48', '30']], [['0.52', '25']]),
  change('BUY', '0.48', '31.257'),
  change('BUY', '0.471', '5'),
];

function replay(t: Test, { running }: TestExchange, words: readonly string[]) {
  const file = join(temporaryFolder(t), 'recording.ndjson');
  writeFileSync(file, `${RECORDING.join('\n')}\n`);
  const admin = ['--admin-url', `http://127.0.0.1:${running.adminPort}`];
  const line = ['replay', file, '--url', running.url, ...admin, '--speed', 'max', ...words];
  return runProgram(t, line, { ADMIN_TOKEN: running.adminToken });
}

t.test('it tells what it skips, and a summary', async (t) => {
  const exchange = share();
  const { conditionId } = exchange.plain;
  const { code, stdout, stderr } = await replay(t, exchange, ['--market', conditionId]);
  t.equal(code, 1);
  t.equal(stderr, 'line 3: the price 0.471 is not a multiple of 0.01\n');
  t.match(stdout, /^3 messages of .* s, into 0x[0-9a-f]{64}\.\n/);
  t.match(stdout, '3 levels set by 3 orders and 0 cancels; 0 trades; 0 changes of the price step.');
  t.match(
    stdout,
    '1 size rounded down to 0.01 token.\nNot replayed, by reason:\n  price_off_tick: 1',
  );
  const [yes] = await shownLevels(exchange);
  t.strictSame(entriesOf(yes), { bids: [[4_800, 3_125]], asks: [[5_200, 2_500]] });
});

t.test('--strict-replay stops there, and --json prints a record', async (t) => {
  const exchange = share();
  const words = ['--market', exchange.plain.conditionId, '--json', '--strict-replay'];
  const { code, stdout } = await replay(t, exchange, words);
  t.equal(code, 1);
  t.match(JSON.parse(stdout), {
    market: exchange.plain.conditionId,
    messages: 3,
    played: { levels: 3, placed: 3, cancelled: 0, trades: 0, tickChanges: 0 },
    rounded: 1,
    skipped: { price_off_tick: 1 },
    stopped: 'stopped at line 3: the price 0.471 is not a multiple of 0.01',
  });
});

t.test('an exchange without a sandbox refuses it, and has no account more', async (t) => {
  const exchange = await startTestExchange(t, { funding: 'ledger' });
  const { conditionId } = exchange.plain;
  const { stateHash } = exchange;
  const before = stateHash();
  const { code, stdout, stderr } = await replay(t, exchange, ['--market', conditionId]);
  t.equal(code, 1);
  t.equal(stdout, '');
  t.match(stderr, /^outcome-exchange: POST \/faucet was refused \(403 sandbox_only\): /);
  t.equal(stateHash(), before, 'nothing has changed');
});

t.test('a market that is not there and a wrong token are told', async (t) => {
  const exchange = share();
  const unknown = await replay(t, exchange, []);
  t.match(unknown, { code: 1, stderr: /GET \/markets\/0x[0-9a-f]+ was refused \(404 / });
  const words = ['--market', exchange.plain.conditionId, '--admin-token', 'x'.repeat(20)];
  const token = await replay(t, exchange, words);
  t.match(token, { code: 1, stderr: /was refused \(401 bad_operator_token\)/ });
  t.notMatch(token.stderr, 'xxxx');
});
