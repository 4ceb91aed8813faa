import { once } from 'node:events';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { until } from '../../persistence/store-fixture.ts';
import { ProgramProcess, runProgram } from '../../program-process.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { sendTo, shareTestExchange, startTestExchange } from '../exchange-fixture.ts';
import { scrape, total } from '../metrics/scrape.ts';
import { frameOf } from '../streams/stream-client.ts';

function fileOf(name: string): string {
  return fileURLToPath(new URL(`./tls/${name}`, import.meta.url));
}
const TLS = {
  certFile: fileOf('server.pem'),
  keyFile: fileOf('server.key'),
  endMs: Date.parse('2120-01-01'),
};
const RENEWED = {
  certFile: fileOf('renewed.pem'),
  keyFile: fileOf('renewed.key'),
  endMs: Date.parse('2099-01-01'),
};
const ADMIN_TOKEN = 'a-token-of-the-tests';
const CERTIFICATE = readFileSync(TLS.certFile);

/** One request over TLS, by a client that trusts the certificate of the tests alone. */
function sendSecurely(url: string, method = 'GET', body = ''): Promise<[number, unknown]> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, ca: CERTIFICATE, agent: false }, async (answer) => {
      const chunks = await answer.toArray();
      resolve([answer.statusCode ?? 0, JSON.parse(Buffer.concat(chunks).toString())]);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const share = await shareTestExchange(t, { tls: TLS });

t.test("the public listener speaks only TLS, the operator's plain HTTP", async (t) => {
  const { running, plain, operator } = share();
  const { url, port } = running;
  const [tokenId] = plain.tokenIds;
  t.equal(url, `https://127.0.0.1:${port}`);
  for (const host of ['127.0.0.1', 'localhost']) {
    t.strictSame(await sendSecurely(`https://${host}:${port}/ok`), [200, 'OK'], host);
  }
  const body = JSON.stringify([{ token_id: tokenId }]);
  t.match(await sendSecurely(`${url}/books`, 'POST', body), [200, [{ asset_id: tokenId }]]);
  t.match(await sendSecurely(`${url}/nowhere`), [404, { code: 'route_unknown' }]);
  t.equal((await operator('GET', '/audit')).status, 200);
  await t.rejects(sendTo(url, 'GET', '/ok'), 'other clients do not trust the certificate');
});

t.test('plain HTTP gets no answer from the TLS port', async (t) => {
  const { running } = share();
  await t.rejects(sendTo(`http://127.0.0.1:${running.port}`, 'GET', '/ok'));
  const socket = connect(running.port, '127.0.0.1');
  socket.write('GET /ok HTTP/1.1\r\nhost: x\r\n\r\n');
  const received = Buffer.concat(await socket.toArray()).toString('latin1');
  t.notMatch(received, 'OK');
  t.notMatch(received, 'HTTP/1.1');
  t.strictSame(await sendSecurely(`${running.url}/ok`), [200, 'OK'], 'others are not disturbed');
});

t.test('invalid certificate files prevent the start with a message', async (t) => {
  const rows = [
    { ...TLS, certFile: fileOf('missing.pem') },
    { ...TLS, keyFile: fileOf('missing.key') },
    { ...TLS, certFile: TLS.keyFile },
    { ...TLS, keyFile: TLS.certFile },
  ];
  for (const tls of rows) {
    const sentence = `TLS can't be set up with the certificate ${tls.certFile} and the key `;
    await t.rejects(startTestExchange(t, { tls }), { message: new RegExp(`^${sentence}`) });
  }
});

t.test('the program prints an https URL with TLS, and needs both files', async (t) => {
  const words = ['--memory', '--port', '0', '--admin-port', '0', '--tls-cert', TLS.certFile];
  const key = ['--tls-key', TLS.keyFile];
  const program = new ProgramProcess(t, [...words, ...key, '--json']);
  // Safe: the tests of the ready line check its form.
  const ready = JSON.parse(await program.firstOutput()) as { url: string; port: number };
  t.equal(ready.url, `https://127.0.0.1:${ready.port}`);
  t.match(await sendSecurely(`${ready.url}/readyz`), [200, { ready: true }]);
  t.match(program.stderr, `"url":"${ready.url}","adminUrl":"http://127.0.0.1:`);
  t.equal((await program.stop()).code, 0);
  const half = await runProgram(t, words);
  t.match(half, { code: 2, stdout: '', stderr: /--tls-key is missing; --tls-cert needs it/ });
  const wrong = await runProgram(t, [...words, '--tls-key', TLS.certFile]);
  t.match(wrong, { code: 2, stderr: /--tls-key is ".*", which has no private key in PEM form/ });
});

/** A connection that stays open. */
async function openTls(t: Test, port: number, servername = ''): Promise<TLSSocket> {
  const ca = [CERTIFICATE, readFileSync(RENEWED.certFile)];
  const socket = connectTls({ host: '127.0.0.1', port, ca, servername });
  t.teardown(() => socket.destroy());
  await once(socket, 'secureConnect');
  // The program may reset it when it stops.
  socket.on('error', () => {});
  return socket;
}

function nameOf(socket: TLSSocket): string {
  return String(socket.getPeerCertificate().subject.CN);
}

async function ask(socket: TLSSocket, head: string): Promise<string> {
  socket.write(`${head}\r\nhost: x\r\n\r\n`);
  const [answer] = await once(socket, 'data');
  return String(answer);
}

const OLD = 'outcome-exchange test only (server)';
const NEW = 'outcome-exchange test only (renewed)';
const UPGRADE =
  'GET /ws/market HTTP/1.1\r\nupgrade: websocket\r\nconnection: upgrade\r\n' +
  'sec-websocket-version: 13\r\nsec-websocket-key: dGhpcyBpcyBhIHRlc3QuLg==';

t.test('SIGHUP renews the certificate, and connections stay', async (t) => {
  const folder = temporaryFolder(t);
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  copyFileSync(TLS.certFile, certFile);
  copyFileSync(TLS.keyFile, keyFile);
  const words = ['--memory', '--port', '0', '--admin-port', '0', '--json'];
  const tls = ['--tls-cert', certFile, '--tls-key', keyFile];
  const program = new ProgramProcess(t, [...words, ...tls, '--admin-token', ADMIN_TOKEN]);
  // Safe: the tests of the ready line check its form.
  const { port, adminPort } = JSON.parse(await program.firstOutput()) as Record<
    'port' | 'adminPort',
    number
  >;
  const shownEnd = async (): Promise<number> => {
    const families = await scrape({ running: { adminPort, adminToken: ADMIN_TOKEN } });
    return total(families, 'outcome_exchange_http_certificate_end_seconds') * 1_000;
  };
  const before = await openTls(t, port);
  t.match(await ask(before, 'GET /ok HTTP/1.1'), /200 OK/);
  t.equal(await shownEnd(), TLS.endMs);

  const hangUp = async (said: RegExp): Promise<void> => {
    const from = program.stderr.length;
    process.kill(program.pid ?? 0, 'SIGHUP');
    await until(() => said.test(program.stderr.slice(from)));
  };
  copyFileSync(RENEWED.certFile, certFile);
  await hangUp(/does not fit the first certificate/);
  t.equal(nameOf(await openTls(t, port)), OLD, 'a wrong pair changes nothing');
  t.equal(await shownEnd(), TLS.endMs);
  copyFileSync(RENEWED.keyFile, keyFile);
  await hangUp(/the certificate and its key were read again/);
  t.equal(await shownEnd(), RENEWED.endMs);
  for (const servername of ['', 'localhost']) {
    const socket = await openTls(t, port, servername);
    t.equal(nameOf(socket), NEW, `server name "${servername}"`);
    t.match(await ask(socket, 'GET /ok HTTP/1.1'), /200 OK/);
  }
  t.equal(nameOf(before), OLD);
  t.match(await ask(before, 'GET /ok HTTP/1.1'), /200 OK/, 'the old connection goes on');
  writeFileSync(certFile, '');
  await hangUp(/does not begin with a certificate/);
  t.equal(nameOf(await openTls(t, port)), NEW);
  t.equal((await program.stop()).code, 0);
});

t.test('streams reach the sockets of every certificate, of which four are kept', async (t) => {
  const { running, operator, plain } = share();
  const message = /Another program has the port/;
  await t.rejects(startTestExchange(t, { tls: TLS, port: running.port }), { message });
  const { port } = running;
  const sockets: TLSSocket[] = [];
  const ends: Promise<unknown>[] = [];
  for (let round = 0; round < 5; round += 1) {
    if (round > 0) running.renewTls(round % 2 === 0 ? TLS : RENEWED);
    const socket = await openTls(t, port);
    t.equal(nameOf(socket), round % 2 === 0 ? OLD : NEW);
    ends.push(once(socket, 'close'));
    t.match(await ask(socket, UPGRADE), /101 Switching/);
    sockets.push(socket);
  }
  await ends[0];
  const texts = sockets.slice(1).map((socket) => {
    const frames: Buffer[] = [];
    socket.on('data', (bytes: Buffer) => frames.push(bytes));
    socket.write(frameOf(JSON.stringify({ assets_ids: [plain.tokenIds[0]] })));
    return () => Buffer.concat(frames).toString('latin1');
  });
  await until(() => texts.every((text) => text().includes('"book"')));
  const path = `/markets/${plain.conditionId}/terms`;
  t.equal((await operator('POST', path, { tick_size: '0.001' })).status, 200);
  await until(() => texts.every((text) => text().includes('tick_size_change')));
  t.equal(sockets[0]?.destroyed, true, 'the oldest was closed');
});
