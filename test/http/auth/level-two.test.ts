import { createHmac } from 'node:crypto';
import t from 'tap';
import type { HeaderPrefix } from '../../../http/route.ts';
import { signL2 } from '../../../http/signing/l2.ts';
import { startTestExchange, type Trader } from '../exchange-fixture.ts';

const PREFIXES: readonly HeaderPrefix[] = ['SERVICE', 'KUEST', 'POLY'];
const BODY = '{"orderID":"0x22"}';

type Headers = Record<string, string>;

/** Signs a DELETE /order again, with some of what is signed replaced. */
const resigned = (
  trader: Trader,
  changes: { body?: string; path?: string; timestamp?: string } = {},
): Headers => {
  const headers = trader.keyHeaders('DELETE', '/order', BODY);
  const { body = BODY, path = '/order' } = changes;
  const timestamp = changes.timestamp ?? headers[`${trader.prefix}_TIMESTAMP`] ?? '';
  const head = { timestamp, method: 'DELETE', path };
  return {
    ...headers,
    [`${trader.prefix}_TIMESTAMP`]: timestamp,
    [`${trader.prefix}_SIGNATURE`]: signL2(trader.credentials.secret, head, Buffer.from(body)),
  };
};

t.test('each fault of the headers has its code, in the order of wire 2.4', async (t) => {
  const { trader, clock } = await startTestExchange(t);
  for (const [index, prefix] of PREFIXES.entries()) {
    const alice = await trader(2 * index + 1, prefix);
    const bob = await trader(2 * index + 2, prefix);
    const sentence = prefix === 'POLY' ? 'Unauthorized/Invalid api key' : 'invalid_l2';
    const name = (part: string): string => `${prefix}_${part}`;
    const seconds = Math.floor(clock.ms / 1000);
    // Everything is wrong at first; each row mends the fault of the row above.
    const headers: Headers = {};
    const wrong = {
      ADDRESS: 'nobody',
      API_KEY: 'unknown',
      PASSPHRASE: 'wrong',
      TIMESTAMP: 'soon',
      SIGNATURE: 'mine',
    };
    const set = (part: string, value: string) => (): void => {
      headers[name(part)] = value;
    };
    const staircase: [mend: () => void, code: string, details: object][] = [
      [() => {}, 'missing_header', { field: 'SERVICE_ADDRESS' }],
      [set('SIGNATURE', wrong.SIGNATURE), 'missing_header', { field: name('ADDRESS') }],
      [set('ADDRESS', wrong.ADDRESS), 'missing_header', { field: name('API_KEY') }],
      [set('API_KEY', wrong.API_KEY), 'missing_header', { field: name('PASSPHRASE') }],
      [set('PASSPHRASE', wrong.PASSPHRASE), 'missing_header', { field: name('TIMESTAMP') }],
      [set('TIMESTAMP', wrong.TIMESTAMP), 'unknown_api_key', { field: name('API_KEY') }],
      [set('API_KEY', alice.credentials.apiKey), 'wrong_passphrase', { field: name('PASSPHRASE') }],
      [
        set('PASSPHRASE', alice.credentials.passphrase),
        'malformed_header',
        { field: name('ADDRESS'), actual: 'nobody' },
      ],
      [
        set('ADDRESS', `0xA${alice.address.slice(3)}`),
        'malformed_header',
        { field: name('ADDRESS'), limit: /EIP-55/ },
      ],
      [set('ADDRESS', bob.address), 'address_mismatch', { field: name('ADDRESS') }],
      [
        set('ADDRESS', alice.address),
        'malformed_header',
        { field: name('SIGNATURE'), actual: 'mine' },
      ],
      [
        set('SIGNATURE', 'ab'.repeat(32)),
        'malformed_header',
        { field: name('TIMESTAMP'), actual: 'soon' },
      ],
      [
        set('TIMESTAMP', String(seconds - 301)),
        'stale_timestamp',
        {
          field: name('TIMESTAMP'),
          actual: String(seconds - 301),
          serverTimeMs: clock.ms,
          windowMs: 300_000,
          limit: /300 seconds/,
        },
      ],
      [set('TIMESTAMP', String(seconds + 302)), 'stale_timestamp', {}],
      [set('TIMESTAMP', String(seconds - 299)), 'bad_signature', { field: name('SIGNATURE') }],
    ];
    for (const [mend, code, details] of staircase) {
      mend();
      const answer = await alice.send('DELETE', '/order', { body: BODY, headers });
      t.equal(answer.status, 401, `${prefix} ${code}`);
      const isNameless = Object.keys(headers).length === 0;
      t.match(answer.body, { error: isNameless ? 'invalid_l2' : sentence, code, ...details });
      t.notMatch(answer.text, new RegExp(alice.credentials.secret.slice(0, 40)), 'no secret');
    }
    const { SIGNATURE: _, ...rest } = headers;
    const good = { ...rest, ...resigned(alice) };
    t.equal((await alice.send('DELETE', '/order', { body: BODY, headers: good })).status, 200);
  }
});

t.test('a signature is good in every form that clients send', async (t) => {
  const { trader, clock } = await startTestExchange(t);
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

t.test('the path may be signed with the prefix of its surface or without', async (t) => {
  const { trader } = await startTestExchange(t);
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
  const { trader } = await startTestExchange(t);
  const alice = await trader(1);
  t.equal((await alice.signed('GET', '/data/orders?next_cursor=MA%3D%3D')).status, 200);
  const headers = resigned(alice, { body: '{"orderID":"0x23"}' });
  const answer = await alice.send('DELETE', '/order', { body: BODY, headers });
  t.match(answer.body, { code: 'bad_signature' });
});
