import t from 'tap';
import { signL2 } from '../../http/signing/l2.ts';
import { ProgramProcess } from '../program-process.ts';

interface Ready {
  readonly url: string;
  readonly adminPort: number;
  readonly devAccounts: readonly [
    {
      readonly address: string;
      readonly privateKey: string;
      readonly apiKey: string;
      readonly secret: string;
      readonly passphrase: string;
    },
  ];
}

const ADMIN_TOKEN = 'hush-the-token-of-the-operator';
/** What a client might send by mistake, or somebody else on purpose. */
const SENT = ['hush-passphrase', 'hush-signature', 'hush-query', 'hush-body', 'hush-bearer'];

t.test('the log holds no secret, even at the most verbose level', async (t) => {
  const words = ['--memory', '--json', '--port', '0', '--admin-port', '0', '--dev-accounts', '1'];
  const environment = { ADMIN_TOKEN, LOG_LEVEL: 'trace' };
  const program = new ProgramProcess(t, words, environment);
  // Safe: the tests of the ready line check its form.
  const ready = JSON.parse(await program.firstOutput()) as Ready;
  const { url, adminPort, devAccounts } = ready;
  const [{ address, privateKey, apiKey, secret, passphrase }] = devAccounts;
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const hmac = signL2(secret, { timestamp, method: 'GET', path: '/data/orders' }, Buffer.from(''));
  const good = {
    POLY_ADDRESS: address,
    POLY_API_KEY: apiKey,
    POLY_PASSPHRASE: passphrase,
    POLY_TIMESTAMP: timestamp,
    POLY_SIGNATURE: hmac,
  };
  const bad = { ...good, POLY_PASSPHRASE: 'hush-passphrase', POLY_SIGNATURE: 'hush-signature' };
  const body = JSON.stringify({
    secret: 'hush-body',
    order: { signature: 'hush-signature', maker: 'hush-body', salt: 'hush-body' },
    owner: apiKey,
    passphrase: 'hush-passphrase',
  });
  const rows: readonly (readonly [path: string, init: RequestInit, status: number])[] = [
    [`${url}/data/orders?secret=hush-query`, { headers: good }, 200],
    [`${url}/data/orders`, { headers: bad }, 401],
    [`${url}/data/orders`, { headers: { ...good, POLY_SIGNATURE: 'hush-signature' } }, 401],
    [`${url}/nowhere?passphrase=hush-query`, { headers: bad }, 404],
    [`${url}/order`, { method: 'POST', headers: bad, body }, 401],
    [`${url}/books`, { method: 'POST', body: `${body}{` }, 400],
    [`${url}/auth/api-key`, { method: 'POST', headers: bad, body }, 401],
    [`http://127.0.0.1:${adminPort}/audit?token=hush-query`, {}, 401],
    [
      `http://127.0.0.1:${adminPort}/audit`,
      { headers: { authorization: 'Bearer hush-bearer' } },
      401,
    ],
    [
      `http://127.0.0.1:${adminPort}/audit`,
      { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } },
      200,
    ],
  ];
  for (const [path, init, status] of rows) {
    t.equal((await fetch(path, init)).status, status, `${init.method ?? 'GET'} ${path}`);
  }
  const { code, stderr } = await program.stop();
  t.equal(code, 0);
  const lines = stderr.trim().split('\n');
  t.ok(lines.length > rows.length, 'every request has a line');
  for (const line of lines) t.type(JSON.parse(line).msg, 'string', line);
  const secrets = [privateKey, secret, passphrase, hmac, ADMIN_TOKEN, ...SENT];
  for (const text of secrets) t.notOk(stderr.includes(text), text);
});
