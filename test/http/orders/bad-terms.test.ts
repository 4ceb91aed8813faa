// Correctly signed orders with invalid terms: each is refused with its status, code, field and
// values, and changes nothing.
import t from 'tap';
import { EARLIER } from '../../default-settings.ts';
import { NEG_RISK_DOMAIN, type OrderWishes, shareTestExchange } from '../exchange-fixture.ts';
import { expectRefusal, type Refusal } from './refusal.ts';

interface BadTerms extends Omit<Refusal, 'status'> {
  /** Which market: the plain one's YES unless said otherwise. */
  readonly token?: 'no' | 'negRisk';
  readonly wishes: Omit<OrderWishes, 'tokenId'>;
}

const share = await shareTestExchange(t, { profile: EARLIER });
const SECONDS = Math.floor(share().clock.ms / 1000);
const HASH = /^0x[0-9a-f]{64}$/;
const TICK_RULE = /^order 0x[0-9a-f]{64} is invalid\. Price \(.*\) breaks minimum tick size rule: /;

function gtd(expiration: number): Omit<OrderWishes, 'tokenId'> {
  return {
    orderType: 'GTD',
    changes: { expiration: String(expiration) },
  };
}

const OFF_THE_GRID: readonly BadTerms[] = [
  {
    what: 'no amount',
    wishes: { changes: { takerAmount: '0' } },
    body: { code: 'amount_not_positive', field: 'order.takerAmount', orderHash: HASH },
  },
  {
    what: 'half a lot',
    wishes: { changes: { takerAmount: '10005000' } },
    body: { code: 'size_off_grid', field: 'order.takerAmount', limit: '0.01', actual: '10.005' },
  },
  {
    what: 'a price between ten-thousandths',
    wishes: { changes: { makerAmount: '5000010' } },
    body: { error: TICK_RULE, code: 'price_off_tick', limit: '0.01', actual: '0.500001' },
  },
  {
    what: 'a market order off the grid',
    wishes: { orderType: 'FOK', changes: { makerAmount: '100000000', takerAmount: '178000000' } },
    body: { error: TICK_RULE, code: 'price_off_tick', field: 'price', limit: '0.01' },
  },
  {
    what: 'a price between ticks',
    wishes: { priceTicks: 5050 },
    body: { error: TICK_RULE, code: 'price_off_tick', field: 'price', actual: '0.505' },
  },
  {
    what: 'a price of one',
    wishes: { priceTicks: 10_000 },
    body: { code: 'price_out_of_bounds', field: 'price', limit: '0.01..0.99', actual: '1' },
  },
];

const OUT_OF_BOUNDS: readonly BadTerms[] = [
  {
    what: 'too small',
    wishes: { lots: 499 },
    body: {
      error: /Size \(4\.99\) lower than the minimum: 5$/,
      code: 'size_below_minimum',
      field: 'size',
      limit: '5',
      actual: '4.99',
    },
  },
  {
    what: 'too large',
    wishes: { priceTicks: 100, lots: 100_000_000_001 },
    body: { code: 'size_out_of_bounds', limit: '0.01..1000000000', actual: '1000000000.01' },
  },
  {
    what: 'too little cash',
    wishes: { orderType: 'FAK', changes: { makerAmount: '500000', takerAmount: '1000000' } },
    body: {
      error: 'invalid amount for a marketable BUY order ($0.5), min size: $1',
      code: 'budget_below_minimum',
      field: 'amount',
    },
  },
  {
    what: 'a GTD without an end',
    wishes: gtd(0),
    body: { error: /^invalid expiration: a GTD order needs/, code: 'expiration_required' },
  },
  {
    what: 'expired',
    wishes: gtd(SECONDS - 1),
    body: {
      error: /^invalid expiration: the earliest is \d+, this is \d+$/,
      code: 'expiration_too_soon',
      actual: `${SECONDS - 1}`,
    },
  },
  {
    what: 'expiring too soon',
    wishes: gtd(SECONDS + 59),
    body: { code: 'expiration_too_soon', field: 'order.expiration', limit: `${SECONDS + 61}` },
  },
  {
    what: 'a GTC with an end',
    wishes: { changes: { expiration: String(SECONDS + 600) } },
    body: { code: 'expiration_not_allowed', field: 'order.expiration' },
  },
];

const AGAINST_THE_BOOK: readonly BadTerms[] = [
  {
    what: 'a post-only FOK',
    wishes: { orderType: 'FOK', postOnly: true },
    body: { error: /postOnly requires GTC or GTD/, code: 'post_only_needs_resting_order' },
  },
  {
    what: 'a post-only that would cross',
    wishes: { priceTicks: 6000, postOnly: true },
    body: {
      error: 'invalid post-only order: order crosses book',
      code: 'post_only_would_cross',
      limit: '0.6',
      crossed: 'ask',
    },
  },
  {
    what: 'more cash than there is',
    wishes: { lots: 2_000_100 },
    body: {
      error: 'not enough balance / allowance',
      code: 'not_enough_cash',
      field: 'order.maker',
      asset: 'cash',
      required: '10000.5',
      available: '10000',
      held: '0',
    },
  },
  {
    what: 'tokens that are not there',
    token: 'no',
    wishes: { side: 'SELL' },
    body: { code: 'not_enough_tokens', asset: /^\d+$/, required: '10', available: '0' },
  },
  {
    what: 'a FOK for more than there is',
    wishes: { orderType: 'FOK', priceTicks: 6000, lots: 1001 },
    body: {
      error: /^order couldn't be fully filled. FOK orders .* the book fills [\d.]+ of [\d.]+\.$/,
      code: 'fill_or_kill_unfilled',
      field: 'amount',
    },
  },
  {
    what: 'a FAK below the book',
    wishes: { orderType: 'FAK', priceTicks: 5900 },
    body: { error: /^no orders found to match/, limit: '0.6', actual: '0.59' },
  },
];

const SIGNED_ELSEWHERE: readonly BadTerms[] = [
  {
    what: 'a neg-risk market, signed for the plain contract',
    token: 'negRisk',
    wishes: {},
    body: { error: 'unsupported verifying contract', code: 'wrong_exchange' },
  },
  {
    what: 'a plain market, signed for the neg-risk contract',
    wishes: { domain: NEG_RISK_DOMAIN },
    body: { code: 'wrong_exchange', field: 'order.signature' },
  },
  {
    what: 'signed for another chain',
    wishes: { domain: { ...NEG_RISK_DOMAIN, chainId: 1 } },
    body: { code: 'signature_mismatch' },
  },
];

t.test('a correctly signed order with invalid terms is refused', async (t) => {
  const { plain, negRisk, stateHash, trader } = share();
  const [yes, no] = plain.tokenIds;
  const alice = await trader(1);
  const bob = await trader(2);
  // Bob asks 0.6 for YES, by bidding 0.4 for NO.
  await bob.place({ tokenId: no, priceTicks: 4000, lots: 1000 });
  const before = stateHash();
  const rows = [...OFF_THE_GRID, ...OUT_OF_BOUNDS, ...AGAINST_THE_BOOK, ...SIGNED_ELSEWHERE];
  for (const { token, wishes, ...row } of rows) {
    const tokenId = token === 'negRisk' ? negRisk.tokenIds[0] : token === 'no' ? no : yes;
    expectRefusal(t, await alice.place({ tokenId, ...wishes }), { status: 400, ...row });
    t.equal(stateHash(), before, `${row.what}: nothing was changed`);
  }
});
