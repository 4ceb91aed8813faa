// Secrets in a real program that logs everything: they appear in their own files and in the answers
// to their owners, and nowhere else.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { deriveCredentials } from '../../http/signing/credentials.ts';
import { Trader } from '../http/exchange-fixture.ts';
import { makeSigner } from '../http/signing/fixtures.ts';
import { StreamClient } from '../http/streams/stream-client.ts';
import { authOf } from '../http/streams/user/user-fixture.ts';
import { ProgramProcess } from '../program-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';

type Headers = Readonly<Record<string, string>>;

interface Ready {
  readonly url: string;
  readonly adminPort: number;
  readonly pid: number;
  readonly devAccounts: readonly {
    readonly privateKey: string;
    readonly secret: string;
    readonly passphrase: string;
  }[];
}

/** A secret in every spelling in which it could get out. */
function spellings(text: string): readonly string[] {
  const raw = Buffer.from(text);
  const forms = [raw];
  if (/^(0x)?([0-9a-f]{2}){20,}$/i.test(text)) {
    forms.push(Buffer.from(text.replace(/^0x/, ''), 'hex'));
  } else if (/^[\w+/-]{40,}={0,2}$/.test(text)) forms.push(Buffer.from(text, 'base64'));
  return forms.flatMap((bytes) => [
    bytes.toString('latin1'),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
  ]);
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

async function startProgram(t: Test, dataDir: string) {
  const words = ['--data', dataDir, '--json', '--port', '0', '--admin-port', '0'];
  // The most open default: other users may access files unless the program sets their modes.
  const umask = process.umask(0);
  const program = new ProgramProcess(t, [...words, '--dev-accounts', '1'], { LOG_LEVEL: 'trace' });
  process.umask(umask);
  // Safe: the tests of the ready line look at its form.
  const ready = JSON.parse(await program.firstOutput()) as Ready;
  return { program, ready };
}

/** Sends requests of all kinds. Returns all answers, except those that issue a key. */
async function session(
  { url, adminPort }: Ready,
  adminToken: string,
): Promise<{ readonly alice: Trader; readonly used: string[]; readonly received: string[] }> {
  const clock = { ms: Date.now() };
  // Its key is these two bytes after zeros: one byte would be found in empty pages of a database.
  const alice = new Trader({ url, clock, signer: makeSigner(0xde15), prefix: 'POLY' });
  const [received, used]: [string[], string[]] = [[], []];
  const ask = async (method: string, path: string, init: RequestInit = {}, root = url) => {
    const response = await fetch(root + path, { method, ...init });
    received.push(await response.text(), JSON.stringify([...response.headers]));
  };
  const proof = alice.walletHeaders();
  used.push(proof.POLY_SIGNATURE ?? '');
  await alice.login();
  const byKey = (method: string, path: string, value?: unknown, changes: Headers = {}) => {
    const body = value === undefined ? undefined : JSON.stringify(value);
    const headers: Headers = { ...alice.keyHeaders(method, path, body), ...changes };
    used.push(headers.POLY_SIGNATURE ?? '');
    return ask(method, path, body === undefined ? { headers } : { headers, body });
  };
  const { registryToken } = await tokenOf(url);
  await byKey('POST', '/order', alice.order({ tokenId: registryToken }));
  const { secret, passphrase } = alice.credentials;
  // Mistakes of clients: secrets in other fields.
  await byKey('POST', '/order', { order: { maker: secret, signature: passphrase }, owner: secret });
  await byKey('DELETE', '/order', { orderID: secret });
  await byKey('GET', '/data/orders', undefined, { POLY_TIMESTAMP: '1' });
  await byKey('GET', '/data/orders', undefined, { POLY_SIGNATURE: 'AAAA' });
  await byKey('GET', `/data/orders?x=${encodeURIComponent(secret)}`);
  await byKey('GET', '/auth/api-keys');
  const nonce = { headers: { ...proof, POLY_NONCE: '5' } };
  await ask('POST', '/auth/api-key', nonce);
  for (const path of [
    '/metrics',
    '/openapi.json',
    '/asyncapi.json',
    '/limits',
    '/docs/README.html',
    '/ui/facts.json',
    '/readyz',
  ]) {
    await ask('GET', path);
  }
  const operator = `http://127.0.0.1:${adminPort}`;
  const authorization = { headers: { authorization: `Bearer ${adminToken}` } };
  const ownerPath = `/owners/${alice.address}`;
  for (const path of ['/audit', '/actions', '/openapi.json', '/ui/facts.json', ownerPath]) {
    await ask('GET', path, authorization, operator);
  }
  await ask('POST', '/exchange/state', { ...authorization, body: '{' }, operator);
  await ask('GET', '/audit', { headers: { authorization: `Bearer ${adminToken}x` } }, operator);
  const client = await StreamClient.open(url, '/ws/user');
  client.send({ auth: authOf(alice), markets: [] });
  await client.settled();
  client.send({ auth: { ...authOf(alice), secret: `${secret}x` } });
  await client.closed;
  received.push(JSON.stringify(client.messages));
  return { alice, used, received };
}

async function tokenOf(url: string): Promise<{ registryToken: string }> {
  // Safe: a list of markets has at least one, with its tokens.
  const page = (await (await fetch(`${url}/sampling-markets`)).json()) as {
    readonly data: readonly [{ readonly tokens: readonly [{ readonly token_id: string }] }];
  };
  return { registryToken: page.data[0].tokens[0].token_id };
}

/** The files are for their user only, whatever the default mode is. */
function checkModes(t: Test, dataDir: string): void {
  const modeOf = (path: string): number => statSync(path).mode & 0o777;
  t.equal(modeOf(dataDir), 0o700);
  for (const name of ['master.secret', 'admin.token']) {
    t.equal(modeOf(join(dataDir, name)), 0o600);
  }
  for (const path of filesIn(dataDir)) {
    t.equal(modeOf(path) & 0o022, 0, `${path} can be written`);
  }
}

t.test('secrets appear only in their files and in the answers to their owners', async (t) => {
  const dataDir = join(temporaryFolder(t), 'data');
  const { program, ready } = await startProgram(t, dataDir);
  const adminToken = readFileSync(join(dataDir, 'admin.token'), 'utf8').trim();
  const master = readFileSync(join(dataDir, 'master.secret'));
  checkModes(t, dataDir);
  const { alice, used, received } = await session(ready, adminToken);
  const title = readFileSync(`/proc/${ready.pid}/cmdline`, 'utf8');
  const { stderr } = await program.stop();
  checkModes(t, dataDir);
  t.ok(stderr.split('\n').length > 20, 'it logs each request');

  const next = deriveCredentials(master, alice.address, '1', 'trading');
  const secrets: Readonly<Record<string, readonly string[]>> = {
    'the master secret': [master.toString('hex')],
    "the operator's token": [adminToken],
    "the traders' secrets": [alice.credentials, ...ready.devAccounts, next].map(
      (one) => one.secret,
    ),
    "the traders' passphrases": [alice.credentials, ...ready.devAccounts, next].map(
      ({ passphrase }) => passphrase,
    ),
    'private keys': [
      `0x${Buffer.from(alice.signer.privateKey).toString('hex')}`,
      ...ready.devAccounts.map(({ privateKey }) => privateKey),
    ],
    'what proved a request': used.filter((text) => text.length > 20),
  };
  const files = filesIn(dataDir).map((path) => [path, readFileSync(path, 'latin1')] as const);
  const own = ['master.secret', 'admin.token'];
  // Alice sends her secret as an order by mistake. Only she sees it in the answer.
  // Pages on this machine sign with the dev keys, which are public.
  const answers = received
    .join('\n')
    .replaceAll(alice.credentials.secret, '')
    .replaceAll(/"devAccounts":\[[^\]]*\]/g, '');
  const places: readonly (readonly [name: string, text: string])[] = [
    ['the log', stderr],
    ['the command line', title],
    ['an answer', answers.replaceAll(alice.credentials.passphrase, '')],
    ...files.filter(([path]) => !own.some((name) => path.endsWith(name))),
  ];
  t.ok(files.some(([path]) => path.endsWith('journal.db')));
  for (const [name, texts] of Object.entries(secrets)) {
    for (const spelling of texts.flatMap(spellings)) {
      for (const [place, text] of places) {
        if (text.includes(spelling)) t.fail(`${name} in ${place}`);
      }
    }
    t.ok(texts.length > 0, `${name} looked for`);
  }
});
