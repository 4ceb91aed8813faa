// The answer of POST /debug/order beside its verdict: the steps in order, the facts about
// signatures and the grid, and who may see balances.
import t from 'tap';
import { DEFAULT_DOMAINS } from '../../../http/signing/domains.ts';
import { EARLIER } from '../../default-settings.ts';
import {
  NEG_RISK_DOMAIN,
  type OrderWishes,
  type Payload,
  startTestExchange,
  type Trader,
} from '../exchange-fixture.ts';

interface Told {
  readonly wouldBeAccepted: boolean;
  readonly orderHash: string | null;
  readonly answer: unknown;
  readonly steps: readonly { readonly step: string; readonly ok: boolean | null }[];
}

const exchange = await startTestExchange(t, { profile: EARLIER });
const [tokenId] = exchange.plain.tokenIds;

/** Without a trader there are no L2 headers. */
async function explain(payload: unknown, trader?: Trader, { send } = exchange): Promise<Told> {
  const path = '/debug/order';
  const answer =
    trader === undefined
      ? await send('POST', path, { body: JSON.stringify(payload) })
      : await trader.signed('POST', path, payload);
  // Safe: the route's schema says so, and each test looks at what it needs.
  return JSON.parse(answer.text) as Told;
}

function stepIn({ steps }: Told, name: string) {
  return steps.find(({ step }) => step === name);
}
function okOf({ steps }: Told): Record<string, boolean | null> {
  return Object.fromEntries(steps.map(({ step, ok }) => [step, ok]));
}

type Change = (payload: Payload) => unknown;
const keep: Change = (payload) => payload;

/** Each row repairs the fault of the row above; `step` is the first that is not ok. */
const STAIRCASE: readonly (readonly [
  step: string,
  code: string,
  wishes: Partial<OrderWishes>,
  change: Change,
])[] = [
  ['shape', 'missing_field', {}, ({ owner: _, ...rest }) => rest],
  ['owner', 'owner_mismatch', { tokenId: '9' }, (one) => ({ ...one, owner: 'nobody' })],
  ['token', 'token_unknown', { tokenId: '9' }, keep],
  ['struct', 'invalid_order_payload', { changes: { salt: `${2n ** 256n}` } }, keep],
  [
    'signature',
    'malformed_signature',
    {},
    (one) => ({ ...one, order: { ...one.order, signature: '0x' } }),
  ],
  ['maker', 'maker_mismatch', { changes: { maker: `0x${'ab'.repeat(20)}` } }, keep],
  ['domains', 'wrong_exchange', { domain: NEG_RISK_DOMAIN }, keep],
  ['grid', 'price_off_tick', { changes: { makerAmount: '5000010' } }, keep],
  ['terms', 'expiration_not_allowed', { priceTicks: 10_000, changes: { expiration: '9' } }, keep],
  ['price', 'price_out_of_bounds', { priceTicks: 10_000, lots: 1 }, keep],
  ['size', 'size_below_minimum', { lots: 1, side: 'SELL' }, keep],
  ['balance', 'not_enough_tokens', { side: 'SELL', orderType: 'FOK' }, keep],
  ['book', 'nothing_to_match', { orderType: 'FAK' }, keep],
];

t.test('the first failing step is the first fault', async (t) => {
  const alice = await exchange.trader(1);
  for (const [step, code, wishes, change] of STAIRCASE) {
    const told = await explain(change(alice.order({ tokenId, ...wishes })));
    t.match(
      told.steps.find(({ ok }) => ok === false),
      { step, code },
      `${step} ${code}`,
    );
    t.match(told, { wouldBeAccepted: false, answer: { body: { code, success: false } } });
  }
  const bid = await explain(alice.order({ tokenId }));
  t.match(bid, { wouldBeAccepted: true, answer: null });
  t.ok(
    bid.steps.every(({ ok }) => ok === true),
    'a good order passes every step',
  );
  t.match(stepIn(bid, 'book'), { bestBid: null, wouldMatch: '0', wouldRest: '10' });
});

t.test('every domain is shown with its separator, hash and recovered signer', async (t) => {
  const alice = await exchange.trader(2);
  const payload = alice.order({ tokenId });
  const told = await explain(payload);
  const domains = stepIn(told, 'domains') as unknown as {
    readonly tried: readonly Record<string, unknown>[];
  }; // the step's facts, looked at one by one
  const configured = DEFAULT_DOMAINS.filter(({ struct }) => struct === 'order11');
  t.equal(domains.tried.length, configured.length);
  for (const domain of domains.tried) {
    t.match(domain, {
      domainSeparator: /^0x[0-9a-f]{64}$/,
      orderHash: /^0x[0-9a-f]{64}$/,
      recovered: /^0x[0-9a-f]{40}$/,
    });
    t.equal(domain.isSigner, domain.orderHash === told.orderHash);
    t.equal(domain.isForMarket, domain.negRisk !== true);
  }
  t.equal(told.orderHash, alice.idOf(payload));
  t.match(stepIn(told, 'struct'), { struct: 'order11', structHash: /^0x[0-9a-f]{64}$/ });
});

t.test("a wallet's signature is shown in its parts, each with the required value", async (t) => {
  const alice = await exchange.trader(3);
  const wallet = `0x${'5c'.repeat(20)}`;
  const payload = alice.walletOrder({ tokenId }, wallet);
  const told = await explain(payload);
  t.equal(told.wouldBeAccepted, true);
  t.match(stepIn(told, 'signature'), { wrapped: { isConfigured: true, isThisOrder: true } });
  t.match(stepIn(told, 'domains'), { expectedSigner: alice.address, tried: { length: 18 } });
  const other = { ...payload, order: { ...payload.order, salt: 1 } };
  const wrong = await explain(other);
  t.match(stepIn(wrong, 'signature'), { wrapped: { isConfigured: true, isThisOrder: false } });
  t.match(stepIn(wrong, 'domains'), { ok: false, code: 'signature_mismatch' });
});

t.test('amounts off the grid are shown with the nearest that are on it', async (t) => {
  const alice = await exchange.trader(4);
  const changes = { makerAmount: '5678901', takerAmount: '10004000' };
  const told = await explain(alice.order({ tokenId, changes }));
  t.match(stepIn(told, 'grid'), {
    ok: false,
    code: 'size_off_grid',
    nearestPrices: ['0.56', '0.57'],
    nearestSizes: ['10', '10.01'],
    nearestLimitOrder: { price: '0.57', makerAmount: '5700000', takerAmount: '10000000' },
  });
  const mended = { makerAmount: '5700000', takerAmount: '10000000' };
  const again = await explain(alice.order({ tokenId, changes: mended }));
  t.match(stepIn(again, 'grid'), { ok: true, price: '0.57', size: '10' });
});

t.test('what the profile refuses is shown with the profiles that take it', async (t) => {
  const venue = await startTestExchange(t);
  const alice = await venue.trader(4);
  const fine = { makerAmount: '9980000', takerAmount: '10183673' };
  const [id] = venue.plain.tokenIds;
  const market = alice.order({ tokenId: id, orderType: 'FAK', changes: fine });
  t.match(stepIn(await explain(market, undefined, venue), 'grid'), {
    code: 'amounts_too_precise',
    profile: 'polymarket-2026-10',
    rule: 'decimals',
    takenUnder: ['polymarket-2026-03', 'kuest', 'open'],
  });
  const expiration = String(Math.ceil(venue.clock.ms / 1_000) + 100);
  const soon = alice.order({ tokenId: id, orderType: 'GTD', changes: { expiration } });
  t.match(stepIn(await explain(soon, undefined, venue), 'terms'), {
    code: 'expiration_too_soon',
    profile: 'polymarket-2026-10',
    rule: 'gtdLeadSeconds',
    takenUnder: ['polymarket-2026-03', 'open'],
  });
});

// History: an old body was enough to read the balance, even when its key was revoked.
t.test("a balance is shown only to an API key of the account's owner", async (t) => {
  const [alice, bob] = [await exchange.trader(5), await exchange.trader(15)];
  await alice.place({ tokenId, priceTicks: 4000 });
  const payload = alice.order({ tokenId });
  const balance = { asset: 'cash', required: '5', available: '9996', held: '4' };
  t.match(stepIn(await explain(payload, alice), 'balance'), balance);
  const tooLarge = alice.order({ tokenId, lots: 9_000_000 });
  const owns = await explain(tooLarge, alice);
  t.match(owns.answer, { body: { code: 'not_enough_cash', ...balance, required: '45000' } });

  const needed = { hidden: "send L2 headers of the account's owner" };
  for (const other of [undefined, bob]) {
    for (const one of [payload, tooLarge]) {
      const told = await explain(one, other);
      if (other === undefined) t.match(stepIn(told, 'balance'), needed);
      t.match(stepIn(told, 'account'), other === undefined ? needed : { ok: null });
      t.notMatch(JSON.stringify(told), /9996|"available"|"held"/);
    }
  }
  t.match(await explain(tooLarge), { answer: { body: { code: 'not_enough_cash' } } });

  const signature = alice.order({ tokenId }).order.signature;
  const forged = { ...payload, order: { ...payload.order, signature } };
  const hidden = { hidden: 'signature not proved' };
  const unproved = await explain(forged, alice);
  t.match(stepIn(unproved, 'balance'), hidden);
  t.match(stepIn(unproved, 'account'), hidden);
  const others = await explain({ ...payload, owner: '' }, alice);
  t.match(stepIn(others, 'owner'), { code: 'owner_mismatch', limit: alice.credentials.apiKey });

  await alice.signed('DELETE', '/auth/api-key');
  const late = await alice.signed('POST', '/debug/order', payload);
  t.match(late.body, { code: 'api_key_revoked' });
  t.notMatch(JSON.stringify(await explain(payload)), '9996');
});

t.test('an order that was accepted before is shown with its result', async (t) => {
  const alice = await exchange.trader(6);
  const payload = alice.order({ tokenId });
  const placed = await alice.signed('POST', '/order', payload);
  const told = await explain(payload);
  t.match(told, {
    wouldBeAccepted: true,
    answer: { status: 200, body: { ...placed.body, duplicate: true } },
  });
  t.match(okOf(told), { known: true, account: null, book: null });
  const hidden = { ...payload, order: { ...payload.order, signature: '0x11' } };
  t.match(await explain(hidden), { orderHash: null, answer: { status: 400 } });
});
