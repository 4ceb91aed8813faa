// How many domains a signature is tried under: one for a known client, few for invalid signatures.
// A signature is never called wrong because too few domains were tried.
import t from 'tap';
import { signatureError } from '../../../http/orders/order-command.ts';
import { DomainTable, domainSeparator } from '../../../http/signing/domain-table.ts';
import { DEFAULT_DOMAINS, type SigningDomain } from '../../../http/signing/domains.ts';
import { structHash } from '../../../http/signing/order-hash.ts';
import type { SignedOrder } from '../../../http/signing/order-struct.ts';
import { SEARCH_MS, SEARCHES, SearchBudget } from '../../../http/signing/search-budget.ts';
import { typedDataDigest } from '../../../http/signing/typed-data.ts';
import { type OrderVerification, verifyOrder } from '../../../http/signing/verify-order.ts';
import { makeSigner, type Signer } from './fixtures.ts';

const alice = makeSigner(1);
const bob = makeSigner(2);
const DOMAINS = DEFAULT_DOMAINS.filter(({ struct }) => struct === 'order11');
const PLAIN = DOMAINS.filter(({ negRisk }) => negRisk !== true);
const UNKNOWN = { ...DOMAINS[0]!, contract: `0x${'f'.repeat(40)}` };

let lastSalt = 0;

function orderOf(signer: Signer, domain: SigningDomain): SignedOrder {
  lastSalt += 1;
  const order: SignedOrder = {
    struct: 'order11',
    salt: String(lastSalt),
    maker: signer.address,
    signer: signer.address,
    tokenId: '1234',
    makerAmount: '5000000',
    takerAmount: '10000000',
    side: 0,
    signatureType: 0,
    timestamp: '1780449126930',
    metadata: `0x${'0'.repeat(64)}`,
    builder: `0x${'0'.repeat(64)}`,
    signature: '',
  };
  const contents = structHash(order);
  if (!contents.ok) throw new Error(contents.field);
  const signature = signer.sign(typedDataDigest(domainSeparator(domain), contents.hash));
  return { ...order, signature };
}

/** A verifier with a clock of the test. */
function startVerifier() {
  const clock = { ms: 0 };
  const domains = new DomainTable(DEFAULT_DOMAINS, new SearchBudget(() => clock.ms));
  const verify = (signer: Signer, domain: SigningDomain): OrderVerification => {
    const options = { domains, wallets: [], negRisk: false, keyAddress: signer.address };
    return verifyOrder(orderOf(signer, domain), options);
  };
  return { clock, verify };
}

function outcome(result: OrderVerification): string {
  return result.ok ? 'ok' : result.code;
}
function triedIn(result: OrderVerification): number {
  return result.ok ? -1 : result.recovered.length;
}

t.test(
  'wrong signatures are searched a few times, then tried only under the likely domains',
  async (t) => {
    const { clock, verify } = startVerifier();
    for (let wrong = 0; wrong < SEARCHES; wrong += 1) {
      const result = verify(alice, UNKNOWN);
      t.equal(outcome(result), 'signature_mismatch');
      t.equal(triedIn(result), DOMAINS.length, 'the error names all domains');
    }
    for (let wrong = 0; wrong < 50; wrong += 1) {
      const result = verify(alice, UNKNOWN);
      t.equal(outcome(result), 'search_limited');
      t.equal(triedIn(result), 2);
    }
    t.equal(outcome(verify(bob, UNKNOWN)), 'signature_mismatch', 'of another owner');
    clock.ms += SEARCH_MS;
    t.equal(outcome(verify(alice, UNKNOWN)), 'signature_mismatch', 'one more each second');
    t.equal(outcome(verify(alice, UNKNOWN)), 'search_limited');
  },
);

t.test(
  'a client whose domain was found is served after any number of wrong signatures',
  async (t) => {
    for (const domain of PLAIN) {
      const { verify } = startVerifier();
      t.equal(outcome(verify(alice, domain)), 'ok');
      for (let wrong = 0; wrong < 2 * SEARCHES; wrong += 1) verify(alice, UNKNOWN);
      t.equal(outcome(verify(alice, UNKNOWN)), 'search_limited');
      for (let good = 0; good < 10; good += 1) t.equal(outcome(verify(alice, domain)), 'ok');
    }
  },
);

t.test('a client that alternates between two domains is never limited', async (t) => {
  const { verify } = startVerifier();
  const [first, second] = [PLAIN.at(-1)!, PLAIN.at(-2)!];
  for (let round = 0; round < 3 * SEARCHES; round += 1) {
    t.equal(outcome(verify(alice, first)), 'ok');
    t.equal(outcome(verify(alice, second)), 'ok');
  }
});

t.test('a client that changes its domain each time learns when to retry', async (t) => {
  const { clock, verify } = startVerifier();
  const results = [...PLAIN, ...PLAIN].map((domain) => verify(alice, domain));
  t.strictSame(new Set(results.map(outcome)), new Set(['ok', 'search_limited']));
  t.equal(results.filter(({ ok }) => ok).length >= SEARCHES, true);
  const limited = results.find((result) => !result.ok);
  if (limited === undefined || limited.ok) throw new Error('one is limited');
  const { waitMs = 0 } = limited;
  t.ok(waitMs > 0 && waitMs <= SEARCH_MS);
  const error = signatureError(limited);
  t.equal(error.code, 'too_many_requests');
  t.match(error.details, {
    field: 'order.signature',
    limit: SEARCHES,
    row: 'domain-searches',
    retryAfterSeconds: 1,
    recovered: [{ contract: /^0x/ }, { contract: /^0x/ }],
  });
  clock.ms += waitMs;
  for (const domain of PLAIN) {
    clock.ms += SEARCH_MS;
    t.equal(outcome(verify(alice, domain)), 'ok', domain.contract);
  }
});

t.test('the first order of an address is tried under the domains of others', async (t) => {
  const { verify } = startVerifier();
  const domain = PLAIN.at(-1)!;
  t.equal(outcome(verify(bob, domain)), 'ok');
  for (let wrong = 0; wrong < SEARCHES; wrong += 1) verify(alice, UNKNOWN);
  t.equal(outcome(verify(alice, domain)), 'ok', 'without a search');
});
