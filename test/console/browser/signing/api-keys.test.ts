import { createL1Headers, createL2Headers } from '@polymarket/clob-client-v2';
import fc from 'fast-check';
import t from 'tap';
import {
  fetchApiKey,
  keyHeaders,
  type SigningHeaders,
  walletHeaders,
} from '../../../../console/browser/signing/api-key.ts';
import { moveKey } from '../../../../console/browser/signing/random.ts';
import { keySigner } from '../../../../console/browser/signing/signer.ts';
import { VECTOR_ADDRESS, vectors } from '../../../http/signing/fixtures.ts';
import { PRIVATE_KEY, walletClient } from './published-signer.ts';

const signer = await keySigner(PRIVATE_KEY);
const CREDENTIALS = {
  apiKey: vectors.recordedCreds.key,
  secret: vectors.recordedCreds.secret,
  passphrase: vectors.recordedCreds.passphrase,
};

/** Headers of the published client as the console names them. */
function ours(headers: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.replace('POLY_', 'SERVICE_'),
      name === 'POLY_ADDRESS' ? String(value).toLowerCase() : String(value),
    ]),
  );
}

t.test('L1 headers are those of the vectors and of the published client', async (t) => {
  for (const { chainId, timestamp, nonce, signature } of vectors.l1) {
    const terms = { chainId, nonce, nowMs: Number(timestamp) * 1000 + 999 };
    const headers = await walletHeaders(signer, terms);
    t.match(headers, { SERVICE_SIGNATURE: signature, SERVICE_TIMESTAMP: timestamp });
    const published = await createL1Headers(
      walletClient,
      chainId,
      Number(nonce),
      Number(timestamp),
    );
    t.strictSame(headers, ours(published));
  }
});

t.test('L2 signatures are those of the vectors', async (t) => {
  for (const { secret, timestamp, method, path, body, signatureBase64Url } of vectors.l2) {
    const terms = { method, path, body: body ?? undefined, nowMs: Number(timestamp) * 1000 };
    const headers = await keyHeaders(VECTOR_ADDRESS, { ...CREDENTIALS, secret }, terms);
    t.equal(headers.SERVICE_SIGNATURE, signatureBase64Url, `${method} ${path}`);
  }
});

t.test('L2 headers are those of the published client', async (t) => {
  const { key, secret, passphrase } = vectors.recordedCreds;
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ minLength: 32, maxLength: 32 }),
      fc.constantFrom('GET', 'POST', 'DELETE'),
      fc.webPath(),
      fc.option(fc.string({ unit: 'binary' }), { nil: undefined }),
      async (bytes, method, path, body) => {
        const other = Buffer.from(bytes).toString('base64').replace(/\+/g, '-').replace(/\//g, '_');
        for (const one of [secret, other]) {
          const seconds = 1_780_449_126;
          const terms = { method, path, body, nowMs: seconds * 1000 };
          const credentials = { ...CREDENTIALS, secret: one };
          const published = await createL2Headers(
            walletClient,
            { key, secret: one, passphrase },
            { method, requestPath: path, ...(body === undefined ? {} : { body }) },
            seconds,
          );
          t.strictSame(await keyHeaders(signer.address, credentials, terms), ours(published));
        }
      },
    ),
    { numRuns: 50 },
  );
});

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

/** Fetches an API key from an exchange that gives these answers. */
async function fetchFrom(...replies: readonly Reply[]) {
  const nonces: (string | undefined)[] = [];
  const requestKey = async (headers: SigningHeaders): Promise<Reply> => {
    nonces.push(headers.SERVICE_NONCE);
    return replies[nonces.length - 1] ?? { status: 500, body: undefined };
  };
  const fetched = fetchApiKey(signer, requestKey, { chainId: 137, now: () => 1_780_449_126_930 });
  return { nonces, fetched };
}

t.test('the API key of nonce 0 is asked for, and a revoked one is replaced once', async (t) => {
  const good = { status: 200, body: CREDENTIALS };
  const revoked = { status: 400, body: { code: 'nonce_revoked', error: 'so', nextNonce: '3' } };
  const first = await fetchFrom(good);
  t.strictSame(await first.fetched, CREDENTIALS);
  t.strictSame(first.nonces, ['0']);
  const second = await fetchFrom(revoked, good);
  t.strictSame(await second.fetched, CREDENTIALS);
  t.strictSame(second.nonces, ['0', '3']);
  const third = await fetchFrom(revoked, revoked, good);
  await t.rejects(third.fetched, { code: 'no_api_key', message: /gave no API key: so\./ });
  t.strictSame(third.nonces, ['0', '3']);
});

t.test('an answer without an API key is refused with its reason', async (t) => {
  const rows = [
    [{ status: 403, body: { code: 'owner_not_admitted', error: 'not admitted' } }, /not admitted/],
    [{ status: 502, body: undefined }, /it answered with status 502/],
    [{ status: 200, body: ['x'] }, /it answered with status 200/],
    [{ status: 200, body: { ...CREDENTIALS, secret: 7 } }, /it answered with status 200/],
  ] as const;
  for (const [reply, message] of rows) {
    const { fetched } = await fetchFrom(reply);
    await t.rejects(fetched, { code: 'no_api_key', message });
  }
});

t.test('keys of moves are different and have the form that the exchange takes', (t) => {
  const keys = new Set(Array.from({ length: 100 }, moveKey));
  t.equal(keys.size, 100);
  for (const key of keys) t.match(key, /^[0-9a-f]{32}$/);
  t.end();
});
