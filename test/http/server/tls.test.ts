import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { ProgramProcess, runProgram } from '../../program-process.ts';
import { sendTo, shareTestExchange, startTestExchange } from '../exchange-fixture.ts';

function fileOf(name: string): string {
  return fileURLToPath(new URL(`./tls/${name}`, import.meta.url));
}
const TLS = { certFile: fileOf('server.pem'), keyFile: fileOf('server.key') };
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
    { certFile: TLS.keyFile, keyFile: TLS.keyFile },
    { certFile: TLS.certFile, keyFile: TLS.certFile },
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
