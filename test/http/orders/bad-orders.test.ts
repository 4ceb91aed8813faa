// Bad input over real HTTP: each row mends one fault of the row above and shows the next one, so
// that codes and their precedence are both proved. Nothing of it may change the state.
import t, { type Test } from 'tap';
import { HTTP_BOUNDS } from '../../../http/bounds.ts';
import { proxyWallet } from '../../../http/signing/address.ts';
import {
  type Answer,
  NEG_RISK_DOMAIN,
  type OrderWishes,
  type Payload,
  START_MS,
  startTestExchange,
  type TestExchange,
  type Trader,
} from '../exchange-fixture.ts';

type Row = readonly [what: string, status: number, body: Readonly<Record<string, unknown>>];

/** Every failed placement is an order result too (wire 3.10). */
const FAILED_RESULT = {
  success: false,
  orderID: '',
  takingAmount: '',
  makingAmount: '',
  status: 'error',
  transactionsHashes: [],
  tradeIDs: [],
};

const expectRefusal = (t: Test, answer: Answer, [what, status, body]: Row): void => {
  t.equal(answer.status, status, what);
  t.match(answer.body, { ...FAILED_RESULT, ...body }, what);
  t.equal(answer.body.errorMsg, answer.body.error, what);
};

t.test('the shape of an order, from no headers to a signed one', async (t) => {
  const exchange = await startTestExchange(t);
  const alice = await exchange.trader(1);
  const bob = await exchange.trader(2);
  const [tokenId] = exchange.plain.tokenIds;
  const before = exchange.stateHash();

  const good = alice.order({ tokenId, changes: { conditionId: exchange.plain.conditionId } });
  // Everything is wrong with it at first.
  // biome-ignore lint/suspicious/noExplicitAny: a payload of any shape is what this test is about
  const payload: any = {
    order: {
      maker: '0x12',
      salt: {},
      signer: 7,
      taker: bob.address,
      conditionId: exchange.negRisk.conditionId,
      tokenId: 'none',
      makerAmount: '1e6',
      takerAmount: '-1',
      side: 'HOLD',
      signatureType: 9,
      signature: '0x12',
      expiration: 'soon',
    },
    owner: bob.credentials.apiKey,
    orderType: 'IOC',
    postOnly: 'no',
  };
  const order = (changes: object) => (): void => {
    Object.assign(payload.order, changes);
  };
  const whole = (changes: object) => (): void => {
    Object.assign(payload, changes);
  };
  const shape = { error: 'Invalid order payload', code: 'invalid_order_payload' };
  const mine = { maker: bob.address, signer: bob.address };
  const { salt, timestamp, signature } = good.order;
  const staircase: [mend: () => void, row: Row][] = [
    [() => {}, ['a salt that is an object', 400, { ...shape, field: 'order.salt' }]],
    [
      order({ salt }),
      ['a signer that is a number', 400, { ...shape, field: 'order.signer', actual: 7 }],
    ],
    [order({ signer: '0x34' }), ['a flag that is a text', 400, { ...shape, field: 'postOnly' }]],
    [
      whole({ postOnly: false }),
      ['a taker', 400, { ...shape, code: 'private_order', field: 'order.taker' }],
    ],
    [order({ taker: undefined }), ['a short maker', 400, { ...shape, field: 'order.maker' }]],
    [order({ maker: mine.maker }), ['a short signer', 400, { ...shape, field: 'order.signer' }]],
    [order({ signer: mine.signer }), ['a token id in words', 400, { ...shape, actual: 'none' }]],
    [order({ tokenId: '7' }), ['an amount with an exponent', 400, { ...shape, actual: '1e6' }]],
    [order({ makerAmount: '5000000' }), ['a negative amount', 400, { ...shape, actual: '-1' }]],
    [
      order({ takerAmount: '10000000' }),
      ['a side', 400, { ...shape, field: 'order.side', limit: 'BUY, SELL, 0, 1', actual: 'HOLD' }],
    ],
    [order({ side: 'BUY' }), ['a signature type', 400, { ...shape, field: 'order.signatureType' }]],
    [
      order({ signatureType: 0 }),
      ['no timestamp', 400, { error: 'timestamp is required', code: 'missing_field' }],
    ],
    [
      order({ timestamp }),
      ['an order type', 400, { ...shape, field: 'orderType', limit: 'GTC, GTD, FOK, FAK' }],
    ],
    [whole({ orderType: 'GTC' }), ['an expiration', 400, { ...shape, field: 'order.expiration' }]],
    [
      order({ expiration: '0' }),
      [
        "somebody else's key",
        403,
        {
          error: 'the order owner has to be the owner of the API KEY',
          code: 'owner_mismatch',
          field: 'owner',
          limit: alice.credentials.apiKey,
          actual: bob.credentials.apiKey,
        },
      ],
    ],
    [
      whole({ owner: alice.credentials.apiKey }),
      [
        'an unknown token',
        400,
        { error: 'token is not registered', code: 'token_unknown', actual: '7' },
      ],
    ],
    [
      order({ tokenId }),
      [
        'the condition of another market',
        400,
        {
          code: 'condition_mismatch',
          field: 'order.conditionId',
          limit: exchange.plain.conditionId,
          actual: exchange.negRisk.conditionId,
        },
      ],
    ],
    [
      order({ conditionId: exchange.plain.conditionId }),
      [
        'a signature of two digits',
        400,
        { error: 'invalid order signature', code: 'malformed_signature', field: 'order.signature' },
      ],
    ],
    [
      order({ signature }),
      [
        "somebody else's signer",
        403,
        { code: 'signer_mismatch', limit: alice.address, actual: bob.address },
      ],
    ],
    [
      order({ signer: alice.address }),
      ["somebody else's wallet", 403, { code: 'maker_mismatch', field: 'order.maker' }],
    ],
    [
      order({ maker: alice.address, makerAmount: '5000001' }),
      [
        'a signature of another content',
        400,
        {
          error: 'invalid order signature',
          code: 'signature_mismatch',
          limit: alice.address,
          recovered: [{ chainId: 137, contract: /^0x[0-9a-f]{40}$/, recovered: /^0x/ }],
        },
      ],
    ],
  ];
  for (const [mend, row] of staircase) {
    mend();
    expectRefusal(t, await alice.signed('POST', '/order', payload), row);
  }
  t.equal(exchange.stateHash(), before, 'nothing was changed');
  Object.assign(payload.order, { makerAmount: '5000000' });
  t.match((await alice.signed('POST', '/order', payload)).body, { success: true, status: 'live' });
});

/** Orders that are signed well and refused for what they say. */
const refusedOrders = ({ plain, negRisk }: TestExchange): [OrderWishes, Row][] => {
  const [tokenId, other] = plain.tokenIds;
  const seconds = Math.floor(START_MS / 1000);
  const gtd = (expiration: string): OrderWishes => ({
    tokenId,
    orderType: 'GTD',
    changes: { expiration },
  });
  const hash = /^0x[0-9a-f]{64}$/;
  const tickRule =
    /^order 0x[0-9a-f]{64} is invalid\. Price \(.*\) breaks minimum tick size rule: /;
  return [
    [
      { tokenId, changes: { takerAmount: '0' } },
      ['no amount', 400, { code: 'amount_not_positive', field: 'order.takerAmount' }],
    ],
    [
      { tokenId, changes: { takerAmount: '10005000' } },
      ['half a lot', 400, { code: 'size_off_grid', limit: '0.01', actual: '10.005' }],
    ],
    [
      { tokenId, changes: { makerAmount: '5000001' } },
      [
        'a price between ten-thousandths',
        400,
        { error: tickRule, code: 'price_off_tick', limit: '0.01', actual: '0.5000001' },
      ],
    ],
    [
      {
        tokenId,
        orderType: 'FOK',
        changes: { makerAmount: '100000000', takerAmount: '178000000' },
      },
      ['a market order off the grid', 400, { code: 'price_off_tick', orderHash: hash }],
    ],
    [
      { tokenId, priceTicks: 5050 },
      [
        'a price between ticks',
        400,
        { error: tickRule, code: 'price_off_tick', field: 'price', limit: '0.01', actual: '0.505' },
      ],
    ],
    [
      { tokenId, priceTicks: 10_000 },
      [
        'a price of one',
        400,
        { code: 'price_out_of_bounds', limit: '0.01..0.99', actual: '1', orderHash: hash },
      ],
    ],
    [
      { tokenId, lots: 499 },
      [
        'too small',
        400,
        {
          error: /Size \(4\.99\) lower than the minimum: 5$/,
          code: 'size_below_minimum',
          field: 'size',
        },
      ],
    ],
    [
      { tokenId, priceTicks: 100, lots: 100_000_000_001 },
      ['too large', 400, { code: 'size_out_of_bounds', limit: '0.01..1000000000' }],
    ],
    [
      { tokenId, orderType: 'FAK', changes: { makerAmount: '500000', takerAmount: '1000000' } },
      [
        'too little cash',
        400,
        {
          error: 'invalid amount for a marketable BUY order ($0.5), min size: $1',
          code: 'budget_below_minimum',
        },
      ],
    ],
    [
      gtd('0'),
      ['a GTD without an end', 400, { error: 'invalid expiration', code: 'expiration_required' }],
    ],
    [
      gtd(String(seconds - 1)),
      ['expired', 400, { code: 'expiration_too_soon', actual: String(seconds - 1) }],
    ],
    [
      gtd(String(seconds + 59)),
      [
        'expiring too soon',
        400,
        { code: 'expiration_too_soon', field: 'order.expiration', limit: String(seconds + 61) },
      ],
    ],
    [
      { tokenId, changes: { expiration: String(seconds + 600) } },
      ['a GTC with an end', 400, { code: 'expiration_not_allowed' }],
    ],
    [
      { tokenId, orderType: 'FOK', postOnly: true },
      ['a post-only FOK', 400, { error: /postOnly requires GTC or GTD/ }],
    ],
    [
      { tokenId, priceTicks: 6000, postOnly: true },
      [
        'a post-only that would cross',
        400,
        {
          error: 'invalid post-only order: order crosses book',
          code: 'post_only_would_cross',
          limit: '0.6',
          crossed: 'ask',
        },
      ],
    ],
    [
      { tokenId, lots: 2_000_100 },
      [
        'more cash than there is',
        400,
        {
          error: 'not enough balance / allowance',
          code: 'not_enough_cash',
          asset: 'cash',
          required: '10000.5',
          available: '10000',
          held: '0',
        },
      ],
    ],
    [
      { tokenId: other, side: 'SELL' },
      [
        'tokens that are not there',
        400,
        { code: 'not_enough_tokens', asset: other, required: '10', available: '0', held: '0' },
      ],
    ],
    [
      { tokenId, orderType: 'FOK', priceTicks: 6000, lots: 1001 },
      [
        'a FOK for more than there is',
        400,
        {
          error: "order couldn't be fully filled. FOK orders are fully filled or killed.",
          code: 'fill_or_kill_unfilled',
        },
      ],
    ],
    [
      { tokenId, orderType: 'FAK', priceTicks: 5900 },
      ['a FAK below the book', 400, { error: /^no orders found to match/, limit: '0.6' }],
    ],
    [
      { tokenId: negRisk.tokenIds[0] },
      ['signed for the other contract', 400, { code: 'wrong_exchange' }],
    ],
    [
      { tokenId, domain: NEG_RISK_DOMAIN },
      ['signed for the other contract', 400, { code: 'wrong_exchange' }],
    ],
    [
      { tokenId, domain: { ...NEG_RISK_DOMAIN, chainId: 1 } },
      ['signed for another chain', 400, { code: 'signature_mismatch' }],
    ],
  ];
};

t.test('what a well signed order may not say', async (t) => {
  const exchange = await startTestExchange(t);
  const alice = await exchange.trader(1);
  const bob = await exchange.trader(2);
  // Bob asks 0.6 for YES, by bidding 0.4 for NO.
  await bob.place({ tokenId: exchange.plain.tokenIds[1], priceTicks: 4000, lots: 1000 });
  const before = exchange.stateHash();
  for (const [wishes, row] of refusedOrders(exchange)) {
    expectRefusal(t, await alice.place(wishes), row);
    t.equal(exchange.stateHash(), before, `${row[0]}: nothing was changed`);
  }
});

t.test('a wallet belongs to its owner', async (t) => {
  const exchange = await startTestExchange(t);
  const { plain, operator, stateHash } = exchange;
  const alice = await exchange.trader(1, 'KUEST');
  const bob = await exchange.trader(2, 'KUEST');
  const [tokenId] = plain.tokenIds;
  const proxy = proxyWallet(alice.address);
  const place = (who: Trader, maker: string, signatureType: number): Promise<Answer> =>
    who.place({ tokenId, changes: { maker, signatureType } });

  t.equal((await place(alice, proxy, 1)).status, 200, 'a wallet opens with its first order');
  const bound = { address: `0x${'7'.repeat(40)}`, owner: alice.address, wallet: 'safe' };
  t.equal((await operator('POST', '/accounts', bound)).status, 200);
  const before = stateHash();
  const rows: [answer: Promise<Answer>, row: Row][] = [
    [place(bob, proxy, 1), ["another's proxy", 403, { code: 'wallet_not_yours' }]],
    [place(bob, proxy, 0), ["another's proxy as if it signed", 403, { code: 'maker_mismatch' }]],
    [
      place(bob, bound.address, 2),
      ["another's Safe", 403, { error: 'owner_address_mismatch', code: 'wallet_not_yours' }],
    ],
    [place(bob, `0x${'8'.repeat(40)}`, 2), ["nobody's Safe", 403, { code: 'maker_mismatch' }]],
  ];
  for (const [answer, row] of rows) expectRefusal(t, await answer, row);
  t.equal(stateHash(), before, 'nothing was changed');
  t.equal((await place(alice, bound.address, 2)).status, 200);
});

t.test('a deposit wallet belongs to who uses it first, or to whom the operator says', async (t) => {
  const { trader, plain, running } = await startTestExchange(t);
  const { intake } = running.services;
  const alice = await trader(1, 'KUEST');
  const bob = await trader(2, 'KUEST');
  const [tokenId] = plain.tokenIds;
  const wallet = `0x${'7'.repeat(40)}`;
  // Both at once: neither's claim is durable when the other's signature is checked.
  const claims = [alice, bob].map((who) =>
    intake.place({ owner: who.address, apiKey: who.credentials.apiKey, nonce: '' }, [
      who.walletOrder({ tokenId }, wallet),
    ]),
  );
  const [[first], [second]] = (await Promise.all(claims)) as [unknown[], unknown[]];
  t.match(first, { success: true, status: 'live' });
  t.match(second, { code: 'account_bound_to_other', details: { field: 'order.maker' } });
  const late = await bob.signed('POST', '/order', bob.walletOrder({ tokenId }, wallet));
  expectRefusal(t, late, ['a wallet of another', 403, { code: 'wallet_not_yours' }]);
  const again = await alice.signed('POST', '/order', alice.walletOrder({ tokenId }, wallet));
  t.equal(again.status, 200);
});

t.test('in strict mode a deposit wallet is not bound by its first order', async (t) => {
  const { trader, plain, operator, stateHash } = await startTestExchange(t, { strict: true });
  const alice = await trader(1);
  const address = `0x${'7'.repeat(40)}`;
  const payload = alice.walletOrder({ tokenId: plain.tokenIds[0] }, address);
  const before = stateHash();
  expectRefusal(t, await alice.signed('POST', '/order', payload), [
    'a wallet that is not open',
    400,
    { error: 'account not found', code: 'account_unknown', actual: address },
  ]);
  t.equal(stateHash(), before);
  await operator('POST', '/accounts', { address, owner: alice.address, wallet: 'deposit' });
  t.match((await alice.signed('POST', '/order', payload)).body, { success: true });
});

t.test('bodies that are no orders', async (t) => {
  const { trader, stateHash, plain } = await startTestExchange(t);
  const alice = await trader(1, 'SERVICE');
  const before = stateHash();
  const order = alice.order({ tokenId: plain.tokenIds[0] });
  const sixteen = JSON.stringify(Array<Payload>(16).fill(order));
  const long = (bytes: number): string => JSON.stringify('x'.repeat(bytes));
  const { bodyBytes, ordersBodyBytes } = HTTP_BOUNDS;
  const rows: [method: string, path: string, body: string, status: number, expected: object][] = [
    ['POST', '/order', '', 400, { code: 'invalid_order_payload', field: 'body' }],
    ['POST', '/order', '{"order":', 400, { code: 'malformed_json', position: 9 }],
    ['POST', '/order', '[]', 400, { code: 'invalid_order_payload', actual: 'a list of 0' }],
    ['POST', '/order', long(bodyBytes), 413, { code: 'body_too_large', limit: bodyBytes }],
    ['POST', '/orders', '{}', 400, { error: 'Invalid payload', code: 'invalid_payload' }],
    ['POST', '/orders', '[]', 400, { code: 'invalid_payload', field: 'body', actual: 0 }],
    [
      'POST',
      '/orders',
      sixteen,
      400,
      { error: 'Too many orders in payload: 16, max allowed: 15', limit: 15, actual: 16 },
    ],
    ['POST', '/orders', long(ordersBodyBytes), 413, { limit: ordersBodyBytes }],
    ['DELETE', '/order', '', 400, { code: 'invalid_payload', field: 'body' }],
    ['DELETE', '/order', '{}', 400, { error: 'Invalid orderID', code: 'invalid_order_id' }],
    ['DELETE', '/order', '{"orderID":5}', 400, { code: 'invalid_order_id', actual: 5 }],
    ['DELETE', '/order', '{"orderID":""}', 400, { code: 'invalid_order_id' }],
  ];
  for (const [method, path, body, status, expected] of rows) {
    const headers = alice.keyHeaders(method, path, body);
    const answer = await alice.send(method, path, { body, headers });
    t.equal(answer.status, status, `${method} ${path} ${body.slice(0, 20)}`);
    t.match(answer.body, expected);
  }
  t.equal(stateHash(), before, 'nothing was changed');
});

t.test('the orders of a batch are judged alone', async (t) => {
  const { trader, plain } = await startTestExchange(t);
  const alice = await trader(1, 'KUEST');
  const [tokenId] = plain.tokenIds;
  const answer = await alice.signed('POST', '/orders', [
    alice.order({ tokenId }),
    'no order',
    alice.order({ tokenId, lots: 1 }),
    alice.order({ tokenId, priceTicks: 4000 }),
  ]);
  t.equal(answer.status, 200);
  t.match(answer.body, [
    { success: true, status: 'live' },
    { ...FAILED_RESULT, error: 'Invalid order payload', orderHash: null },
    {
      ...FAILED_RESULT,
      errorMsg: 'order is invalid. Size lower than the minimum',
      orderHash: /^0x/,
    },
    { success: true, status: 'live' },
  ]);
  t.equal(answer.body.length, 4);
});
