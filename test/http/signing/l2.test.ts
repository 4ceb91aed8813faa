import fc from 'fast-check';
import t from 'tap';
import { timeMsOf } from '../../../http/codec/index.ts';
import { type L2Request, signL2, toPaddedBase64Url, verifyL2 } from '../../../http/signing/l2.ts';
import { vectors } from './fixtures.ts';

function windowAt(nowMs: number) {
  return { nowMs, windowMs: 300_000 };
}
function outcome(secret: string, request: L2Request, nowMs: number): string {
  const result = verifyL2(secret, request, windowAt(nowMs));
  return result.ok ? 'ok' : `${result.code} ${result.field}`;
}

for (const [index, vector] of vectors.l2.entries()) {
  const { secret, timestamp, method, path, signatureBase64Url } = vector;
  const body = Buffer.from(vector.body ?? '');

  t.test(`vector ${index}: ${method} ${path}`, async (t) => {
    t.equal(`${timestamp}${method}${path}${body}`, vector.signingString);
    t.equal(signL2(secret, { timestamp, method, path }, body), signatureBase64Url);
    if (body.length === 0) t.equal(signL2(secret, { timestamp, method, path }), signatureBase64Url);
    const signatures = [
      signatureBase64Url,
      vector.signatureBase64,
      vector.signatureHex,
      vector.signatureHex.toUpperCase(),
      signatureBase64Url.replace('=', ''),
      vector.signatureBase64.replace('=', ''),
    ];
    for (const signature of signatures) {
      const request = { timestamp, signature, method, paths: [path], body };
      t.equal(outcome(secret, request, timeMsOf(timestamp) ?? 0), 'ok', signature);
    }
  });
}

t.test('a secret is read in either alphabet, with or without padding', async (t) => {
  const { base64url, base64, hex } = vectors.l2Secret;
  t.equal(toPaddedBase64Url(Buffer.from(hex, 'hex')), base64url);
  const head = { timestamp: '1', method: 'GET', path: '/' };
  const expected = signL2(base64url, head);
  for (const secret of [
    base64,
    base64url.replace('=', ''),
    base64.replace('=', ''),
    `${base64} `,
  ]) {
    t.equal(signL2(secret, head), expected, secret);
  }
});

t.test('every recorded request of the published clients is valid', async (t) => {
  let count = 0;
  for (const request of Object.values(vectors.recorded).flat()) {
    const prefix = request.headerNames.find((name) => name.endsWith('_PASSPHRASE'))?.split('_')[0];
    if (prefix === undefined) continue;
    const header = (name: string): string | undefined =>
      request.headers[`${prefix}_${name}`.toLowerCase()];
    t.equal(header('API_KEY'), vectors.recordedCreds.key);
    t.equal(header('PASSPHRASE'), vectors.recordedCreds.passphrase);
    const signed: L2Request = {
      timestamp: header('TIMESTAMP'),
      signature: header('SIGNATURE'),
      method: request.method,
      paths: [request.url.split('?')[0] ?? ''],
      body: Buffer.from(request.body ?? ''),
    };
    const { secret } = vectors.recordedCreds;
    t.equal(outcome(secret, signed, vectors.fixedClockMs), 'ok', `${prefix} ${request.call}`);
    count++;
  }
  t.equal(count, 36);
});

t.test('the builder headers are signed in the same way', async (t) => {
  t.equal(vectors.builderHeaders.length, 2);
  for (const { method, path, headers, body } of vectors.builderHeaders) {
    const request = {
      timestamp: headers.POLY_BUILDER_TIMESTAMP,
      signature: headers.POLY_BUILDER_SIGNATURE,
      method,
      paths: [path],
      body: Buffer.from(body ?? ''),
    };
    t.equal(outcome(vectors.l2Secret.base64url, request, vectors.fixedClockMs), 'ok', path);
  }
});

const secret = vectors.l2Secret.base64url;
const nowMs = 1_780_449_126_930;
const head = { timestamp: '1780449126', method: 'POST', path: '/order' };
const body = Buffer.from('{"hash":"0x123"}');
const good: L2Request = {
  timestamp: head.timestamp,
  signature: signL2(secret, head, body),
  method: head.method,
  paths: [head.path],
  body,
};

t.test('each row repairs one fault', async (t) => {
  const other = { ...good, signature: signL2(secret, { ...head, path: '/orders' }, body) };
  const rows: readonly (readonly [L2Request, string])[] = [
    [{ ...good, timestamp: undefined, signature: undefined }, 'missing timestamp'],
    [{ ...good, timestamp: 'soon', signature: undefined }, 'missing signature'],
    [{ ...good, timestamp: 'soon', signature: 'xyz' }, 'malformed signature'],
    [{ ...other, timestamp: 'soon' }, 'malformed timestamp'],
    [{ ...other, timestamp: '1780440000' }, 'stale timestamp'],
    [other, 'signature_mismatch signature'],
    [good, 'ok'],
  ];
  for (const [index, [request, expected]] of rows.entries()) {
    t.equal(outcome(secret, request, nowMs), expected, `row ${index}`);
  }
});

t.test('any other content than the signed one is refused', async (t) => {
  const rows: readonly (readonly [string, string, L2Request])[] = [
    ['another secret', vectors.l2[0]?.secret ?? '', good],
    ['no secret', '', good],
    ['another method', secret, { ...good, method: 'PUT' }],
    ['the method in lower case', secret, { ...good, method: 'post' }],
    ['another path', secret, { ...good, paths: ['/orders'] }],
    ['no path', secret, { ...good, paths: [] }],
    ['another second', secret, { ...good, timestamp: '1780449127' }],
    ['another body', secret, { ...good, body: Buffer.from('{"hash":"0x124"}') }],
    ['no body', secret, { ...good, body: new Uint8Array(0) }],
    ['a longer body', secret, { ...good, body: Buffer.from(`${body} `) }],
  ];
  for (const [fault, key, request] of rows) {
    t.equal(outcome(key, request, nowMs), 'signature_mismatch signature', fault);
  }
});

t.test('a signature of another form is malformed', async (t) => {
  const signature = good.signature ?? '';
  const forms = [
    '',
    signature.slice(0, -2),
    `${signature}=`,
    `${signature.slice(0, -1)}A`,
    ` ${signature}`,
    signature.replace(/^./, '!'),
    signature.replace(/^./, '\u0130'),
    'a'.repeat(63),
    `0x${'a'.repeat(64)}`,
  ];
  for (const form of forms) {
    const request = { ...good, signature: form };
    t.equal(outcome(secret, request, nowMs), 'malformed signature', JSON.stringify(form));
  }
});

t.test('a timestamp in milliseconds is signed and accepted unchanged', async (t) => {
  const timestamp = String(nowMs);
  const request = { ...good, timestamp, signature: signL2(secret, { ...head, timestamp }, body) };
  t.equal(outcome(secret, request, nowMs + 300_000), 'ok');
  t.equal(outcome(secret, request, nowMs + 300_001), 'stale timestamp');
});

t.test('the path may be signed with the prefix of a surface or without it', async (t) => {
  const paths = ['/order', '/clob/order'];
  for (const path of paths) {
    const request = { ...good, paths, signature: signL2(secret, { ...head, path }, body) };
    t.equal(outcome(secret, request, nowMs), 'ok', path);
  }
});

t.test('a body with single quotes may be signed with double ones, on every path', async (t) => {
  const sent = Buffer.from(`{"name":"it's 'so', \u00e9"}`);
  const signedAs = Buffer.from(sent.toString().replaceAll("'", '"'));
  for (const path of ['/order', '/clob/order']) {
    for (const content of [sent, signedAs]) {
      const signature = signL2(secret, { ...head, path }, content);
      const request = { ...good, signature, paths: ['/order', '/clob/order'], body: sent };
      t.equal(outcome(secret, request, nowMs), 'ok');
    }
  }
  t.equal(sent.toString(), `{"name":"it's 'so', \u00e9"}`, 'the body itself is not changed');
});

t.test('a body with double quotes does not match a signature over single ones', async (t) => {
  const signature = signL2(secret, head, Buffer.from("{'a':1}"));
  const request = { ...good, signature, body: Buffer.from('{"a":1}') };
  t.equal(outcome(secret, request, nowMs), 'signature_mismatch signature');
});

t.test('a body of any bytes is signed as it is', async () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (content) => {
      const request = { ...good, signature: signL2(secret, head, content), body: content };
      return outcome(secret, request, nowMs) === 'ok';
    }),
  );
});

t.test('a refusal says what to sign, without a secret or a signature', async (t) => {
  const request = { ...good, paths: ['/order', '/clob/order'], signature: 'A'.repeat(43) };
  const result = verifyL2(secret, request, windowAt(nowMs));
  t.same(result, {
    ok: false,
    code: 'signature_mismatch',
    field: 'signature',
    actual: 'another HMAC',
    expected:
      'the HMAC-SHA256 of 1780449126POST/order or 1780449126POST/clob/order ' +
      "and the body's 16 bytes",
  });
});
