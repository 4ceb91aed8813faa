// GET /ui/facts.json on both listeners: what it says, and where it keeps keys to itself.
import t from 'tap';
import { DEV_KEYS } from '../../cli/options/dev-keys.ts';
import { type ExchangeFacts, mayShowDevKeys } from '../../console/facts.ts';
import { DEFAULT_PROFILE } from '../../http/profiles/profiles.ts';
import { toChecksumAddress } from '../../http/signing/address.ts';
import { DEFAULT_DOMAINS } from '../../http/signing/domains.ts';
import { walletOf } from '../../http/signing/wrapped-signature.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { START_MS, shareTestExchange } from '../http/exchange-fixture.ts';
import { KeepAliveClient } from '../http/keep-alive-client.ts';

const share = await shareTestExchange(t, { devKeys: DEV_KEYS.slice(0, 2) });
const { running } = share();
const publicUrl = running.url;
const operatorUrl = `http://127.0.0.1:${running.adminPort}`;

async function factsAt(url: string, headers: Record<string, string> = {}): Promise<ExchangeFacts> {
  const client = new KeepAliveClient(url);
  const { status, text } = await client.send({ method: 'GET', path: '/ui/facts.json', headers });
  client.close();
  t.equal(status, 200, text);
  return JSON.parse(text);
}

t.test('both listeners say which exchange it is', async (t) => {
  const shared = {
    version: packageJson.version,
    timeMs: START_MS,
    funding: 'paper',
    sandbox: true,
    madeUpUntilMs: null,
    explorer: true,
    faucet: 'open',
    newOwners: 'anyone',
    profile: DEFAULT_PROFILE,
    chainIds: [137, 80_002],
    domains: [...DEFAULT_DOMAINS],
    feeAccount: `0x${'0'.repeat(37)}fee`,
    publicUrl,
    operatorUrl,
  };
  t.strictSame(await factsAt(publicUrl), {
    ...shared,
    listener: 'public',
    acceptsKeys: true,
    devAccounts: DEV_KEYS.slice(0, 2)
      .map(walletOf)
      .map(({ address, privateKey }) => ({
        address: toChecksumAddress(address),
        privateKey,
      })),
  });
  t.strictSame(await factsAt(operatorUrl), {
    ...shared,
    listener: 'operator',
    acceptsKeys: false,
    devAccounts: [],
  });
});

t.test('keys and the address of the operator are for clients on this machine alone', async (t) => {
  const port = new URL(publicUrl).port;
  const here = `127.0.0.1:${port}`;
  const rows: readonly (readonly [isHere: boolean, headers: Record<string, string>])[] = [
    [true, {}],
    [true, { host: `localhost:${port}` }],
    [true, { host: 'LOCALHOST' }],
    [true, { host: `[::1]:${port}` }],
    [true, { host: here, origin: `http://${here}` }],
    [false, { host: 'exchange.example' }],
    [false, { host: `127.0.0.1.evil.example:${port}` }],
    [false, { host: `localhost.evil.example` }],
    [false, { host: '192.168.0.7:8080' }],
    [false, { host: '[::ffff:10.0.0.1]:8080' }],
    [false, { host: 'localhost/"<' }],
    [false, { host: here, origin: 'https://evil.example' }],
    [false, { host: here, origin: 'null' }],
    [false, { host: here, origin: 'http://127.0.0.1:1' }],
    [false, { host: here, 'x-forwarded-for': '203.0.113.9' }],
    [false, { host: here, forwarded: 'for=203.0.113.9' }],
    [false, { host: here, via: '1.1 proxy' }],
  ];
  for (const [isHere, headers] of rows) {
    const facts = await factsAt(publicUrl, headers);
    const told = [facts.acceptsKeys, facts.devAccounts.length > 0, facts.operatorUrl !== null];
    t.strictSame(told, [isHere, isHere, isHere], JSON.stringify(headers));
    if (!isHere) t.notMatch(JSON.stringify(facts), new RegExp(DEV_KEYS.join('|')));
  }
});

t.test('keys are shown for play money, on a listener that only this machine reaches', async (t) => {
  const local = { host: '127.0.0.1', funding: 'paper', strict: false } as const;
  const direct = { host: '127.0.0.1:8080', headers: { origin: '' } };
  const rows = [
    [true, direct, local],
    [true, direct, { ...local, host: 'localhost' }],
    [true, { ...direct, host: '[::1]:8080' }, { ...local, host: '::1' }],
    [false, direct, { ...local, funding: 'ledger' }],
    [false, direct, { ...local, strict: true }],
    [false, direct, { ...local, host: '0.0.0.0' }],
    [false, direct, { ...local, host: '::' }],
    [false, direct, { ...local, host: '10.0.0.5' }],
    [false, { ...direct, host: '' }, local],
    [false, { ...direct, host: 'exchange.example' }, local],
    [false, { ...direct, headers: { origin: 'https://evil.example' } }, local],
    [false, { ...direct, headers: { via: '1.1 proxy' } }, local],
  ] as const;
  for (const [expected, request, settings] of rows) {
    t.equal(mayShowDevKeys(request, settings), expected, JSON.stringify([request, settings]));
  }
});

t.test('the address of the other listener is one that the client can reach', async (t) => {
  const [port, adminPort] = [new URL(publicUrl).port, running.adminPort];
  const rows = [
    ['localhost', `http://localhost:${port}`, `http://localhost:${adminPort}`],
    [`[::1]:${port}`, `http://[::1]:${port}`, `http://[::1]:${adminPort}`],
    // It listens on this machine alone, and the client is elsewhere.
    ['exchange.example', null, null],
  ] as const;
  for (const [host, ...urls] of rows) {
    const facts = await factsAt(publicUrl, { host });
    t.strictSame([facts.publicUrl, facts.operatorUrl], urls, host);
  }
});
