import { createHmac } from 'node:crypto';
import t from 'tap';
import type { HeaderPrefix } from '../../../http/codec/headers.ts';
import { signL2 } from '../../../http/signing/l2.ts';
import { shareTestExchange, type Trader } from '../exchange-fixture.ts';

const PREFIXES: readonly HeaderPrefix[] = ['SERVICE', 'KUEST', 'POLY'];
const BODY = '{"orderID":"0x22"}';

type Headers = Record<string, string>;

/** Headers of a DELETE /order whose signature is for another body, path or timestamp. */
function resigned(
  trader: Trader,
  changes: { body?: string; path?: string; timestamp?: string } = {},
): Headers {
  const headers = trader.keyHeaders('DELETE', '/order', BODY);
  const { body = BODY, path = '/order' } = changes;
  const timestamp = changes.timestamp ?? headers[`${trader.prefix}_TIMESTAMP`] ?? '';
  const head = { timestamp, method: 'DELETE', path };
  return {
    ...headers,
    [`${trader.prefix}_TIMESTAMP`]: timestamp,
    [`${trader.prefix}_SIGNATURE`]: signL2(trader.credentials.secret, head, Buffer.from(body)),
  };
}

/** At first all headers are missing or wrong. Each step repairs the fault of the step above. */
interface Step {
  /** Which header gets which value. */
  readonly mend: readonly [part: string, value: string];
  readonly code: string;
  readonly details?: object;
}

const MISSING: readonly Step[] = [
  { mend: ['SIGNATURE', 'mine'], code: 'missing_header', details: { field: /_ADDRESS$/ } },
  { mend: ['ADDRESS', 'nobody'], code: 'missing_header', details: { field: /_API_KEY$/ } },
  { mend: ['API_KEY', 'unknown'], code: 'missing_header', details: { field: /_PASSPHRASE$/ } },
  { mend: ['PASSPHRASE', 'wrong'], code: 'missing_header', details: { field: /_TIMESTAMP$/ } },
  { mend: ['TIMESTAMP', 'soon'], code: 'unknown_api_key', details: { field: /_API_KEY$/ } },
];

function wrongValues(alice: Trader, bob: Trader, nowMs: number): readonly Step[] {
  const { apiKey, passphrase } = alice.credentials;
  const seconds = Math.floor(nowMs / 1000);
  const shouted = `0xA${alice.address.slice(3)}`;
  const early = String(seconds - 301);
  const stale = { actual: early, serverTimeMs: nowMs, windowMs: 300_000, limit: /300 seconds/ };
  return [
    { mend: ['API_KEY', apiKey], code: 'wrong_passphrase', details: { field: /_PASSPHRASE$/ } },
    {
      mend: ['PASSPHRASE', passphrase],
      code: 'malformed_header',
      details: { field: /_ADDRESS$/, actual: 'nobody' },
    },
    { mend: ['ADDRESS', shouted], code: 'malformed_header', details: { limit: /EIP-55/ } },
    { mend: ['ADDRESS', bob.address], code: 'address_mismatch', details: { field: /_ADDRESS$/ } },
    {
      mend: ['ADDRESS', alice.address],
      code: 'malformed_header',
      details: { field: /_SIGNATURE$/, actual: 'mine' },
    },
    {
      mend: ['SIGNATURE', 'ab'.repeat(32)],
      code: 'malformed_header',
      details: { field: /_TIMESTAMP$/, actual: 'soon' },
    },
    { mend: ['TIMESTAMP', early], code: 'stale_timestamp', details: stale },
    { mend: ['TIMESTAMP', String(seconds + 302)], code: 'stale_timestamp' },
    {
      mend: ['TIMESTAMP', String(seconds - 299)],
      code: 'bad_signature',
      details: { field: /_SIGNATURE$/ },
    },
  ];
}

const share = await shareTestExchange(t);

t.test('each fault of the headers has its code, in the order of wire 2.4', async (t) => {
  const { trader, clock, send } = share();
  const none = await send('DELETE', '/order', { body: BODY });
  t.match(none.body, {
    error: 'Unauthorized/Invalid api key',
    code: 'missing_header',
    field: 'SERVICE_ADDRESS',
  });
  for (const [index, prefix] of PREFIXES.entries()) {
    const alice = await trader(2 * index + 1, prefix);
    const bob = await trader(2 * index + 2, prefix);
    const error = prefix === 'POLY' ? 'Unauthorized/Invalid api key' : 'invalid_l2';
    const headers: Headers = {};
    for (const { mend, code, details } of [...MISSING, ...wrongValues(alice, bob, clock.ms)]) {
      headers[`${prefix}_${mend[0]}`] = mend[1];
      const answer = await send('DELETE', '/order', { body: BODY, headers });
      t.equal(answer.status, 401, `${prefix} ${code}`);
      t.match(answer.body, { error, code, field: new RegExp(`^${prefix}_`), ...details });
      t.notMatch(answer.text, new RegExp(alice.credentials.secret.slice(0, 40)), 'no secret');
    }
    const good = { ...headers, ...resigned(alice) };
    t.equal((await send('DELETE', '/order', { body: BODY, headers: good })).status, 200);
  }
});

t.test('an error repeats no more than the beginning of a long header', async (t) => {
  const { trader } = share();
  const alice = await trader(1);
  const long = 'x'.repeat(3000);
  for (const part of ['ADDRESS', 'TIMESTAMP', 'SIGNATURE']) {
    const headers = { ...resigned(alice), [`POLY_${part}`]: long };
    const answer = await alice.send('DELETE', '/order', { body: BODY, headers });
    const actual = `${long.slice(0, 128)}...`;
    t.match(answer.body, { code: 'malformed_header', field: `POLY_${part}`, actual });
  }
});

t.test('a signature is valid in every form that clients send', async (t) => {
  const { trader, clock } = share();
  const alice = await trader(1);
  const { secret } = alice.credentials;
  const seconds = String(Math.floor(clock.ms / 1000));
  const digest = (text: string): Buffer =>
    createHmac('sha256', Buffer.from(secret, 'base64')).update(text).digest();
  const quoted = '{"orderID":"0x22","note":"it\'s"}';
  const rows: [
    what: string,
    timestamp: string,
    signed: string,
    form: BufferEncoding,
    body: string,
  ][] = [
    ['padded base64url of seconds', seconds, BODY, 'base64url', BODY],
    ['base64', seconds, BODY, 'base64', BODY],
    ['hex', seconds, BODY, 'hex', BODY],
    ['milliseconds', String(clock.ms), BODY, 'base64', BODY],
    ["a body with ' signed as it is", seconds, quoted, 'base64', quoted],
    ['a body with \' signed with "', seconds, quoted.replaceAll("'", '"'), 'base64', quoted],
  ];
  for (const [what, timestamp, signed, form, body] of rows) {
    const mac = digest(`${timestamp}DELETE/order${signed}`);
    const headers = {
      ...alice.keyHeaders('DELETE', '/order', body),
      POLY_TIMESTAMP: timestamp,
      POLY_SIGNATURE: mac.toString(form),
    };
    const answer = await alice.send('DELETE', '/order', { body, headers });
    t.equal(answer.status, 200, what);
    t.strictSame(answer.body.canceled, [], what);
  }
});

t.test('an API key is accepted in upper case', async (t) => {
  const { trader, send } = share();
  const alice = await trader(1);
  const headers = alice.keyHeaders('GET', '/data/orders');
  const key = `${alice.prefix}_API_KEY`;
  const shouted = { ...headers, [key]: alice.credentials.apiKey.toUpperCase() };
  t.equal((await send('GET', '/data/orders', { headers: shouted })).status, 200);
});

t.test('the path may be signed with the prefix of its surface or without', async (t) => {
  const { trader } = share();
  const alice = await trader(1, 'KUEST');
  for (const path of ['/order', '/clob/order']) {
    const headers = resigned(alice, { path });
    const answer = await alice.send('DELETE', '/clob/order', { body: BODY, headers });
    t.equal(answer.status, 200, path);
  }
  const headers = resigned(alice, { path: '/orders' });
  const answer = await alice.send('DELETE', '/clob/order', { body: BODY, headers });
  t.equal(answer.body.code, 'bad_signature');
});

t.test('the query is not signed, the body is', async (t) => {
  const { trader } = share();
  const alice = await trader(1);
  t.equal((await alice.signed('GET', '/data/orders?next_cursor=MA%3D%3D')).status, 200);
  const headers = resigned(alice, { body: '{"orderID":"0x23"}' });
  const answer = await alice.send('DELETE', '/order', { body: BODY, headers });
  t.match(answer.body, { code: 'bad_signature' });
});
