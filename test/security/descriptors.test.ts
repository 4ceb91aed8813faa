// Connections that do nothing must not take the file descriptors that the journal needs.
import { connect, type Socket } from 'node:net';
import t from 'tap';
import { Connections, connectionBounds } from '../../http/server/connection-bound.ts';
import { descriptorLimit, limitInReport } from '../../persistence/shared/files.ts';
import { startExchangeProcess } from '../exchange-process.ts';
import { until } from '../persistence/store-fixture.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const OPEN_FILES = 600;
const TOKEN = 'token-of-the-operator-0123456789';

t.test('idle connections leave descriptors for the journal and for the operator', async (t) => {
  const bound = connectionBounds(OPEN_FILES).public;
  const folder = temporaryFolder(t);
  const exchange = await startExchangeProcess(folder, ['--admin-token', TOKEN], `${OPEN_FILES}`);
  t.teardown(() => exchange.killHard());
  const { hostname, port } = new URL(exchange.url);
  const clients = new Set<Socket>();
  t.teardown(() => {
    for (const client of clients) client.destroy();
  });
  let closed = 0;
  for (let number = 0; number < OPEN_FILES + 50; number++) {
    const client = connect(Number(port), hostname).resume();
    clients.add(client);
    client.on('error', () => {});
    client.on('close', () => {
      clients.delete(client);
      closed += 1;
    });
  }
  await until(() => closed >= OPEN_FILES + 50 - bound);

  // A durable command shows that the journal thread could write its files.
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ state: 'halted', by: 'test', reason: 'to see it made durable' });
  const paused = await fetch(`${exchange.adminUrl}/exchange/state`, {
    method: 'POST',
    headers,
    body,
  });
  t.equal(paused.status, 200, await paused.text());
  const metrics = await (await fetch(`${exchange.adminUrl}/metrics`, { headers })).text();
  t.match(metrics, /http_connections_refused_total\{listener="public"\} [1-9]/);

  for (const client of clients) client.destroy();
  await until(async () => (await fetch(`${exchange.url}/healthz`).catch(() => ({ ok: false }))).ok);
  t.equal(await exchange.stop(), 0);
});

t.test('a process that may open too few files says how many it needs', async (t) => {
  t.throws(() => connectionBounds(511), { message: /may open 511 files at once and needs 512/ });
  t.same(connectionBounds(512), { public: 192, operator: 64 });
  t.same(connectionBounds(Number.POSITIVE_INFINITY).public, Number.POSITIVE_INFINITY);
  t.equal(descriptorLimit(), limitInReport());
});

t.test('full connections are reported once, and again after there was room', async (t) => {
  let reports = 0;
  const connections = new Connections(10, () => {
    reports += 1;
  });
  const opened = Array.from({ length: 12 }, () => connections.opened());
  t.same(opened, [...Array(10).fill(true), false, false]);
  t.same([connections.open, connections.refused, reports], [12, 2, 1]);
  connections.closed();
  connections.closed();
  t.equal(connections.opened(), false);
  t.same([connections.refused, reports], [3, 1], 'still full');
  for (let number = 0; number < 3; number++) connections.closed();
  for (let number = 0; number < 3; number++) connections.opened();
  t.same([connections.open, connections.refused, reports], [11, 4, 2]);
});
