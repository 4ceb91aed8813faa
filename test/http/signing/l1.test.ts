import t from 'tap';
import { toChecksumAddress } from '../../../http/signing/address.ts';
import { bytesToHex } from '../../../http/signing/hash.ts';
import { clobAuthDigest, type L1Headers, verifyL1 } from '../../../http/signing/l1.ts';
import { bytes, makeSigner, signDigest, VECTOR_ADDRESS, vectors } from './fixtures.ts';

const CHAINS = [137, 80002];
function windowAt(nowMs: number) {
  return { chainIds: CHAINS, nowMs, windowMs: 300_000 };
}

for (const { chainId, timestamp, nonce, digest, signature } of vectors.l1) {
  t.test(`the published vector of chain ${chainId}, ${timestamp}, ${nonce}`, async (t) => {
    const auth = { address: VECTOR_ADDRESS, timestamp, nonce };
    t.equal(bytesToHex(clobAuthDigest(auth, chainId)), digest);
    const window = windowAt(Number(timestamp) * 1_000);
    const good = { ok: true, address: VECTOR_ADDRESS, nonce, chainId };
    for (const address of [vectors.address, VECTOR_ADDRESS]) {
      for (const text of [signature, signature.slice(2)]) {
        t.same(verifyL1({ address, timestamp, nonce, signature: text }, window), good);
      }
    }
  });
}

t.test('every recorded request for credentials is valid', async (t) => {
  let count = 0;
  for (const request of Object.values(vectors.recorded).flat()) {
    const prefix = request.headerNames.find((name) => name.endsWith('_NONCE'))?.split('_')[0];
    if (prefix === undefined) continue;
    const header = (name: string): string | undefined =>
      request.headers[`${prefix}_${name}`.toLowerCase()];
    const headers = {
      address: header('ADDRESS'),
      timestamp: header('TIMESTAMP'),
      nonce: header('NONCE'),
      signature: header('SIGNATURE'),
    };
    const result = verifyL1(headers, windowAt(vectors.fixedClockMs));
    t.equal(result.ok && result.address, VECTOR_ADDRESS, request.call);
    count++;
  }
  t.equal(count, 4);
});

const alice = makeSigner(1);
const nowMs = 1_780_449_126_930;
const timestamp = '1780449126';

function signOn(chainId: number, nonce: string, time = timestamp): string {
  return alice.sign(clobAuthDigest({ address: alice.address, timestamp: time, nonce }, chainId));
}

const good: L1Headers = {
  address: alice.address,
  timestamp,
  nonce: '7',
  signature: signOn(137, '7'),
};

t.test('without a nonce header the nonce is 0', async (t) => {
  const headers = { ...good, nonce: undefined, signature: signOn(80002, '0') };
  t.same(verifyL1(headers, windowAt(nowMs)), {
    ok: true,
    address: alice.address,
    nonce: '0',
    chainId: 80002,
  });
});

t.test('v may be 0 or 1', async (t) => {
  const signature = signDigest(
    clobAuthDigest({ ...alice, timestamp, nonce: '7' }, 137),
    alice.privateKey,
  );
  signature[64] = (signature[64] ?? 0) - 27;
  t.equal(verifyL1({ ...good, signature: bytesToHex(signature) }, windowAt(nowMs)).ok, true);
});

t.test('each row repairs one fault', async (t) => {
  const broken = { address: '0x12', timestamp: 'soon', nonce: '07', signature: '0x12' };
  const malformedS = `${good.signature?.slice(0, 66)}${'f'.repeat(64)}1b`;
  const rows: readonly (readonly [Partial<Record<keyof L1Headers, string | undefined>>, string])[] =
    [
      [{ address: undefined, timestamp: undefined, signature: undefined }, 'missing address'],
      [{ timestamp: undefined, signature: undefined }, 'missing timestamp'],
      [{ signature: undefined }, 'missing signature'],
      [{}, 'malformed address'],
      [{ address: toChecksumAddress(alice.address).toUpperCase() }, 'malformed address'],
      [{ address: toChecksumAddress(alice.address).replace('E', 'e') }, 'malformed address'],
      [{ address: alice.address }, 'malformed nonce'],
      [{ address: alice.address, nonce: '8' }, 'malformed signature'],
      [{ address: alice.address, nonce: '8', signature: 'xyz' }, 'malformed signature'],
      [{ address: alice.address, nonce: '8', signature: malformedS }, 'malformed signature'],
      [{ ...good, timestamp: 'soon' }, 'malformed timestamp'],
      [{ ...good, nonce: '8', timestamp: '1780440000' }, 'stale timestamp'],
      [{ ...good, nonce: '8', timestamp: '1780458000' }, 'stale timestamp'],
      [{ ...good, nonce: '8' }, 'signature_mismatch signature'],
      [{ ...good, nonce: '7', timestamp: '1780449127' }, 'signature_mismatch signature'],
      [{ ...good, address: VECTOR_ADDRESS }, 'signature_mismatch signature'],
      [{ ...good, signature: signOn(1, '7') }, 'signature_mismatch signature'],
      [good, 'ok'],
    ];
  for (const [index, [changes, expected]] of rows.entries()) {
    const result = verifyL1({ ...broken, ...changes }, windowAt(nowMs));
    t.equal(result.ok ? 'ok' : `${result.code} ${result.field}`, expected, `row ${index}`);
  }
});

t.test('a wrong signature is explained by what it recovers to on each chain', async (t) => {
  const mallory = makeSigner(2);
  const digest = clobAuthDigest({ address: alice.address, timestamp, nonce: '7' }, 80002);
  const result = verifyL1({ ...good, signature: mallory.sign(digest) }, windowAt(nowMs));
  t.match(result, {
    code: 'signature_mismatch',
    expected: alice.address,
    recovered: [{ chainId: 137 }, { chainId: 80002, recovered: mallory.address }],
  });
});

t.test('a signature that no key can have made is reported as such', async (t) => {
  // r = 5 is on no point of the curve.
  const signature = bytesToHex(bytes(`${'0'.repeat(63)}5${'1'.repeat(64)}1b`));
  t.match(verifyL1({ ...good, signature }, windowAt(nowMs)), {
    code: 'signature_mismatch',
    recovered: CHAINS.map((chainId) => ({ chainId, recovered: null })),
  });
});

t.test('an invalid wallet, nonce or chain has no digest', async (t) => {
  const auth = { address: alice.address, timestamp, nonce: '7' };
  t.throws(() => clobAuthDigest({ ...auth, address: '0x12' }, 137), { message: /wallet/ });
  t.throws(() => clobAuthDigest({ ...auth, nonce: '-7' }, 137), { message: /nonce/ });
  t.throws(() => clobAuthDigest(auth, 1.5), { message: /chain id/ });
});
