// POST /debug/order answers exactly what POST /order would answer, and changes nothing.
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { DEFAULT_RULES } from '../../../http/admission/limit-table.ts';
import { isLong, times } from '../../long-set.ts';
import { type Answer, NEG_RISK_DOMAIN, startTestExchange } from '../exchange-fixture.ts';
import { type Cast, drawnOrder, payloadOf } from './drawn-orders.ts';

/** The short set meets all codes but one, which the long set meets. */
const RUNS = times(300, 700);

interface Step {
  readonly step: string;
  readonly ok: boolean | null;
  readonly code?: string;
  readonly wouldMatch?: string;
  readonly forCash?: string;
}
interface Told {
  readonly wouldBeAccepted: boolean;
  readonly orderHash: string | null;
  readonly answer: { readonly status: number; readonly body: Record<string, unknown> } | null;
  readonly steps: readonly Step[];
}

/** A market with orders of another trader on both sides, and two traders to draw from. */
async function castFor(t: Test): Promise<Cast> {
  // The test sends more wrong signatures than the limits of one address allow.
  const rateLimits = { ...DEFAULT_RULES, isOn: false };
  const exchange = await startTestExchange(t, { rateLimits });
  const [rich, poor, maker] = await Promise.all([1, 2, 3].map((one) => exchange.trader(one)));
  if (rich === undefined || poor === undefined || maker === undefined) throw new Error('nobody');
  for (const market of [exchange.plain, exchange.negRisk]) {
    const domain = market === exchange.negRisk ? { domain: NEG_RISK_DOMAIN } : {};
    for (const tokenId of market.tokenIds) {
      // Both pay half of complete sets: now both have tokens of both outcomes.
      const [other = ''] = market.tokenIds.filter((one) => one !== tokenId);
      await maker.place({ tokenId, priceTicks: 5000, lots: 20_000, ...domain });
      const minted: Answer = await rich.place({ tokenId: other, lots: 20_000, ...domain });
      t.equal(minted.status, 200, minted.text);
    }
    const [tokenId] = market.tokenIds;
    await maker.place({ tokenId, priceTicks: 4000, lots: 2000, ...domain });
    await maker.place({ tokenId, side: 'SELL', priceTicks: 6000, lots: 2000, ...domain });
  }
  return { exchange, rich, poor, sent: [] };
}

t.test('an explanation gives the answer that placing the order gives', async (t) => {
  const cast = await castFor(t);
  const { exchange } = cast;
  const met = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(drawnOrder, async (drawn) => {
      const { sender, side, payload } = payloadOf(drawn, cast);
      const before = exchange.stateHash();
      const debugged = await sender.signed('POST', '/debug/order', payload);
      if (exchange.stateHash() !== before) throw new Error('the state has changed');
      if (debugged.status !== 200) throw new Error(debugged.text);
      const told: Told = JSON.parse(debugged.text);
      const placed = await sender.signed('POST', '/order', payload);
      const answer: Record<string, unknown> = JSON.parse(placed.text);
      const name = String(answer.code ?? (answer.duplicate ? 'duplicate' : answer.status));
      met.set(name, (met.get(name) ?? 0) + 1);

      const failed = told.steps.find(({ ok }) => ok === false);
      if (told.wouldBeAccepted !== (placed.status === 200))
        throw new Error(`${name}: other verdict`);
      if (failed?.code !== answer.code) throw new Error(`${name}: ${failed?.step} ${failed?.code}`);
      if (told.answer === null) {
        if (answer.duplicate === true) throw new Error('the duplicate is not reported');
        const book = told.steps.at(-1);
        const [cash, tokens] =
          side === 'BUY'
            ? [answer.makingAmount, answer.takingAmount]
            : [answer.takingAmount, answer.makingAmount];
        const expected = [book?.wouldMatch, book?.forCash].map((text) =>
          text === '0' ? '' : text,
        );
        if (expected.join() !== [tokens, cash].join())
          throw new Error(`${expected} ${placed.text}`);
        if (told.orderHash !== answer.orderID) throw new Error('another hash');
        return;
      }
      if (told.answer.status !== placed.status) throw new Error('another status');
      const [ours, theirs] = [told.answer.body, answer].map((one) => JSON.stringify(one));
      if (ours !== theirs) throw new Error(`told     ${ours}\nanswered ${theirs}`);
    }),
    { numRuns: RUNS, seed: 20_261_121, endOnFailure: true },
  );
  for (const code of [
    ...['live', 'matched', 'duplicate', 'missing_field', 'invalid_order_payload'],
    ...['owner_mismatch', 'token_unknown', 'condition_mismatch', 'private_order'],
    ...['malformed_signature', 'signature_mismatch', 'wrong_exchange', 'signer_mismatch'],
    ...['maker_mismatch', 'price_off_tick', 'price_out_of_bounds', 'size_below_minimum'],
    ...['amount_not_positive', 'expiration_required'],
    ...['expiration_not_allowed', 'expiration_too_soon', 'post_only_needs_resting_order'],
    ...(isLong ? ['size_out_of_bounds'] : []),
    ...['not_enough_cash', 'not_enough_tokens', 'post_only_would_cross'],
    ...['fill_or_kill_unfilled', 'nothing_to_match', 'order_id_reused'],
  ]) {
    t.ok((met.get(code) ?? 0) > 0, `${code} was met`);
  }
});
