// Requests in another owner's name: signed with the wrong key, for another exchange, or about
// things of another owner. Mallory has an account, API keys and a wallet, and knows everything
// public.
import t from 'tap';
import { toChecksumAddress } from '../../http/signing/address.ts';
import { DEFAULT_DOMAINS } from '../../http/signing/domains.ts';
import {
  NEG_RISK_DOMAIN,
  type Payload,
  shareTestExchange,
  type TestExchange,
  type Trader,
} from '../http/exchange-fixture.ts';
import { nextOf, sendRaw, statusesIn } from './raw-server.ts';

const ZERO = `0x${'0'.repeat(40)}`;
const GROUP_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

// Not shared with other files, whose orders would meet these.
const share = await shareTestExchange(t, { paperMicros: 10_000_000_002 });

async function startThree() {
  const exchange = share();
  const [alice, mallory] = [await exchange.trader(1), await exchange.trader(2)];
  const [tokenId = ''] = exchange.plain.tokenIds;
  return { exchange, alice, mallory, tokenId };
}

type Headers = Record<string, string>;

/** Headers of a request of Mallory's for Alice's orders. */
function forgedHeaders(alice: Trader, mallory: Trader): Record<string, Headers> {
  const own = mallory.keyHeaders('GET', '/data/orders');
  const hers = alice.keyHeaders('GET', '/data/orders');
  const address = toChecksumAddress(alice.address);
  const mixed = `0x${address.slice(2, 3).toUpperCase()}${address.slice(3).toUpperCase()}`;
  return {
    'her address on my key': { ...own, POLY_ADDRESS: address },
    'her address in lower case': { ...own, POLY_ADDRESS: alice.address },
    'her address in upper case': { ...hers, POLY_ADDRESS: mixed },
    'her address without 0x': { ...hers, POLY_ADDRESS: address.slice(2) },
    'no address': { ...hers, POLY_ADDRESS: ZERO },
    'my address on her key': { ...hers, POLY_ADDRESS: mallory.address },
    'her key with my signature': { ...hers, POLY_SIGNATURE: own.POLY_SIGNATURE ?? '' },
    'her key with my passphrase': { ...hers, POLY_PASSPHRASE: own.POLY_PASSPHRASE ?? '' },
    'my signature and passphrase': {
      ...hers,
      POLY_SIGNATURE: own.POLY_SIGNATURE ?? '',
      POLY_PASSPHRASE: own.POLY_PASSPHRASE ?? '',
    },
    'a key that nobody has': { ...hers, POLY_API_KEY: '00000000-0000-4000-8000-000000000000' },
    'a key named __proto__': { ...hers, POLY_API_KEY: '__proto__' },
    'a key named constructor': { ...hers, POLY_API_KEY: 'constructor' },
    'a signature of zeros': { ...hers, POLY_SIGNATURE: Buffer.alloc(32).toString('base64') },
  };
}

t.test('no mixture of two sets of credentials is valid', async (t) => {
  const { exchange, alice, mallory } = await startThree();
  for (const [name, headers] of Object.entries(forgedHeaders(alice, mallory))) {
    const { status, text } = await exchange.send('GET', '/data/orders', { headers });
    t.equal(status, 401, name);
    t.notOk(text.includes(alice.credentials.secret), name);
    t.notOk(text.includes(alice.credentials.passphrase), name);
  }
});

t.test('of two headers with one name the first one counts, and it must be valid', async (t) => {
  const { exchange, alice, mallory, tokenId } = await startThree();
  await alice.place({ tokenId });
  const ask = async (before: Headers, headers: Headers): Promise<string> => {
    const lines = [...Object.entries(before), ...Object.entries(headers)];
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    const bytes = `GET /data/orders HTTP/1.1\r\nHost: x\r\n${head}\r\n`;
    const wire = sendRaw(t, exchange.running.port, bytes);
    await nextOf(wire.socket);
    return wire.received();
  };
  const own = mallory.keyHeaders('GET', '/data/orders');
  const hers = { POLY_ADDRESS: alice.address, POLY_API_KEY: alice.credentials.apiKey };
  t.strictSame(statusesIn(await ask(hers, own)), [401], 'hers first');
  const answer = await ask(own, hers);
  t.strictSame(statusesIn(answer), [200], 'her headers after mine are ignored');
  t.notMatch(answer, alice.address);
  const kuest = { KUEST_ADDRESS: alice.address, KUEST_API_KEY: alice.credentials.apiKey };
  t.strictSame(statusesIn(await ask(own, kuest)), [401], 'prefixes are not mixed');
});

/** The signature with s negated: mathematically valid, but refused. */
function mirrored(signature: string): string {
  const s = GROUP_ORDER - BigInt(`0x${signature.slice(66, 130)}`);
  const v = signature.slice(130) === '1b' ? '1c' : '1b';
  return signature.slice(0, 66) + s.toString(16).padStart(64, '0') + v;
}

function flipped(signature: string): string {
  return signature.slice(0, 130) + (signature.slice(130) === '1b' ? '1c' : '1b');
}

/** EIP-2098: r, and s with v in its highest bit. */
function compact(signature: string): string {
  const high = signature.slice(130) === '1c' ? 1n << 255n : 0n;
  const s = (BigInt(`0x${signature.slice(66, 130)}`) | high).toString(16).padStart(64, '0');
  return signature.slice(0, 66) + s;
}

type Forge = (scene: {
  readonly alice: Trader;
  readonly mallory: Trader;
  readonly tokenId: string;
}) => Payload;

function signedAs(change: (signature: string) => string): Forge {
  return ({ mallory, tokenId }) => {
    const payload = mallory.order({ tokenId });
    const signature = change(String(payload.order.signature));
    return { ...payload, order: { ...payload.order, signature } };
  };
}

function with_(
  changes: (scene: { alice: Trader; mallory: Trader }) => Record<string, string | number>,
): Forge {
  return ({ alice, mallory, tokenId }) =>
    mallory.order({ tokenId, changes: changes({ alice, mallory }) });
}

function after(changes: (scene: { alice: Trader }) => Record<string, string | number>): Forge {
  return ({ alice, mallory, tokenId }) => {
    const payload = mallory.order({ tokenId });
    return { ...payload, order: { ...payload.order, ...changes({ alice }) } };
  };
}

function forDomain(changes: Partial<(typeof DEFAULT_DOMAINS)[number]>): Forge {
  return ({ mallory, tokenId }) => {
    const [known] = DEFAULT_DOMAINS;
    if (known === undefined) throw new Error('there is a domain');
    return mallory.order({ tokenId, domain: { ...known, ...changes } });
  };
}

/** Orders of Mallory's, sent with her own good credentials. */
const FORGED: Readonly<Record<string, Forge>> = {
  'her account, my signature': with_(({ alice }) => ({ maker: alice.address })),
  'her account and wallet, my signature': with_(({ alice }) => ({
    maker: alice.address,
    signer: alice.address,
  })),
  'my account, her wallet': with_(({ alice }) => ({ signer: alice.address })),
  'her account as my proxy': with_(({ alice }) => ({ maker: alice.address, signatureType: 1 })),
  'her account as my safe': with_(({ alice }) => ({ maker: alice.address, signatureType: 2 })),
  'her account as my deposit wallet': with_(({ alice }) => ({
    maker: alice.address,
    signatureType: 3,
  })),
  'no account': with_(() => ({ maker: ZERO, signer: ZERO })),
  'another type of signature': with_(() => ({ signatureType: 4 })),
  'her order, as she signed it': ({ alice, tokenId }) => alice.order({ tokenId }),
  'her order in my name': ({ alice, mallory, tokenId }) => ({
    ...alice.order({ tokenId }),
    owner: mallory.credentials.apiKey,
  }),
  'my order in her name': ({ alice, mallory, tokenId }) => ({
    ...mallory.order({ tokenId }),
    owner: alice.credentials.apiKey,
  }),
  'another amount than I signed': after(() => ({ takerAmount: '20000000' })),
  'another side than I signed': after(() => ({ side: 'SELL' })),
  'another salt than I signed': after(() => ({ salt: 987_654_321 })),
  'another account than I signed': after(({ alice }) => ({ maker: alice.address })),
  'the mirrored signature': signedAs(mirrored),
  'the other v': signedAs(flipped),
  'v of 29': signedAs((signature) => `${signature.slice(0, 130)}1d`),
  'the compact form': signedAs(compact),
  'a byte more': signedAs((signature) => `${signature}00`),
  'a signature of zeros': signedAs(() => `0x${'0'.repeat(130)}`),
  'no signature': signedAs(() => '0x'),
  'another chain': forDomain({ chainId: 1 }),
  'another contract': forDomain({ contract: `0x${'12'.repeat(20)}` }),
  'another name': forDomain({ name: 'Another Exchange' }),
  'another version': forDomain({ version: '9' }),
  'the contract of the other kind of market': ({ mallory, tokenId }) =>
    mallory.order({ tokenId, domain: NEG_RISK_DOMAIN }),
};

t.test('an order is accepted only if its account signed it for this exchange', async (t) => {
  const { exchange, alice, mallory, tokenId } = await startThree();
  const before = exchange.stateHash();
  for (const [name, forge] of Object.entries(FORGED)) {
    const payload = forge({ alice, mallory, tokenId });
    const { status, text } = await mallory.signed('POST', '/order', payload);
    t.ok(status >= 400 && status < 500, `${name}: ${status} ${text}`);
    const batch = await mallory.signed('POST', '/orders', [payload]);
    t.notMatch(batch.body, [{ success: true }], `${name}, in a batch`);
  }
  t.equal(exchange.stateHash(), before);
  t.equal((await mallory.place({ tokenId })).status, 200);
});

t.test('a signature has one form, so an order has one form, regardless of v', async (t) => {
  const { mallory, tokenId } = await startThree();
  const payload = mallory.order({ tokenId });
  const signature = String(payload.order.signature);
  const v = Number.parseInt(signature.slice(130), 16) - 27;
  const forms = [signature, `${signature.slice(0, 130)}0${v}`, signature.slice(2)];
  const answers: unknown[] = [];
  for (const form of forms) {
    const order = { ...payload.order, signature: form };
    answers.push((await mallory.signed('POST', '/order', { ...payload, order })).body);
  }
  t.match(answers, [{ status: 'live' }, { duplicate: true }, { duplicate: true }]);
  const { body } = await mallory.signed('GET', '/data/orders');
  t.equal(body.data.length, 1);
});

/** Reads of Mallory's whose answers might show something of Alice's. */
function readsOf(
  { plain }: TestExchange,
  alice: Trader,
  id: string,
): readonly (readonly [method: string, path: string, body?: unknown])[] {
  return [
    ['GET', '/data/orders'],
    ['GET', `/data/orders?id=${id}`],
    ['GET', `/data/orders?market=${plain.conditionId}`],
    ['GET', `/data/orders?maker_address=${alice.address}`],
    ['GET', `/data/orders?owner=${alice.credentials.apiKey}`],
    ['GET', `/data/order/${id}`],
    ['GET', `/data/trades?maker_address=${alice.address}`],
    ['GET', `/data/trades?owner=${alice.credentials.apiKey}`],
    ['GET', '/notifications?signature_type=0'],
    ['GET', `/balance-allowance?asset_type=COLLATERAL&signature_type=0&address=${alice.address}`],
    ['GET', '/auth/api-keys'],
    ['GET', '/auth/readonly-api-keys'],
    ['GET', '/auth/builder-api-key'],
  ];
}

t.test('no owner can read what belongs to another owner', async (t) => {
  const { exchange, alice, mallory, tokenId } = await startThree();
  const placed = await alice.place({ tokenId, lots: 1234 });
  const id = placed.body.orderID;
  const { apiKey, secret, passphrase } = alice.credentials;
  for (const [method, path] of readsOf(exchange, alice, id)) {
    const { text } = await mallory.signed(method, path);
    for (const hers of [apiKey, secret, passphrase, '12.34', '9993.83']) {
      if (path.includes(hers)) continue;
      t.notOk(text.includes(hers), `${path} shows ${hers}`);
    }
    if (!path.includes(id)) t.notOk(text.includes(id), `${path} shows her order`);
  }
});

t.test('no owner can change what belongs to another owner', async (t) => {
  const { exchange, alice, mallory, tokenId } = await startThree();
  const market = exchange.plain.conditionId;
  const { orderID: id } = (await alice.place({ tokenId, lots: 1234 })).body;
  await alice.signed('POST', '/sets/split', { market, amount: '50', key: 'a' });
  const made = await alice.signed('POST', '/auth/readonly-api-key');
  const before = exchange.stateHash();
  const account = alice.address;
  const rows: readonly (readonly [method: string, path: string, body?: unknown])[] = [
    ['DELETE', '/order', { orderID: id }],
    ['DELETE', '/orders', [id]],
    ['DELETE', '/cancel-market-orders', { market }],
    ['DELETE', '/cancel-market-orders', { market, asset_id: tokenId }],
    ['DELETE', '/cancel-all'],
    ['POST', '/sets/split', { market, amount: '1', key: 'b', account }],
    ['POST', '/sets/merge', { market, amount: '1', key: 'a', account }],
    ['POST', '/sets/redeem', { market, key: 'a', account }],
    ['DELETE', '/auth/readonly-api-key', { key: made.body.apiKey }],
    ['DELETE', '/auth/readonly-api-key', { key: alice.credentials.apiKey }],
    ['DELETE', '/notifications?ids=1,2,3'],
  ];
  for (const [method, path, body] of rows) {
    const { text } = await mallory.signed(method, path, body);
    t.notOk(text.includes(id) && text.includes('"canceled":["'), `${method} ${path}: ${text}`);
  }
  t.equal(exchange.stateHash(), before);
  const beat = await alice.signed('POST', '/v1/heartbeats', { heartbeat_id: '' });
  // Safe: the answer to a heartbeat has its id.
  const { heartbeat_id } = beat.body as unknown as { heartbeat_id: string };
  const stolen = await mallory.signed('POST', '/v1/heartbeats', { heartbeat_id });
  t.equal(stolen.status, 400, 'another owner cannot renew her switch');
  t.notMatch(stolen.body, { heartbeat_id }, 'nor learn the id to renew it');
  t.match((await alice.cancel(id)).body, { canceled: [id] }, 'she can cancel it');
});
