// Sends every recorded request of published clients (wire 12.1) again, byte for byte, to an
// exchange whose clock shows the recorded time.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import t from 'tap';
import { vectors } from '../http/signing/fixtures.ts';
import { expectedAnswers, nameOf, reasonOf } from './recorded-answers.ts';
import { startRecordedExchange } from './recorded-exchange.ts';

/** The hash of the recorded file. It proves that the replayed requests are the recorded ones. */
const VECTORS_SHA256 = '08c3a6177a586e4e3602ec39f1aa050a3f0827e5e0346448b3dce3d36329b2ad';

t.test('the recordings are those of the specification', async (t) => {
  const bytes = readFileSync(new URL('../vectors.json', import.meta.url));
  t.equal(createHash('sha256').update(bytes).digest('hex'), VECTORS_SHA256);
  t.equal(Object.values(vectors.recorded).flat().length, 64);
});

for (const negRisk of [false, true]) {
  const kind = negRisk ? 'neg-risk' : 'plain';
  for (const [client, requests] of Object.entries(vectors.recorded)) {
    t.test(`${client}: its session with the token in a ${kind} market`, async (t) => {
      const { replay } = await startRecordedExchange(t, negRisk);
      const expected = expectedAnswers(negRisk);
      for (const recorded of requests) {
        const name = nameOf(recorded);
        const answer = await replay(recorded);
        const wanted = expected[name];
        t.ok(wanted, `${name} has an expected answer`);
        t.equal(answer.status, wanted?.status, name);
        t.match(answer.body, wanted?.body, name);
        t.equal(wanted?.status !== 200, 'code' in Object(answer.body), `code of ${name}`);
      }
    });
  }
}

t.test('a request that is refused in both kinds of market has a reason', async (t) => {
  const names = new Set(Object.values(vectors.recorded).flat().map(nameOf));
  t.strictSame(Object.keys(expectedAnswers(false)).toSorted(), [...names].toSorted());
  t.strictSame(Object.keys(expectedAnswers(true)).toSorted(), [...names].toSorted());
  const refused = [...names].filter((name) => reasonOf(name) !== '');
  t.strictSame(refused, [
    'deriveApiKey(nonce 5) GET /auth/derive-api-key',
    'market order FOK BUY 100@0.56 GET /clob-markets/0xbd31',
    'cancelMarketOrders DELETE /cancel-market-orders',
    'getOrder GET /data/order/0x33',
    'getOpenOrders GET /data/orders',
    'getMarket GET /markets/0xbd31',
  ]);
});
