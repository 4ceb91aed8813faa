// A checkpoint of a whole exchange, and what is there after it is restored.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { STORE_BOUNDS } from '../../../persistence/shared/index.ts';
import { backupFolder, verifyFolder } from '../../../persistence/tools/index.ts';
import {
  type Answer,
  sendTo,
  shareTestExchange,
  startTestExchange,
  type TestExchange,
} from '../../http/exchange-fixture.ts';
import { StreamClient } from '../../http/streams/stream-client.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { makeFault, readFault } from '../fault-fixture.ts';
import { sandboxServices } from '../sandbox-services.ts';

const HOUR_MS = 3_600_000;

interface Shown {
  readonly id: string;
  readonly seq: number;
  readonly time: string;
  readonly stream_id: string;
}

/** Safe: a wrong field fails the comparison that uses it. */
function shownIn({ status, text, body }: Answer): Shown {
  if (status !== 200) throw new Error(text);
  return body as unknown as Shown;
}

async function save({ operator }: TestExchange, name = ''): Promise<Shown> {
  return shownIn(await operator('POST', '/checkpoints', { name }));
}

async function restore({ operator }: TestExchange, id: string): Promise<Shown> {
  return shownIn(await operator('POST', `/checkpoints/${id}/restore`));
}

async function timeOf({ operator }: TestExchange): Promise<Pick<Shown, 'time'>> {
  return shownIn(await operator('GET', '/time'));
}

/** Everything that clients are shown, as far as the test changes it. */
async function look({ send, operator, plain, running }: TestExchange, owner: string) {
  const [token = ''] = plain.tokenIds;
  const paths = [
    `/book?token_id=${token}`,
    `/comments?parent_entity_type=Event&parent_entity_id=${plain.eventId}&limit=10`,
    `/activity?user=${owner}`,
    `/positions?user=${owner}`,
  ];
  const answers = await Promise.all(paths.map((path) => send('GET', path)));
  const all = [...answers, await operator('GET', `/owners/${owner}`)];
  const failed = all.find(({ status }) => status !== 200);
  if (failed !== undefined) throw new Error(failed.text);
  // Its figures may be written a moment later.
  const { title } = JSON.parse((await send('GET', `/events/${plain.eventId}`)).text);
  return [...all.map(({ text }) => text), title, running.services.exchange.stateHash()];
}

for (const temporary of [true, false]) {
  const where = temporary ? 'in memory' : 'in a data folder';
  t.test(`a restore brings everything back, many times, ${where}`, async (t) => {
    const dataDir = join(temporaryFolder(t), 'data');
    const exchange = await startTestExchange(t, temporary ? {} : { temporary, dataDir });
    const { clock, operator, plain, running } = exchange;
    const [token = ''] = plain.tokenIds;
    const [alice, bob] = [await exchange.trader(1), await exchange.trader(2)];
    const expiration = String(Math.floor((clock.ms + HOUR_MS) / 1_000));
    await alice.place({
      tokenId: token,
      priceTicks: 4_000,
      changes: { expiration },
      orderType: 'GTD',
    });
    await alice.place({ tokenId: token, side: 'BUY', priceTicks: 4_500, lots: 1_000 });
    await bob.place({ tokenId: plain.tokenIds[1], side: 'BUY', priceTicks: 5_500, lots: 500 });
    await running.services.exchange.reader.orders([]);
    const before = await look(exchange, alice.address);
    const made = await save(exchange, 'a quiet book');

    for (let round = 0; round < 2; round += 1) {
      const later = await exchange.trader(3);
      await bob.place({ tokenId: plain.tokenIds[1], side: 'BUY', priceTicks: 5_500, lots: 500 });
      const edit = await operator('PUT', `/events/${plain.eventId}`, { title: 'another title' });
      const comment = await alice.signed('POST', '/comments', {
        body: 'Nothing is certain.',
        parent_entity_type: 'Event',
        parent_entity_id: plain.eventId,
      });
      t.strictSame([edit.status, comment.status], [200, 200]);
      clock.ms += 2 * HOUR_MS;
      await running.services.exchange.submit({ kind: 'advance_time' });
      t.not((await look(exchange, alice.address)).join(), before.join(), 'it is another state');
      const restored = await restore(exchange, made.id);
      t.match(restored, { id: made.id, seq: made.seq, time: made.time });
      t.equal(restored.stream_id, running.services.exchange.streamId);
      t.strictSame(await look(exchange, alice.address), before, 'the GTD order is alive again');
      t.equal((await timeOf(exchange)).time, made.time, 'and so is its time');
      t.match(await later.signed('GET', '/data/orders'), { status: 401 }, 'a later key is unknown');
      t.equal((await alice.signed('GET', '/data/orders')).status, 200, 'an earlier key is valid');
    }
    t.equal((await operator('GET', '/audit')).status, 200);
    clock.ms += HOUR_MS;
    await running.services.exchange.submit({ kind: 'advance_time' });
    t.not(
      (await look(exchange, alice.address))[0],
      before[0],
      'and it expires when its time comes',
    );
    if (temporary) return;

    const backup = await backupFolder({
      dataDir,
      file: join(temporaryFolder(t), 'backup.tar'),
      version: '1',
      nowMs: clock.ms,
    });
    t.notOk(
      backup.files.some(({ path }) => path.includes('checkpoint')),
      'no backup has it',
    );
    await running.close();
    t.strictSame((await verifyFolder({ dataDir })).findings, []);
    const next = await startTestExchange(t, { temporary, dataDir, now: () => clock.ms });
    await restore(next, made.id);
    t.equal(next.stateHash(), before.at(-1), 'a checkpoint outlives the process');
    t.notOk(existsSync(join(dataDir, 'swap.ready')));
  });
}

/** For the tests below, each of which brings it back. */
const own = await startTestExchange(t);

t.test(
  'sockets close with 1012, and a client that connects again gets another stream',
  async (t) => {
    const exchange = own;
    const { id } = await save(exchange);
    const streamOf = async (): Promise<[StreamClient, unknown]> => {
      const client = await StreamClient.open(exchange.running.url);
      client.send({ assets_ids: exchange.plain.tokenIds, custom_feature_enabled: true });
      await client.until(() => client.messages.some(({ stream_id }) => stream_id !== undefined));
      return [client, client.messages.find(({ stream_id }) => stream_id !== undefined)?.stream_id];
    };
    const [client, first] = await streamOf();
    const restored = await restore(exchange, id);
    t.strictSame(await client.closed, {
      code: 1012,
      reason: 'the exchange returns to a checkpoint',
    });
    const [next, second] = await streamOf();
    t.not(first, second);
    t.equal(second, restored.stream_id);
    const alice = await exchange.trader(1);
    next.messages.splice(0);
    await alice.place({ tokenId: exchange.plain.tokenIds[0] });
    await next.until(() => next.messages.length > 0);
  },
);

t.test('during a restore requests get 425; those in flight are answered or refused', async (t) => {
  const exchange = own;
  const { operator, send, plain } = exchange;
  const alice = await exchange.trader(1);
  const { id } = await save(exchange);
  const before = exchange.stateHash();
  let isOver = false;
  const restoring = restore(exchange, id).finally(() => {
    isOver = true;
  });
  const refused = { status: 425, code: 'service_not_ready', retryAfter: '1' };
  const seen = new Set<string>();
  let placed = 0;
  while (!isOver) {
    const [book, order] = await Promise.all([
      send('GET', `/book?token_id=${plain.tokenIds[0]}`),
      alice.place({ tokenId: plain.tokenIds[0] }),
    ]);
    for (const { status, headers, body } of [book, order]) {
      seen.add(String(status));
      if (status === 200) continue;
      const answer = { status, code: body.code, retryAfter: headers.get('retry-after') };
      t.strictSame(answer, refused);
    }
    if (order.status === 200 && isOver) placed += 1;
    const second = await operator('POST', `/checkpoints/${id}/restore`);
    if (!isOver) t.ok([409, 425].includes(second.status), second.text);
  }
  await restoring;
  t.ok(seen.has('425'), 'some were refused');
  if (placed === 0) {
    await restore(exchange, id);
    t.equal(exchange.stateHash(), before);
  }
});

// The folder of a clock that shows the wall clock's time says nothing of an offset.
t.test('a restore ends a move of the clock, also where it ends at the wall clock', async (t) => {
  const exchange = own;
  const before = await timeOf(exchange);
  const { id } = await save(exchange);
  t.equal((await exchange.operator('POST', '/time', { seconds: 3_600 })).status, 200);
  t.not((await timeOf(exchange)).time, before.time);
  await restore(exchange, id);
  t.strictSame(await timeOf(exchange), before);
});

t.test('faults end with a restore, and what they held back is answered', async (t) => {
  const exchange = own;
  const { id } = await save(exchange);
  const fault = { kind: 'slow_answer', seconds: 60, match: { path: '/time' } };
  const faultId = await makeFault(exchange, fault);
  const slow = exchange.send('GET', '/time');
  // The exchange has the request when it lists its hit.
  while ((await readFault(exchange, faultId)).fired !== 1);
  await restore(exchange, id);
  t.ok([200, 425].includes((await slow).status));
  t.strictSame((await exchange.operator('GET', '/faults')).body.data, []);
});

t.test('what is malformed, unknown, out of bounds or not allowed is refused', async (t) => {
  const { operator, stateHash, running } = own;
  const { checkpoints, exchange } = sandboxServices(running);
  for (const { id } of checkpoints.list()) checkpoints.remove(id);
  const { id } = await save(own, 'x'.repeat(100));
  const unknown = (actual: string) => ({
    status: 404,
    body: { code: 'checkpoint_unknown', field: 'checkpoint_id', actual },
  });
  const invalid = (field: string, limit: unknown) => ({
    status: 400,
    body: { code: 'invalid_payload', field, limit },
  });
  type Row = readonly [method: string, path: string, body: object | undefined, answer: object];
  const rows: readonly Row[] = [
    ['POST', '/checkpoints', { name: 'x'.repeat(101) }, invalid('name', 100)],
    ['POST', '/checkpoints', { name: 7 }, invalid('name', 'string')],
    ['POST', '/checkpoints', { name: null }, invalid('name', 'string')],
    ['POST', '/checkpoints/77/restore', undefined, unknown('77')],
    ['POST', '/checkpoints/0/restore', undefined, unknown('0')],
    ['POST', '/checkpoints/..%2F..%2Fetc/restore', undefined, unknown('../../etc')],
    ['POST', `/checkpoints/${'9'.repeat(50)}/restore`, undefined, unknown('9'.repeat(40))],
    ['DELETE', '/checkpoints/77', undefined, unknown('77')],
    ['DELETE', '/checkpoints/x', undefined, unknown('x')],
  ];
  const before = [stateHash(), exchange.streamId, JSON.stringify(checkpoints.list())];
  for (const [method, path, body, answer] of rows) {
    t.match(await operator(method, path, body), answer, `${method} ${path}`);
  }
  const list = await sendTo(`http://127.0.0.1:${running.adminPort}`, 'POST', '/checkpoints', {
    headers: { authorization: `Bearer ${running.adminToken}` },
    body: '[]',
  });
  t.match(list, { status: 400, body: { code: 'invalid_payload' } });
  while (checkpoints.list().length < STORE_BOUNDS.savedStates) await checkpoints.save('');
  t.match(await operator('POST', '/checkpoints', {}), {
    status: 409,
    body: { code: 'checkpoint_limit', field: 'checkpoints', limit: 32, actual: 33 },
  });
  for (const one of checkpoints.list()) if (one.id !== id) checkpoints.remove(one.id);
  t.strictSame([stateHash(), exchange.streamId, JSON.stringify(checkpoints.list())], before);
  t.match(await operator('DELETE', `/checkpoints/${id}`), { status: 200, body: { id } });
  t.match(await operator('POST', `/checkpoints/${id}/restore`), unknown(id));
  t.equal(running.services.exchange.streamId, before[1]);
});

t.test('there are no checkpoints where money is at stake', async (t) => {
  for (const settings of [{ funding: 'ledger' }, { strict: true }] as const) {
    const { operator, running } = (await shareTestExchange(t, settings))();
    const refusal = { status: 403, body: { code: 'sandbox_only' } };
    for (const [method, path] of [
      ['GET', '/checkpoints'],
      ['POST', '/checkpoints'],
      ['POST', '/checkpoints/1/restore'],
      ['DELETE', '/checkpoints/1'],
    ] as const) {
      t.match(await operator(method, path), refusal, `${method} ${path}`);
    }
    t.strictSame(sandboxServices(running).checkpoints.list(), []);
  }
});
