/** Orders of the console are those of the published client, byte for byte. */
import { OrderBuilder, OrderType, orderToJsonV2, Side } from '@polymarket/clob-client-v2';
import fc from 'fast-check';
import t from 'tap';
import {
  type OrderMessage,
  signOrder,
  typedDataOf,
  unsignedOrder,
} from '../../../../console/browser/signing/order.ts';
import { keySigner } from '../../../../console/browser/signing/signer.ts';
import { DEFAULT_DOMAINS } from '../../../../http/signing/domains.ts';
import { toSigningDomain, vectors } from '../../../http/signing/fixtures.ts';
import {
  PRIVATE_KEY,
  requestOf,
  type Terms,
  TICK_SIZES,
  walletClient,
} from './published-signer.ts';

const CHAIN = 137;
/** The domains for which the published client signs. */
const domains = DEFAULT_DOMAINS.filter(
  ({ name, version }) => name === 'Polymarket CTF Exchange' && version === '2',
);
const context = { chainId: CHAIN, domains, apiKey: 'key', nowMs: 1_780_449_126_930 };
const signer = await keySigner(PRIVATE_KEY);
const builder = new OrderBuilder(walletClient, CHAIN);

const LIMIT: Terms = { price: '0.5', tickSize: '0.01', quantity: '10' };
const BUYING = requestOf(LIMIT);

/** The body that the published client sends for these terms. */
async function publishedBody(terms: Terms) {
  const { tickSize } = terms;
  const { tokenId: tokenID, negRisk, side, type, postOnly, expirationSeconds } = requestOf(terms);
  const [price, quantity] = [Number(terms.price), Number(terms.quantity)];
  const shared = { tokenID, price, side: Side[side] };
  const options = { tickSize, negRisk };
  const order =
    type === 'FOK' || type === 'FAK'
      ? await builder.buildMarketOrder({ ...shared, amount: quantity }, options, 2)
      : await builder.buildOrder(
          { ...shared, size: quantity, expiration: expirationSeconds },
          options,
          2,
        );
  // Safe: version 2 makes orders of the second version.
  return orderToJsonV2(order as never, 'key', OrderType[type], postOnly);
}

/** A body as text, with some fields of its order replaced, and with addresses in lower case. */
function comparable({ order, ...rest }: { readonly order: object }, replaced: object): string {
  return JSON.stringify({ ...rest, order: { ...order, ...replaced } }).replace(
    /0x[0-9a-fA-F]{40}"/g,
    (address) => address.toLowerCase(),
  );
}

/** Whether the client rounds what the order gets by the tick, and the page to 4 decimals. */
function isMarket({ type }: Pick<Terms, 'type'>): boolean {
  return type === 'FOK' || type === 'FAK';
}

/**
 * Whether what a market order gets is the client's, which has two decimals more than the tick: up
 * to 6, where the venue takes 4. The client divides floating-point numbers, so it may be one unit
 * of the last decimal off: 47.8 at 0.0001 gives it 477999.999999.
 */
function isNear(mine: string, published: string, { tickSize }: Pick<Terms, 'tickSize'>): boolean {
  const unit = 10n ** BigInt(Math.max(2, 4 - (tickSize.split('.')[1] ?? '').length));
  const difference = BigInt(mine) - BigInt(published);
  return difference <= unit && difference >= -unit;
}

const randomTerms = fc
  .record({
    tickSize: fc.constantFrom(...TICK_SIZES),
    steps: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    // For more than a million tokens, the client's amounts sometimes miss the grid.
    hundredths: fc.oneof(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 1, max: 1e7 })),
    side: fc.constantFrom('BUY' as const, 'SELL' as const),
    type: fc.constantFrom('GTC' as const, 'GTD' as const, 'FOK' as const, 'FAK' as const),
    negRisk: fc.boolean(),
    postOnly: fc.boolean(),
    tokenId: fc.bigInt({ min: 1n, max: 2n ** 256n - 1n }).map(String),
    expirationSeconds: fc.integer({ min: 1_780_460_000, max: 1_990_000_000 }),
  })
  .map(({ steps, hundredths, postOnly, expirationSeconds, ...terms }): Terms => {
    const tickTicks = Number(terms.tickSize) * 10_000;
    const ticks = (1 + Math.floor(steps * (10_000 / tickTicks - 1))) * tickTicks;
    const isResting = terms.type === 'GTC' || terms.type === 'GTD';
    return {
      ...terms,
      price: (ticks / 10_000).toFixed(4).replace(/0+$/, ''),
      quantity: (hundredths / 100).toFixed(2),
      ...(isResting ? { postOnly } : {}),
      ...(terms.type === 'GTD' ? { expirationSeconds } : {}),
    };
  });

t.test('bodies and signatures equal those of the published client', async (t) => {
  await fc.assert(
    fc.asyncProperty(randomTerms, async (terms) => {
      const published = await publishedBody(terms);
      const { salt, timestamp, signature, takerAmount } = published.order;
      const request = requestOf(terms);
      const { body } = await signOrder(request, signer, context);
      const name = JSON.stringify(terms);
      if (isMarket(terms)) t.ok(isNear(body.order.takerAmount, takerAmount, terms), name);
      const replaced = { salt, timestamp, signature, ...(isMarket(terms) && { takerAmount }) };
      t.equal(comparable(body, replaced), comparable(published, replaced), name);
      // Safe: the number and the texts are of the kinds that orders have.
      const order = { ...body.order, ...replaced } as OrderMessage;
      const data = typedDataOf(order, context, request.negRisk);
      t.equal(await signer.signTypedData(data), signature, name);
    }),
    { numRuns: 60 },
  );
});

t.test('hashes and signatures are those of the published vectors', async (t) => {
  const samples = vectors.orders.filter(
    ({ order }) => order.taker === undefined && order.signatureType === 0,
  );
  t.ok(samples.length >= 6, 'there are such vectors');
  const { typedDataHash } = await import('../../../../console/browser/signing/cryptography.ts');
  for (const vector of samples) {
    const { label, order, signature, orderHash } = vector;
    const domain = toSigningDomain(vector);
    const side = order.side === 1 || order.side === 'SELL' ? 'SELL' : 'BUY';
    const { signature: _, ...fields } = order;
    // Safe: the vectors have the fields of orders.
    const message = { ...fields, side } as unknown as OrderMessage;
    const chain = { chainId: domain.chainId, domains: [domain] };
    const data = typedDataOf(message, chain, false);
    t.equal(typedDataHash(data), orderHash, label);
    t.equal(await signer.signTypedData(data), signature, label);
  }
});

t.test('each order has its own salt, and its id is the hash that is signed', async (t) => {
  const first = await signOrder(BUYING, signer, context);
  const second = await signOrder(BUYING, signer, context);
  t.not(first.body.order.salt, second.body.order.salt);
  t.not(first.orderId, second.orderId);
  t.ok(Number.isSafeInteger(first.body.order.salt));
  t.match(first.orderId, /^0x[0-9a-f]{64}$/);
});

t.test('an order to explain has no signature of anybody', (t) => {
  const { address } = signer;
  const body = unsignedOrder(BUYING, { ...context, address });
  t.match(body.order.signature, /^0x[01]{128}1b$/);
  t.match(body, { owner: 'key', orderType: 'GTC', order: { maker: address, signer: address } });
  t.end();
});

t.test('there must be a domain for the market', async (t) => {
  const plainOnly = { ...context, domains: domains.filter(({ negRisk }) => negRisk === false) };
  await t.rejects(signOrder({ ...BUYING, negRisk: true }, signer, plainOnly), {
    code: 'invalid_order',
    message: /no signing domain for neg-risk markets of chain 137/,
  });
});

t.test('amounts are those of the examples of the wire contract', async (t) => {
  const { limit, market } = vectors.amounts;
  const rows = [
    ...limit.map(({ size, ...row }) => ({ ...row, quantity: size, type: 'GTC' as const })),
    ...market.map(({ amount, ...row }) => ({ ...row, quantity: amount, type: 'FOK' as const })),
  ];
  for (const { side, type, quantity, price, tick, makerAmount, takerAmount } of rows) {
    // Clients cut further digits.
    const cut = String(Math.floor(quantity * 100) / 100);
    // Safe: the vectors have the client's tick sizes.
    const tickSize = tick as Terms['tickSize'];
    const terms = { side, type, tickSize, price: String(price), quantity: cut };
    const { order } = unsignedOrder(requestOf(terms), { ...context, address: signer.address });
    t.match(order, { makerAmount }, JSON.stringify(terms));
    const isTaken = isMarket(terms)
      ? isNear(order.takerAmount, takerAmount, terms)
      : order.takerAmount === takerAmount;
    t.ok(isTaken, JSON.stringify(terms));
  }
});

t.test('the domain of a signature is the one of the chain', async (t) => {
  const order = { ...unsignedOrder(BUYING, { ...context, address: signer.address }).order };
  const everywhere = { chainId: 80002, domains: DEFAULT_DOMAINS };
  t.match(typedDataOf(order, everywhere, false), { domain: { chainId: 80002 } });
  t.match(typedDataOf(order, { ...everywhere, chainId: CHAIN }, false), {
    domain: { chainId: CHAIN },
  });
});
