// In some profiles a GTD order stops before its expiration. The profile of its arrival decides.
import t from 'tap';
import { EARLIER } from '../../default-settings.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { START_MS, startTestExchange, type TestExchange } from '../exchange-fixture.ts';

const LIFE_S = 600;
const EARLY_S = 60;

t.test('an order stops when the profile of its arrival says, through any restart', async (t) => {
  const settings = { temporary: false, dataDir: temporaryFolder(t) };
  const first = await startTestExchange(t, settings);
  const alice = await first.trader(1);
  const [tokenId] = first.plain.tokenIds;
  const expiration = `${Math.floor(START_MS / 1_000) + LIFE_S}`;
  const wishes = { tokenId, orderType: 'GTD', changes: { expiration } };
  const payload = alice.order(wishes);
  const explained = await alice.signed('POST', '/debug/order', payload);
  t.match(explained.text, `"stopsAt":"${Number(expiration) - EARLY_S}"`);
  const { orderID: early } = (await alice.signed('POST', '/order', payload)).body;
  await first.running.close();

  const second = await startTestExchange(t, { ...settings, profile: EARLIER });
  const call = async (exchange: TestExchange, method: string, path: string, sent?: object) => {
    const body = sent && JSON.stringify(sent);
    const headers = alice.keyHeaders(method, path, body);
    return (await exchange.send(method, path, { body, headers })).body;
  };
  t.match(await call(second, 'POST', '/order', payload), { duplicate: true, status: 'live' });
  const { orderID: late } = await call(second, 'POST', '/order', alice.order(wishes));
  await second.running.close();

  const third = await startTestExchange(t, settings);
  const expectStates = async (ms: number, states: readonly string[]) => {
    third.clock.ms = Number(expiration) * 1_000 + ms;
    // By which she signs.
    first.clock.ms = third.clock.ms;
    await third.operator('POST', '/deposits', {
      account: alice.address,
      amount: '1',
      key: `at ${ms}`,
    });
    for (const [place, orderId] of [early, late].entries()) {
      const order = await call(third, 'GET', `/data/order/${orderId}`);
      t.match(order, { status: states[place], expiration }, `${orderId} at ${ms}`);
    }
  };
  await expectStates(-EARLY_S * 1_000 - 1, ['LIVE', 'LIVE']);
  await expectStates(-EARLY_S * 1_000, ['CANCELED', 'LIVE']);
  await expectStates(-1, ['CANCELED', 'LIVE']);
  await expectStates(0, ['CANCELED', 'CANCELED']);
});
