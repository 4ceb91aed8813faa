/** GET and POST /crowd on the operator's listener, and the leaderboard without the crowd. */
import { once } from 'node:events';
import t from 'tap';
import { toChecksumAddress } from '../../../http/signing/address.ts';
import { participantsOf } from '../../../sandbox/crowd/roster.ts';
import { shareTestExchange, startTestExchange } from '../../http/exchange-fixture.ts';
import { sandboxServices } from '../sandbox-services.ts';
import { ownCrowd } from './own-crowd.ts';

const share = await shareTestExchange(t);

t.test('GET /crowd tells its accounts, and of each market its character', async (t) => {
  const { operator, running } = share();
  const { text, status } = await operator('GET', '/crowd');
  t.equal(status, 200);
  const shown = JSON.parse(text);
  t.match(shown, { mode: 'off', seed: 1, orders_per_second: 10, watched: Boolean });
  const accounts = participantsOf(1).map(({ name, role, wallet }) => ({
    address: toChecksumAddress(wallet.address),
    name,
    role,
  }));
  t.strictSame(shown.accounts, accounts);
  const markets = [...running.services.registry.markets()];
  t.equal(shown.markets.length, markets.filter(({ status: is }) => is === 'open').length);
  const none = { mode: 'off', state: 'open', value: '', orders: 0 };
  for (const market of shown.markets) t.match(market, { ...none, character: String });
});

/** Refused bodies: what is wrong, with status, code, field, limit and the actual value. */
const WRONG: readonly (readonly [body: unknown, refusal: object])[] = [
  [{}, { status: 400, code: 'missing_field', field: 'mode' }],
  [{ mode: 'on' }, { code: 'invalid_payload', field: 'mode', limit: /off, still/, actual: 'on' }],
  [{ mode: 1 }, { status: 400, code: 'invalid_payload', field: 'mode', actual: 1 }],
  [
    { mode: 'off', market: 1 },
    { status: 400, code: 'invalid_payload', field: 'market' },
  ],
  [
    { mode: 'off', from: 'x' },
    { status: 400, code: 'invalid_payload', field: 'from' },
  ],
  [
    { mode: 'off', market: '0x1' },
    { status: 404, code: 'market_not_found', field: 'market' },
  ],
  ['live', { status: 400, code: 'invalid_payload' }],
];

t.test('a wrong request is refused with its field and limit, and changes nothing', async (t) => {
  const { operator, running, stateHash } = share();
  const before = [stateHash(), (await operator('GET', '/crowd')).text];
  const url = `http://127.0.0.1:${running.adminPort}/crowd`;
  const headers = { authorization: `Bearer ${running.adminToken}` };
  for (const [body, refusal] of WRONG) {
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    const { error, ...told } = { error: '', ...Object(await answer.json()) };
    t.match({ status: answer.status, ...told }, refusal, `${JSON.stringify(body)}: ${error}`);
  }
  t.strictSame([stateHash(), (await operator('GET', '/crowd')).text], before);
});

t.test('a closed market can not be switched on', async (t) => {
  const { operator, plain, running } = share();
  sandboxServices(running).crowd.stop();
  await operator('POST', `/markets/${plain.conditionId}/close`, {});
  const url = `http://127.0.0.1:${running.adminPort}/crowd`;
  const headers = { authorization: `Bearer ${running.adminToken}` };
  const send = (mode: string) => {
    const body = JSON.stringify({ mode, market: plain.conditionId });
    return fetch(url, { method: 'POST', headers, body });
  };
  const refused = await send('live');
  t.equal(refused.status, 400);
  t.match(await refused.json(), { code: 'market_closed', field: 'market', actual: 'closed' });
  const off = await send('off');
  t.match(await off.json(), { mode: 'off', market: plain.conditionId, canceled: 0 });
});

t.test('without play money there is no crowd', async (t) => {
  const { running } = await startTestExchange(t, { funding: 'ledger', crowd: 'live' });
  const url = `http://127.0.0.1:${running.adminPort}/crowd`;
  const headers = { authorization: `Bearer ${running.adminToken}` };
  const body = JSON.stringify({ mode: 'live' });
  for (const request of [{ headers }, { method: 'POST', headers, body }]) {
    const answer = await fetch(url, request);
    t.equal(answer.status, 403);
    t.match(await answer.json(), { code: 'sandbox_only' });
  }
  t.equal(sandboxServices(running).crowd.mode, 'off', 'whatever the settings say');
});

t.test('a leaderboard leaves the crowd out on request', async (t) => {
  const exchange = share();
  const { crowd, fill, turns } = ownCrowd(exchange);
  await fill();
  await turns(60);
  const trader = await exchange.trader(1);
  const [tokenId] = exchange.plain.tokenIds;
  await trader.place({ tokenId, priceTicks: 9_900, lots: 1_000, orderType: 'FAK' });
  const board = async (query: string): Promise<{ rank: string; proxyWallet: string }[]> =>
    JSON.parse((await exchange.send('GET', `/v1/leaderboard?timePeriod=ALL&${query}`)).text);
  const isOfCrowd = ({ proxyWallet }: { proxyWallet: string }): boolean =>
    crowd.addresses.includes(proxyWallet.toLowerCase());
  for (const order of ['orderBy=VOL', 'orderBy=PNL']) {
    const all = await board(order);
    t.ok(all.some(isOfCrowd), 'the crowd has places');
    const others = await board(`${order}&excludeCrowd=true`);
    t.notOk(others.some(isOfCrowd));
    const expected = all.filter((leader) => !isOfCrowd(leader));
    t.ok(expected.length > 0);
    t.same(
      others,
      expected.map((leader, index) => ({ ...leader, rank: `${index + 1}` })),
    );
    const [own] = await board(`${order}&excludeCrowd=true&user=${trader.address}`);
    t.same(
      own,
      others.find(({ proxyWallet }) => proxyWallet.toLowerCase() === trader.address),
    );
    t.same(await board(`${order}&excludeCrowd=true&user=${crowd.addresses[0]}`), []);
    t.same(await board(`${order}&excludeCrowd=false`), all);
  }
});

t.test('books, prices, orders and sockets are an audience, other requests are not', async (t) => {
  let nowMs = 0;
  const { running, send, trader, plain } = await startTestExchange(t, { monotonicMs: () => nowMs });
  const { crowd } = sandboxServices(running);
  const one = await trader(1);
  const [tokenId] = plain.tokenIds;
  const wait = (): void => {
    nowMs += 60_000;
    t.notOk(crowd.isWatched, 'a minute later there is none');
  };
  for (const path of ['/ok', '/time', '/events?limit=1', `/tick-size?token_id=${tokenId}`]) {
    await send('GET', path);
    t.notOk(crowd.isWatched, path);
  }
  for (const name of ['book', 'midpoint', 'spread', 'last-trade-price']) {
    await send('GET', `/${name}?token_id=${tokenId}`);
    t.ok(crowd.isWatched, name);
    t.ok(running.services.books.readsOf(plain.conditionId) > 0);
    wait();
  }
  await one.place({ tokenId });
  t.ok(crowd.isWatched, 'an order');
  wait();
  const socket = new WebSocket(`${running.url.replace('http', 'ws')}/ws/market`);
  await once(socket, 'open');
  t.ok(crowd.isWatched, 'a socket');
  nowMs += 600_000;
  t.ok(crowd.isWatched, 'it is still open');
  socket.close();
  await once(socket, 'close');
});

t.test("the operator's switches hold after a checkpoint is restored", async (t) => {
  const exchange = await startTestExchange(t);
  const { running, plain } = exchange;
  sandboxServices(running).crowd.stop();
  await sandboxServices(running).crowd.setMode(plain.conditionId, 'still');
  const saved = JSON.parse((await exchange.operator('POST', '/checkpoints', {})).text);
  const restored = await exchange.operator('POST', `/checkpoints/${saved.id}/restore`);
  t.equal(restored.status, 200, restored.text);
  const { crowd } = sandboxServices(running);
  crowd.stop();
  const modes = crowd.markets.map(({ conditionId, mode }) => [conditionId, mode] as const);
  t.equal(new Map(modes).get(plain.conditionId), 'still');
  t.strictSame([...new Set(modes.map(([, mode]) => mode))].toSorted(), ['off', 'still']);
});
