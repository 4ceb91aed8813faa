/** The same seed and the same inputs give the same orders. */
import t from 'tap';
import { Engine } from '../../../engine/index.ts';
import { JournalReader } from '../../../persistence/journal/reader.ts';
import { applyStored } from '../../../persistence/recovery/recovery.ts';
import { startTestExchange, type TestExchange } from '../../http/exchange-fixture.ts';
import { ownCrowd } from './own-crowd.ts';

/** What owners journaled on an exchange, without what its own secrets made. */
function journalOf({ running }: TestExchange): string[] {
  const { journalPath, durableSeq } = running.services.exchange;
  const journal = new JournalReader(journalPath);
  try {
    const engine = new Engine();
    return journal.commands(0, durableSeq).flatMap((stored) => {
      const { command } = applyStored(engine, stored);
      if (!('owner' in command)) return [];
      // API keys follow from the secret of the data folder, seqs from what else happened before.
      const { apiKey: _, idCheckedSeq: __, ...told } = { apiKey: '', idCheckedSeq: 0, ...command };
      return [JSON.stringify(told)];
    });
  } finally {
    journal.close();
  }
}

/** A short life of an exchange: a crowd, and a client that trades with it. */
async function live(exchange: TestExchange): Promise<string[]> {
  const { crowd, fill, turns } = ownCrowd(exchange, { crowdSeed: 5 });
  await fill();
  await turns(40);
  const trader = await exchange.trader(1);
  const [tokenId] = exchange.plain.tokenIds;
  const order = trader.order({ tokenId, priceTicks: 9_900, changes: { salt: 7 } });
  await trader.signed('POST', '/order', order);
  exchange.clock.ms += 1_000;
  await turns(80);
  await crowd.setMode(exchange.plain.conditionId, 'off');
  await turns(30);
  return journalOf(exchange);
}

t.test('two exchanges with one seed have the same orders', async (t) => {
  const [one, two] = [await startTestExchange(t), await startTestExchange(t)];
  const orders = await live(one);
  t.ok(orders.length > 500, `${orders.length} commands`);
  t.strictSame(await live(two), orders);
});

t.test('another seed has other accounts and other markets', async (t) => {
  const exchange = await startTestExchange(t);
  const [five, six] = [5, 6].map((crowdSeed) => ownCrowd(exchange, { crowdSeed }).crowd);
  const natures = (crowd = five) => crowd?.markets.map(({ nature }) => nature);
  t.strictSame(natures(ownCrowd(exchange, { crowdSeed: 5 }).crowd), natures(five));
  t.notSame(natures(six), natures(five));
  const shared = five?.addresses.filter((address) => six?.addresses.includes(address));
  t.strictSame(shared, []);
});
