// The streams of a running exchange: durability, stops, metrics and TLS.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:tls';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { slowDisk } from '../../persistence/journal/test-disk.ts';
import { shareTestExchange, startTestExchange } from '../exchange-fixture.ts';
import { type Message, StreamClient } from './stream-client.ts';

/** Exchanges with a disk so slow that its delay shows. */
const share = await shareTestExchange(t, { journalDisk: slowDisk(100) });

t.test('nothing is published before it is durable', async (t) => {
  const { running, trader, plain } = share();
  const { exchange } = running.services;
  const isAhead = (): boolean => exchange.appliedSeq > exchange.durableSeq;
  const alice = await trader(1);
  const [tokenId] = plain.tokenIds;
  const client = await StreamClient.open(running.url);
  client.send({ assets_ids: [tokenId], initial_dump: false });
  await client.settled();
  const before = exchange.durableSeq;
  const placed = alice.place({ tokenId });
  while (!isAhead()) await new Promise(setImmediate);
  const wanted = exchange.appliedSeq;
  const told = client.until(() => client.messages.length > 0).then(() => exchange.durableSeq);
  const early: Message[] = [];
  let looks = 0;
  while (isAhead()) {
    // A turn of the event loop is time enough for a message of this process to arrive.
    await new Promise(setImmediate);
    if (!isAhead()) break;
    looks += 1;
    early.push(...client.messages);
  }
  t.ok(looks > 0, 'there was time to look');
  t.strictSame(early, [], 'while the engine was ahead, nothing was sent');
  t.ok(wanted > before && (await told) >= wanted, 'sent once it was durable');
  t.match((await placed).body, { success: true });
  await client.settled();
  t.match(client.messages[0], { event_type: 'price_change', sequence: 1 });
});

t.test('the stream publishes an order no later than its answer', async (t) => {
  const { running, trader, plain } = share();
  const alice = await trader(1);
  const [tokenId] = plain.tokenIds;
  const client = await StreamClient.open(running.url);
  client.send({ assets_ids: [tokenId], initial_dump: false });
  await client.settled();
  for (let count = 1; count <= 5; count += 1) {
    await alice.place({ tokenId, priceTicks: 1_000 * count });
    await client.settled();
    const steps = client.messages.filter(({ event_type }) => event_type === 'price_change');
    t.equal(steps.length, count);
  }
});

/** For the next two tests alone: no socket was opened to it before, and the second stops it. */
const { running, plain, trader } = await startTestExchange(t);

t.test('the metrics show what the streams do', async (t) => {
  const { adminPort, adminToken } = running;
  const shown = async (): Promise<string> => {
    const headers = { authorization: `Bearer ${adminToken}` };
    return (await fetch(`http://127.0.0.1:${adminPort}/metrics`, { headers })).text();
  };
  const client = await StreamClient.open(running.url);
  client.send('what');
  client.send({ operation: 'resume', stream_id: '', sequence: 0, markets: [plain.conditionId] });
  await client.settled();
  const alice = await trader(1);
  await alice.place({ tokenId: plain.tokenIds[0] });
  const prefix = 'outcome_exchange_stream_';
  const text = await shown();
  for (const line of [
    'sockets_open{channel="market"} 1',
    'faults_total{code="message_malformed"} 1',
    'resumes_total{outcome="snapshot"} 1',
    'messages_total 3',
    'waiting_bytes 0',
  ]) {
    t.ok(text.includes(`\n${prefix}${line}\n`), line);
  }
  t.match(text, new RegExp(`\n${prefix}kept_bytes [1-9]`));
});

t.test('a stop closes all clients after the messages before it', async (t) => {
  const alice = await trader(2);
  const [tokenId] = plain.tokenIds;
  const client = await StreamClient.open(running.url);
  client.send({ assets_ids: [tokenId], initial_dump: false });
  await client.settled();
  await alice.place({ tokenId });
  await running.close();
  t.strictSame(await client.closed, { code: 1001, reason: 'the exchange is stopping' });
  t.match(client.messages[0], { event_type: 'price_change' });
});

t.test('with TLS, sockets use TLS', async (t) => {
  const fileOf = (name: string): string =>
    fileURLToPath(new URL(`../server/tls/${name}`, import.meta.url));
  const tls = { certFile: fileOf('server.pem'), keyFile: fileOf('server.key'), endMs: 0 };
  const { running } = await startTestExchange(t, { tls });
  const socket = connect({ port: running.port, host: '127.0.0.1', ca: readFileSync(tls.certFile) });
  await once(socket, 'secureConnect');
  const lines = ['GET /ws/market HTTP/1.1', 'Host: x', 'Upgrade: websocket', 'Connection: Upgrade'];
  const key = ['Sec-WebSocket-Key: dGhpcyBpcyBhIHRlc3QuLg==', 'Sec-WebSocket-Version: 13'];
  socket.write(`${[...lines, ...key].join('\r\n')}\r\n\r\n`);
  const [answer] = await once(socket, 'data');
  t.match(String(answer), /^HTTP\/1\.1 101 /);
  socket.destroy();
});
