import fc from 'fast-check';
import t from 'tap';
import { DomainTable, domainSeparator } from '../../../http/signing/domain-table.ts';
import { DEFAULT_DOMAINS, type SigningDomain } from '../../../http/signing/domains.ts';
import { bytesToHex } from '../../../http/signing/hash.ts';
import { structHash } from '../../../http/signing/order-hash.ts';
import type { SignedOrder } from '../../../http/signing/order-struct.ts';
import { typedDataDigest } from '../../../http/signing/typed-data.ts';
import {
  type OrderVerification,
  type VerifyOrderOptions,
  verifyOrder,
} from '../../../http/signing/verify-order.ts';
import { DEFAULT_WALLETS, walletsOf } from '../../../http/signing/wallets.ts';
import { typedDataSignHash } from '../../../http/signing/wrapped-signature.ts';
import { proxyWallet, safeWallet } from '../../owned-wallets.ts';
import {
  makeSigner,
  type Signer,
  toSignedOrder,
  toSigningDomain,
  VECTOR_ADDRESS,
  vectors,
} from './fixtures.ts';

const alice = makeSigner(1);
const mallory = makeSigner(2);
const WALLET = `0x${'d'.repeat(40)}`;
const STRANGER = `0x${'e'.repeat(40)}`;

function local(contract: string, negRisk: boolean | null): SigningDomain {
  return {
    name: 'CTF Exchange',
    version: '2',
    chainId: 31337,
    contract: `0x${contract.repeat(40)}`,
    negRisk,
    struct: 'order11',
  };
}
const PLAIN = local('a', false);
const OTHER_PLAIN = local('b', false);
const NEG_RISK = local('c', true);
const UNKNOWN = local('f', false);
const LEGACY = { ...PLAIN, version: '1', struct: 'order12' } as const;
const table = new DomainTable([PLAIN, NEG_RISK, OTHER_PLAIN, LEGACY]);

type Changes = Partial<Record<string, string | number>>;

/** Alice's order of 11 fields, not signed yet. */
function draft(changes: Changes = {}): SignedOrder {
  // Safe: the changes that don't fit are the faults that the tests are about.
  return {
    struct: 'order11',
    salt: '479249096354',
    maker: alice.address,
    signer: alice.address,
    tokenId: '1234',
    makerAmount: '5000000',
    takerAmount: '10000000',
    side: 0,
    signatureType: 0,
    timestamp: '1780449126930',
    metadata: `0x${'0'.repeat(64)}`,
    builder: `0x${'0'.repeat(64)}`,
    signature: '',
    ...changes,
  } as SignedOrder;
}

function contentsHash(order: SignedOrder): Uint8Array {
  const contents = structHash(order);
  if (!contents.ok) throw new Error(`${contents.field} is ${contents.actual}`);
  return contents.hash;
}

function signPlain(order: SignedOrder, domain: SigningDomain, signer: Signer): SignedOrder {
  const digest = typedDataDigest(domainSeparator(domain), contentsHash(order));
  return { ...order, signature: signer.sign(digest) };
}

/** What a client of a deposit wallet sends (wire 3.5), put together independently. */
function signWrapped(order: SignedOrder, domain: SigningDomain, signer: Signer): SignedOrder {
  const separator = domainSeparator(domain);
  const hash = contentsHash(order);
  const inner = signer.sign(
    typedDataDigest(separator, typedDataSignHash(hash, domain.chainId, order.signer)),
  );
  const type = Buffer.from(vectors.typeHashes.order11.typeString).toString('hex');
  const parts = [inner, bytesToHex(separator).slice(2), bytesToHex(hash).slice(2), type, '00ba'];
  return { ...order, signature: parts.join('') };
}

function optionsOf(changes: Partial<VerifyOrderOptions> = {}): VerifyOrderOptions {
  return {
    domains: table,
    wallets: DEFAULT_WALLETS,
    negRisk: false,
    keyAddress: alice.address,
    ...changes,
  };
}

/** "ok", or the code and the field at fault. */
function outcome(result: OrderVerification): string {
  return result.ok ? 'ok' : `${result.code} ${result.field}`;
}

for (const vector of vectors.orders) {
  t.test(`"${vector.label}" recovers its signer and has its published id`, async (t) => {
    const domain = toSigningDomain(vector);
    const domains = new DomainTable([{ ...domain, contract: `0x${'9'.repeat(40)}` }, domain]);
    const options = optionsOf({ domains, keyAddress: VECTOR_ADDRESS });
    const result = verifyOrder(toSignedOrder(vector.order, vector.signature), options);
    t.same(result, {
      ok: true,
      orderHash: vector.orderHash,
      domain,
      signer: vector.recovered.toLowerCase(),
    });
  });
}

t.test('the vectors of the public exchanges pass with the default domains', async (t) => {
  const domains = new DomainTable(DEFAULT_DOMAINS);
  const isPublic = (label: string): boolean => !/31337|published/.test(label);
  const publicOrders = vectors.orders.filter(({ label }) => isPublic(label));
  t.equal(publicOrders.length, 11);
  for (const { label, order, signature, orderHash } of publicOrders) {
    const negRisk = /neg-risk/.test(label);
    const options = optionsOf({ domains, negRisk, keyAddress: VECTOR_ADDRESS });
    const result = verifyOrder(toSignedOrder(order, signature), options);
    t.equal(result.ok && result.orderHash, orderHash, label);
  }
});

interface RecordedOrder {
  readonly order: Readonly<Record<string, string | number>>;
}

t.test('every recorded order of the published clients is valid', async (t) => {
  // The recorded Kuest-like client has Polymarket's contracts under Kuest's name.
  const polymarket = DEFAULT_DOMAINS.filter(
    ({ chainId, version, struct }) => chainId === 80002 && version === '2' && struct === 'order11',
  ).filter(({ name }) => name.startsWith('Polymarket'));
  const kuestLike = polymarket.map((domain) => ({ ...domain, name: 'CTF Exchange' }));
  const domains = new DomainTable([...DEFAULT_DOMAINS, ...kuestLike]);
  let count = 0;
  for (const request of Object.values(vectors.recorded).flat()) {
    if (request.method !== 'POST' || !/^\/orders?$/.test(request.url)) continue;
    // Safe: these two routes are sent one such object or an array of them.
    const body = JSON.parse(request.body ?? '') as RecordedOrder | readonly RecordedOrder[];
    for (const { order } of [body].flat()) {
      // The one SELL of the recording is for a neg-risk market.
      const negRisk = order.side === 'SELL';
      const options = optionsOf({ domains, negRisk, keyAddress: VECTOR_ADDRESS });
      t.equal(outcome(verifyOrder(toSignedOrder(order), options)), 'ok', request.call);
      count++;
    }
  }
  t.equal(count, 8);
});

t.test('the expiration is not signed in the struct of 11 fields', async (t) => {
  const { sameSignature, expirationOfOther } = vectors.expirationNotSigned;
  t.equal(sameSignature, true);
  for (const vector of vectors.orders) {
    const order = toSignedOrder({ ...vector.order, expiration: expirationOfOther });
    const domains = new DomainTable([toSigningDomain(vector)]);
    const result = verifyOrder(
      { ...order, signature: vector.signature },
      optionsOf({ domains, keyAddress: VECTOR_ADDRESS }),
    );
    t.equal(outcome(result), order.struct === 'order11' ? 'ok' : 'signature_mismatch signature');
  }
});

t.test('each row repairs one fault of a plain order', async (t) => {
  const maker = STRANGER;
  const broken = { salt: '-1', maker, signer: mallory.address, signature: '0x12' };
  const legacyOnly = new DomainTable([LEGACY]);
  const bound = optionsOf({ makerOwner: mallory.address });
  const ours = { maker: alice.address, signer: alice.address };
  const signed = (domain: SigningDomain, changes: Changes = {}): SignedOrder =>
    signPlain(draft({ ...ours, ...changes }), domain, alice);
  const { signature } = signPlain(draft(), UNKNOWN, alice);
  const rows = [
    [draft({ ...broken }), { ...bound, domains: legacyOnly }, 'order_version_mismatch struct'],
    [draft({ ...broken, signatureType: 4 }), bound, 'malformed_order signatureType'],
    [draft(broken), bound, 'malformed_order salt'],
    [draft({ ...broken, salt: '1' }), bound, 'malformed_signature signature'],
    [draft({ ...broken, salt: '1', signature }), bound, 'signer_mismatch signer'],
    [draft({ ...ours, maker, salt: '1', signature }), bound, 'maker_mismatch maker'],
    [draft({ ...ours, salt: '1', signature }), bound, 'wallet_not_yours maker'],
    [draft({ ...ours, salt: '1', signature }), optionsOf(), 'signature_mismatch signature'],
    [signed(UNKNOWN, { salt: '1' }), optionsOf(), 'signature_mismatch signature'],
    [signed(NEG_RISK, { salt: '1' }), optionsOf(), 'wrong_exchange signature'],
    [signed(PLAIN, { salt: '1' }), optionsOf(), 'ok'],
  ] as const;
  for (const [index, [order, options, expected]] of rows.entries()) {
    t.equal(outcome(verifyOrder(order, options)), expected, `row ${index}`);
  }
});

t.test('each row repairs one fault of a deposit wallet order', async (t) => {
  const wallet = (changes: Changes = {}): SignedOrder =>
    draft({ maker: WALLET, signer: WALLET, signatureType: 3, ...changes });
  const bound = optionsOf({ makerOwner: mallory.address });
  const plainForm = signPlain(wallet(), PLAIN, alice).signature;
  const highS = `0x${'1'.repeat(64)}${'f'.repeat(64)}1b`;
  const good = signWrapped(wallet(), PLAIN, alice).signature;
  const rows = [
    [wallet({ maker: STRANGER, signature: plainForm }), bound, 'malformed_signature signature'],
    [
      wallet({ maker: STRANGER, signature: highS + good.slice(132) }),
      bound,
      'malformed_signature signature',
    ],
    [wallet({ maker: STRANGER, signature: good }), bound, 'maker_mismatch maker'],
    [wallet({ salt: '1', signature: good }), bound, 'wallet_not_yours maker'],
    [wallet({ salt: '1', signature: good }), optionsOf(), 'signature_mismatch signature'],
    [signWrapped(wallet(), UNKNOWN, mallory), optionsOf(), 'signature_mismatch signature'],
    [signWrapped(wallet(), NEG_RISK, mallory), optionsOf(), 'signer_mismatch signature'],
    [signWrapped(wallet(), NEG_RISK, alice), optionsOf(), 'wrong_exchange signature'],
    [signWrapped(wallet(), PLAIN, alice), optionsOf(), 'ok'],
    [signWrapped(wallet(), PLAIN, alice), optionsOf({ makerOwner: alice.address }), 'ok'],
  ] as const;
  for (const [index, [order, options, expected]] of rows.entries()) {
    t.equal(outcome(verifyOrder(order, options)), expected, `row ${index}`);
  }
});

t.test("a legacy order is verified, but can't be of a deposit wallet", async (t) => {
  const legacy = draft({
    struct: 'order12',
    taker: `0x${'0'.repeat(40)}`,
    expiration: '0',
    nonce: '0',
    feeRateBps: '0',
  });
  t.equal(outcome(verifyOrder(signPlain(legacy, LEGACY, alice), optionsOf())), 'ok');
  // Safe: a change of the type's own values.
  const asWallet = { ...legacy, signatureType: 3 } as SignedOrder;
  const result = verifyOrder(signPlain(asWallet, LEGACY, alice), optionsOf());
  t.same(result, {
    ok: false,
    code: 'malformed_order',
    field: 'signatureType',
    actual: '3',
    expected: '0 to 2',
    recovered: [],
  });
});

t.test('the maker of types 1 and 2 is a wallet of the signer, derived or bound', async (t) => {
  const proxy = proxyWallet(alice.address);
  const safe = safeWallet(alice.address);
  const mine = alice.address;
  const other = mallory.address;
  const [, kuestProxy = ''] = walletsOf(DEFAULT_WALLETS, 'proxy', mine);
  const [, kuestSafe = ''] = walletsOf(DEFAULT_WALLETS, 'safe', mine);
  const rows = [
    [1, kuestProxy, undefined, 'ok'],
    [2, kuestSafe, undefined, 'ok'],
    [2, kuestProxy, undefined, 'maker_mismatch maker'],
    [1, proxyWallet(other), undefined, 'maker_mismatch maker'],
    [1, proxy, undefined, 'ok'],
    [1, proxy, mine, 'ok'],
    [1, proxy, other, 'wallet_not_yours maker'],
    [1, safe, undefined, 'maker_mismatch maker'],
    [1, safe, mine, 'ok'],
    [1, STRANGER, undefined, 'maker_mismatch maker'],
    [1, STRANGER, other, 'wallet_not_yours maker'],
    [1, STRANGER, mine, 'ok'],
    [1, mine, undefined, 'maker_mismatch maker'],
    [2, safe, undefined, 'ok'],
    [2, safe, mine, 'ok'],
    [2, safe, other, 'wallet_not_yours maker'],
    [2, proxy, undefined, 'maker_mismatch maker'],
    [2, STRANGER, mine, 'ok'],
    [0, mine, undefined, 'ok'],
    [0, mine, mine, 'ok'],
    [0, mine, other, 'wallet_not_yours maker'],
    [0, STRANGER, mine, 'maker_mismatch maker'],
  ] as const;
  for (const [signatureType, maker, makerOwner, expected] of rows) {
    const order = signPlain(draft({ signatureType, maker }), PLAIN, alice);
    const result = verifyOrder(order, optionsOf({ makerOwner }));
    t.equal(outcome(result), expected, `type ${signatureType}, ${maker} of ${makerOwner}`);
    if (result.ok) t.equal(result.signer, alice.address);
  }
});

t.test("a wrong signature lists all tried domains, those of the market's kind first", async (t) => {
  const result = verifyOrder(signPlain(draft(), PLAIN, mallory), optionsOf());
  t.match(result, {
    code: 'signature_mismatch',
    expected: alice.address,
    recovered: [
      { ...describe(PLAIN), recovered: mallory.address },
      { ...describe(OTHER_PLAIN), recovered: /^0x[0-9a-f]{40}$/ },
      { ...describe(NEG_RISK), recovered: /^0x[0-9a-f]{40}$/ },
    ],
  });
});

/** The expected entry for a tried domain in the error. */
function describe({ name, version, chainId, contract, negRisk }: SigningDomain) {
  const orderHash = bytesToHex(
    typedDataDigest(domainSeparator(local(contract.charAt(2), negRisk)), contentsHash(draft())),
  );
  return { name, version, chainId, contract, negRisk, orderHash };
}

t.test('a signature for the wrong exchange names that exchange', async (t) => {
  const rows = [
    [NEG_RISK, false, 'signed for an exchange contract of plain markets'],
    [PLAIN, true, 'signed for an exchange contract of neg-risk markets'],
  ] as const;
  const wallet = draft({ maker: WALLET, signer: WALLET, signatureType: 3 });
  for (const [domain, negRisk, expected] of rows) {
    for (const order of [signPlain(draft(), domain, alice), signWrapped(wallet, domain, alice)]) {
      const result = verifyOrder(order, optionsOf({ negRisk }));
      t.match(result, {
        code: 'wrong_exchange',
        actual: `signed for ${domain.contract}`,
        expected,
      });
      if (result.ok) continue;
      // History: all domains that were tried were listed, some 5 KB.
      const { contract } = domain;
      t.match(result.recovered, [{ contract, recovered: alice.address }]);
      t.equal(result.recovered.length, 1);
    }
  }
});

t.test('one contract for both kinds of market is good for both', async (t) => {
  const domains = new DomainTable([{ ...PLAIN, negRisk: null }]);
  const wallet = draft({ maker: WALLET, signer: WALLET, signatureType: 3 });
  for (const negRisk of [true, false]) {
    const options = optionsOf({ domains, negRisk });
    t.equal(outcome(verifyOrder(signPlain(draft(), PLAIN, alice), options)), 'ok');
    t.equal(outcome(verifyOrder(signWrapped(wallet, PLAIN, alice), options)), 'ok');
  }
});

t.test('a signature is accepted with v of 0 or 1 and without its prefix', async (t) => {
  const { signature, ...order } = signPlain(draft(), PLAIN, alice);
  const v = Number.parseInt(signature.slice(-2), 16);
  for (const text of [signature.slice(2), `${signature.slice(0, -2)}0${v - 27}`]) {
    t.equal(outcome(verifyOrder({ ...order, signature: text } as SignedOrder, optionsOf())), 'ok');
  }
  const other = `${signature.slice(0, -2)}0${28 - v}`;
  const result = verifyOrder({ ...order, signature: other } as SignedOrder, optionsOf());
  t.equal(outcome(result), 'signature_mismatch signature');
});

t.test('any change of the signed content is refused', async (t) => {
  const order = signPlain(draft(), PLAIN, alice);
  const word = `0x${'0'.repeat(63)}1`;
  const changes: readonly Changes[] = [
    { salt: '479249096355' },
    { tokenId: '1235' },
    { makerAmount: '5000001' },
    { takerAmount: '9999999' },
    { side: 1 },
    { timestamp: '1780449126931' },
    { metadata: word },
    { builder: word },
  ];
  for (const change of changes) {
    // Safe: each change keeps its field's type.
    const changed = { ...order, ...change } as SignedOrder;
    t.equal(outcome(verifyOrder(changed, optionsOf())), 'signature_mismatch signature');
  }
});

t.test('earlier verifications never change a result', async () => {
  const anyOrder = fc.record({
    salt: fc.constantFrom('1', '2'),
    domain: fc.constantFrom(PLAIN, OTHER_PLAIN, NEG_RISK, UNKNOWN),
    signer: fc.constantFrom(alice, mallory),
    negRisk: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(anyOrder, { minLength: 1, maxLength: 6 }), (steps) => {
      const list = [PLAIN, NEG_RISK, OTHER_PLAIN];
      const domains = new DomainTable(list);
      return steps.every(({ salt, domain, signer, negRisk }) => {
        const order = signPlain(draft({ salt }), domain, signer);
        const warm = verifyOrder(order, optionsOf({ domains, negRisk }));
        const cold = verifyOrder(order, optionsOf({ domains: new DomainTable(list), negRisk }));
        return JSON.stringify(warm) === JSON.stringify(cold);
      });
    }),
    { numRuns: 30 },
  );
});

t.test('an order and its result can be posted to a worker thread', async (t) => {
  const order = signPlain(draft(), PLAIN, alice);
  t.same(structuredClone(order), order);
  for (const sent of [order, draft()]) {
    const result = verifyOrder(structuredClone(sent), optionsOf());
    t.same(structuredClone(result), result);
  }
});
