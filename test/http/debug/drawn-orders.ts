// Random orders, valid or broken in every way that POST /order checks, sent by a trader who has a
// key.
import fc from 'fast-check';
import { DEFAULT_DOMAINS } from '../../../http/signing/domains.ts';
import { proxyWallet, safeWallet } from '../../owned-wallets.ts';
import type { Payload, TestExchange, Trader } from '../exchange-fixture.ts';

/** What is wrong with an order beyond its terms. */
const FLAWS = [
  'other domain',
  'signature digit',
  'signature cut',
  'owner unknown',
  'token unknown',
  'condition of another market',
  'missing field',
  'wrong type',
  'salt too large',
  'maker of nobody',
  'maker of another',
  'signer of another',
  'taker named',
  'legacy struct',
  'amounts off the grid',
  'amount zero',
  'amount huge',
  'size too large',
  'repeated',
  'repeated with other terms',
] as const;
type Flaw = 'none' | (typeof FLAWS)[number];

/** Half of the orders have no flaw, so that rejects of the engine are drawn too. */
const drawnFlaw: fc.Arbitrary<Flaw> = fc.oneof(
  fc.constant('none' as const),
  fc.constantFrom(...FLAWS),
);

export const drawnOrder = fc.record({
  isRich: fc.boolean(),
  isNegRisk: fc.boolean(),
  outcome: fc.constantFrom(0, 1),
  side: fc.constantFrom('BUY', 'SELL'),
  orderType: fc.constantFrom('GTC', 'GTC', 'GTD', 'FOK', 'FAK'),
  postOnly: fc.constantFrom(false, false, false, true),
  wallet: fc.constantFrom('eoa', 'eoa', 'eoa', 'eoa', 'proxy', 'safe', 'deposit'),
  priceTicks: fc.constantFrom(100, 3900, 4000, 4100, 5000, 5000, 6000, 9900, 10_000, 4050),
  lots: fc.constantFrom(500, 1000, 1000, 5000, 499, 1, 3_000_000),
  expirationSeconds: fc.constantFrom(0, 0, 0, 179, 181, 3600, -10),
  flaw: drawnFlaw,
  at: fc.nat({ max: 1_000 }),
});
export type DrawnOrder = typeof drawnOrder extends fc.Arbitrary<infer Drawn> ? Drawn : never;

export interface Cast {
  readonly exchange: TestExchange;
  /** Has cash and tokens of both outcomes of both markets. */
  readonly rich: Trader;
  /** Has an account but no tokens. */
  readonly poor: Trader;
  /** The payloads that were sent so far. */
  readonly sent: Payload[];
}

const OTHER_DOMAIN = DEFAULT_DOMAINS.find(({ negRisk, struct }) => negRisk && struct === 'order11');

function makerOf({ wallet }: DrawnOrder, { address }: Trader): Record<string, string | number> {
  if (wallet === 'proxy') return { maker: proxyWallet(address), signatureType: 1 };
  return wallet === 'safe' ? { maker: safeWallet(address), signatureType: 2 } : {};
}

/** Changes made before signing. */
function signedChanges(drawn: DrawnOrder, trader: Trader, other: Trader) {
  const changes: Record<Flaw | string, Record<string, string | number>> = {
    'token unknown': { tokenId: '77' },
    'salt too large': { salt: `${2n ** 256n}` },
    'maker of nobody': { maker: `0x${'ab'.repeat(20)}` },
    'maker of another': { maker: other.address },
    'signer of another': { maker: other.address, signer: other.address },
    'amounts off the grid': { makerAmount: '1234567', takerAmount: '7654321' },
    'amount zero': { takerAmount: '0' },
    'amount huge': { makerAmount: `${2n ** 60n}`, takerAmount: `${2n ** 60n}` },
    'size too large': { makerAmount: '500000000005000', takerAmount: '1000000000010000' },
  };
  return { ...makerOf(drawn, trader), ...changes[drawn.flaw] };
}

type Loose = Record<string, unknown> & { order: Record<string, unknown> };

/** Changes made after signing. */
function spoil(payload: Payload, { flaw, at }: DrawnOrder, { exchange }: Cast): unknown {
  // Safe: a payload is made of plain values; what follows breaks it on purpose.
  const loose = structuredClone(payload) as unknown as Loose;
  const { order } = loose;
  const signature = String(order.signature);
  const fields = Object.keys(order);
  const field = fields[at % fields.length] ?? 'salt';
  if (flaw === 'signature digit') {
    const place = 2 + (at % (signature.length - 2));
    const digit = signature[place] === '7' ? '8' : '7';
    order.signature = signature.slice(0, place) + digit + signature.slice(place + 1);
  } else if (flaw === 'signature cut') order.signature = signature.slice(0, at % signature.length);
  else if (flaw === 'owner unknown') loose.owner = '00000000-0000-4000-8000-000000000000';
  else if (flaw === 'condition of another market') {
    order.conditionId = exchange.negRisk.conditionId;
  } else if (flaw === 'missing field') delete order[field];
  else if (flaw === 'wrong type') order[field] = [at];
  else if (flaw === 'taker named') order.taker = exchange.plain.conditionId.slice(0, 42);
  else if (flaw === 'legacy struct') {
    delete order.timestamp;
    order.nonce = '0';
  } else if (flaw === 'repeated with other terms') loose.postOnly = !payload.postOnly;
  return loose;
}

export interface Drawn {
  readonly sender: Trader;
  /** The side that is sent. A repeated order may have another side than the drawn one. */
  readonly side: unknown;
  readonly payload: unknown;
}

/** A drawn order as it is sent. */
export function payloadOf(drawn: DrawnOrder, cast: Cast): Drawn {
  const { exchange, rich, poor, sent } = cast;
  const sender = drawn.isRich ? rich : poor;
  const again = sent.filter(({ owner }) => owner === sender.credentials.apiKey);
  const repeated = again[drawn.at % Math.max(again.length, 1)];
  if (drawn.flaw.startsWith('repeated') && repeated !== undefined) {
    return { sender, side: repeated.order.side, payload: spoil(repeated, drawn, cast) };
  }
  const market = drawn.isNegRisk ? exchange.negRisk : exchange.plain;
  const { side, orderType, postOnly, priceTicks, lots, expirationSeconds } = drawn;
  const expiration =
    expirationSeconds === 0 ? 0 : Math.floor(exchange.clock.ms / 1000) + expirationSeconds;
  const isOther = (drawn.flaw === 'other domain') !== drawn.isNegRisk;
  const wishes = {
    tokenId: market.tokenIds[drawn.outcome] ?? '',
    side: side === 'BUY' ? 'BUY' : 'SELL',
    orderType,
    postOnly,
    priceTicks,
    lots,
    changes: {
      expiration: String(expiration),
      ...signedChanges(drawn, sender, sender === rich ? poor : rich),
    },
    ...(isOther && OTHER_DOMAIN !== undefined ? { domain: OTHER_DOMAIN } : {}),
  } as const;
  const wallet = `0x${sender.address.slice(-2).repeat(20)}`;
  const payload =
    drawn.wallet === 'deposit' && drawn.flaw !== 'salt too large'
      ? sender.walletOrder(wishes, wallet)
      : sender.order(wishes);
  sent.push(payload);
  return { sender, side: payload.order.side, payload: spoil(payload, drawn, cast) };
}
