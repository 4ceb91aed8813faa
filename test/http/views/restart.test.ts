// An exchange that restarts from the snapshot of its stop shows what it showed before.
import t from 'tap';
import type { MarketEntry } from '../../../http/views/registry.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { startTestExchange, type TestExchange } from '../exchange-fixture.ts';
import { subscribeUser } from '../streams/user/user-fixture.ts';

async function shownBy(exchange: TestExchange, plain: MarketEntry) {
  const { negRisk, send, operator } = exchange;
  const tokens = [...plain.tokenIds, ...negRisk.tokenIds];
  const alice = await exchange.trader(1);
  const answers = await Promise.all([
    ...tokens.map((token) => send('GET', `/book?token_id=${token}`)),
    ...tokens.map((token) => send('GET', `/last-trade-price?token_id=${token}`)),
    send('GET', '/markets'),
    send('GET', `/markets/${plain.conditionId}`),
    operator('GET', `/owners/${alice.address}`),
    operator('GET', '/builders'),
    alice.signed('GET', '/auth/api-keys'),
  ]);
  return answers.map(({ status, text }) => [status, text]);
}

t.test(
  'a start from a snapshot shows the same books, and makers keep their API keys',
  async (t) => {
    const snapshotMs = 300_000; // any, so that one is made at the stop
    const settings = { dataDir: temporaryFolder(t), temporary: false, snapshotMs };
    const first = await startTestExchange(t, settings);
    const [alice, bob] = [await first.trader(1), await first.trader(2)];
    const [yes, no] = first.plain.tokenIds;
    for (const priceTicks of [2_000, 3_000, 4_000]) await alice.place({ tokenId: yes, priceTicks });
    await bob.place({ tokenId: no, priceTicks: 6_000, lots: 700 });
    const { plain } = first;
    const path = `/markets/${plain.conditionId}/terms`;
    t.match(await first.operator('POST', path, { minimum_order_size: '6' }), { status: 200 });
    const before = await shownBy(first, plain);
    await first.running.close();

    const second = await startTestExchange(t, settings);
    t.ok(second.running.services.exchange.recovered.snapshotSeq > 0, 'it begins from one');
    t.strictSame(await shownBy(second, plain), before);
    const [maker, taker] = [await second.trader(1), await second.trader(2)];
    const client = await subscribeUser(second, taker);
    await taker.place({ tokenId: no, priceTicks: 7_000, lots: 600 });
    await client.settled();
    const told = JSON.stringify(client.messages);
    t.match(told, `"owner":"${maker.credentials.apiKey}"`, 'the key that the order came with');
  },
);
