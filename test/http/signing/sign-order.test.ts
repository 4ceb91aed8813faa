import t from 'tap';
import { lots, micros, ticks } from '../../../engine/index.ts';
import type { OrderRequest } from '../../../http/signing/order-struct.ts';
import { signOrder } from '../../../http/signing/sign-order.ts';
import { walletOf } from '../../../http/signing/wrapped-signature.ts';
import { toSignedOrder, vectors } from './fixtures.ts';

const CONTEXT = {
  wallet: walletOf(vectors.privateKey),
  domain: {
    name: 'CTF Exchange',
    version: '2',
    chainId: 137,
    contract: '0xacd95f4f42322c7be215c170362eec57ef4e78c2',
    negRisk: false,
    struct: 'order11',
  },
  salt: 479_249_096_354,
  nowMs: 1_780_449_126_930,
} as const;

const REQUEST: OrderRequest = {
  tokenId: '1',
  side: 'BUY',
  type: 'GTC',
  priceTicks: ticks(5_000),
  lots: lots(1_000),
  budgetMicros: micros(0),
  expirationSeconds: 0,
  postOnly: false,
};

/** Vectors of the published clients: orders of 11 fields that an EOA signed. */
const SAMPLES = vectors.orders.filter(
  ({ order }) => order.taker === undefined && order.signatureType === 0,
);

t.test('signatures equal those of the published clients, byte for byte', async (t) => {
  t.ok(SAMPLES.length >= 3, 'there are such vectors');
  for (const { label, order, domain, signature } of SAMPLES) {
    const isBuy = toSignedOrder(order).side === 0;
    const [cash, tokens] = isBuy
      ? [Number(order.makerAmount), Number(order.takerAmount)]
      : [Number(order.takerAmount), Number(order.makerAmount)];
    const request: OrderRequest = {
      ...REQUEST,
      tokenId: String(order.tokenId),
      side: isBuy ? 'BUY' : 'SELL',
      priceTicks: ticks((cash / tokens) * 10_000),
      lots: lots(tokens / 10_000),
    };
    const signed = signOrder(request, {
      wallet: walletOf(vectors.privateKey),
      domain: {
        ...domain,
        contract: domain.verifyingContract.toLowerCase(),
        negRisk: null,
        struct: 'order11',
      },
      salt: Number(order.salt),
      nowMs: Number(order.timestamp),
    });
    const { makerAmount, takerAmount } = order;
    t.match(signed.order, { makerAmount, takerAmount, signature }, label);
  }
});

type Amounts = readonly [request: Partial<OrderRequest>, makerAmount: string, takerAmount: string];

/** Amounts by the rules of wire 4.2, 4.5 and 4.9. */
const AMOUNTS: readonly Amounts[] = [
  [{ priceTicks: ticks(5_600), lots: lots(2_104) }, '11782400', '21040000'],
  [{ side: 'SELL', priceTicks: ticks(5_600), lots: lots(2_104) }, '21040000', '11782400'],
  [{ priceTicks: ticks(1), lots: lots(1) }, '1', '10000'],
  [
    { side: 'SELL', type: 'FOK', priceTicks: ticks(4_300), lots: lots(1_915) },
    '19150000',
    '8234500',
  ],
  [
    { side: 'SELL', type: 'FAK', priceTicks: ticks(1_235), lots: lots(37) },
    ...(['370000', '45700'] as const),
  ],
  [
    { type: 'FAK', priceTicks: ticks(7_000), lots: lots(0), budgetMicros: micros(1_000_000) },
    ...(['1000000', '1428500'] as const),
  ],
  [
    { type: 'FOK', priceTicks: ticks(3_700), budgetMicros: micros(10_000_000) },
    ...(['10000000', '27027000'] as const),
  ],
  [
    { type: 'FAK', priceTicks: ticks(1), lots: lots(0), budgetMicros: micros(999_999_999_999_999) },
    ...(['999999999999999', '9999999999999990000'] as const),
  ],
];

t.test('amounts are what the maker gives and takes, in base units', async (t) => {
  for (const [changes, makerAmount, takerAmount] of AMOUNTS) {
    const { order } = signOrder({ ...REQUEST, ...changes }, CONTEXT);
    t.match(order, { makerAmount, takerAmount }, JSON.stringify(changes));
  }
});

t.test('type, post-only and expiration are sent but not signed', async (t) => {
  const plain = signOrder(REQUEST, CONTEXT);
  t.match(plain, { orderType: 'GTC', postOnly: false, order: { expiration: '0', side: 'BUY' } });
  const dated = signOrder(
    { ...REQUEST, type: 'GTD', postOnly: true, expirationSeconds: 1_800_000_000 },
    CONTEXT,
  );
  t.match(dated, { orderType: 'GTD', postOnly: true, order: { expiration: '1800000000' } });
});

t.test('a value that cannot be signed is refused with its field', async (t) => {
  t.throws(() => signOrder({ ...REQUEST, tokenId: '01' }, CONTEXT), /^tokenId is 01; it must be/);
});
