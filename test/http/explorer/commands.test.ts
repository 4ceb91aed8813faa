// GET /explorer/commands and /explorer/commands/{seq}, compared with the journal and with `inspect`.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import type { Hex } from 'viem';
import { hashTypedData, recoverTypedDataAddress } from 'viem';
import { shownRecord } from '../../../http/explorer/shown-record.ts';
import { HIDDEN_KEY } from '../../../http/format/order.ts';
import { JournalReader } from '../../../persistence/journal/index.ts';
import { Inspector } from '../../../persistence/tools/inspect.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { startTestExchange } from '../exchange-fixture.ts';
import { allCommands, command, explored, exploredByOperator } from './explored.ts';
import type { ExplorerCommand, ExplorerCommandPage } from '../../../http/explorer/index.ts';

const folder = temporaryFolder(t);
const exchange = await startTestExchange(t, { dataDir: folder, temporary: false });
const [ada, ben, cat] = await Promise.all([1, 2, 3].map((number) => exchange.trader(number)));
if (ada === undefined || ben === undefined || cat === undefined) throw new Error('three traders');
const { plain, negRisk } = exchange;
const [yes, no] = plain.tokenIds;

// A life with every kind of effect that clients and the operator can cause.
await exchange.operator('POST', `/markets/${plain.conditionId}/terms`, {
  taker_fee_bps: 100,
  fee_exponent: 1,
});
const resting = [];
for (const priceTicks of [4000, 4100, 4200]) {
  resting.push((await ada.place({ tokenId: yes, priceTicks, lots: 1000 })).body.orderID);
}
const taken = await ben.place({ tokenId: no, priceTicks: 5900, lots: 1500 });
const killed = await cat.place({ tokenId: no, priceTicks: 5900, lots: 50_000, orderType: 'FAK' });
await ada.cancel(resting[0]);
await ada.signed('POST', '/sets/split', { market: negRisk.conditionId, amount: '5', key: 'k1' });
for (const priceTicks of [1000, 1100]) await cat.place({ tokenId: yes, priceTicks, lots: 500 });
await exchange.operator('POST', '/deposits', {
  account: ben.address,
  amount: '12.5',
  key: 'deposit-1',
});
await cat.signed('DELETE', '/cancel-all');
await ada.place({ tokenId: negRisk.tokenIds[0], priceTicks: 2000, lots: 700 });
await exchange.operator('POST', `/markets/${plain.conditionId}/resolve`, {
  payout: '1',
  redeem_all: true,
});
await exchange.running.services.exchange.audit();
const { durableSeq } = exchange.running.services.exchange;

/** `inspect` reads a copy: it opens files that the exchange writes. */
function inspector(t: Test): Inspector {
  const dataDir = join(temporaryFolder(t), 'copy');
  cpSync(folder, dataDir, { recursive: true });
  const opened = new Inspector({ dataDir });
  t.teardown(() => opened.close());
  return opened;
}

t.test('walking all commands by number gives exactly the journal', async (t) => {
  const journal = new JournalReader(join(folder, 'journal.db'));
  t.teardown(() => journal.close());
  const stored = journal.commands(0, journal.lastSeq);
  let seq: number | null = 1;
  for (const { command: asked, timeMs, checksum } of stored) {
    const shown: ExplorerCommand = await exploredByOperator<typeof ExplorerCommand>(
      exchange,
      `commands/${seq}`,
    );
    const { kind, ...fields } = asked;
    t.strictSame(
      [shown.seq, shown.time_ms, shown.kind, shown.command, shown.checksum],
      [seq, timeMs, kind, JSON.parse(JSON.stringify(shownRecord(fields))), checksum],
    );
    t.equal(shown.previous_seq, seq === 1 ? null : Number(seq) - 1);
    seq = shown.next_seq;
  }
  t.equal(seq, null);
});
