// Bad orders over HTTP, as a staircase: each row repairs the fault of the row above and shows the
// next fault, so that codes and their precedence are both proved.
import t from 'tap';
import {
  type Payload,
  shareTestExchange,
  type TestExchange,
  type Trader,
} from '../exchange-fixture.ts';
import { expectRefusal } from './refusal.ts';

interface Stairs {
  readonly exchange: TestExchange;
  readonly alice: Trader;
  readonly bob: Trader;
  /** A valid order of alice. */
  readonly good: Payload;
  readonly payload: Record<string, unknown> & { readonly order: Record<string, unknown> };
}

/** Changes of the payload and of its order, and the refusal that follows. */
interface Step {
  readonly what: string;
  readonly whole?: object;
  readonly order?: object;
  readonly status?: number;
  readonly body: object;
}

const shape = { error: 'Invalid order payload', code: 'invalid_order_payload' };

function wrongForms({ good, bob }: Stairs): Step[] {
  return [
    { what: 'a salt that is an object', body: { ...shape, field: 'order.salt' } },
    {
      what: 'a signer that is a number',
      order: { salt: good.order.salt },
      body: { ...shape, field: 'order.signer', limit: 'string', actual: 7 },
    },
    {
      what: 'a flag that is a text',
      order: { signer: '0x34' },
      body: { ...shape, field: 'postOnly', limit: 'boolean, null', actual: 'no' },
    },
    {
      what: 'a taker',
      whole: { postOnly: false },
      body: { ...shape, code: 'private_order', field: 'order.taker', actual: bob.address },
    },
    { what: 'a short maker', order: { taker: '' }, body: { ...shape, field: 'order.maker' } },
    {
      what: 'a short signer',
      order: { maker: bob.address },
      body: { ...shape, field: 'order.signer', actual: '0x34' },
    },
    {
      what: 'a token id in words',
      order: { signer: bob.address },
      body: { ...shape, field: 'order.tokenId', limit: 'a decimal uint256', actual: 'none' },
    },
    { what: 'an exponent', order: { tokenId: '7' }, body: { ...shape, actual: '1e6' } },
    { what: 'a minus', order: { makerAmount: '5000000' }, body: { ...shape, actual: '-1' } },
    {
      what: 'a side',
      order: { takerAmount: '10000000' },
      body: { ...shape, field: 'order.side', limit: 'BUY, SELL, 0, 1', actual: 'HOLD' },
    },
    {
      what: 'a signature type',
      order: { side: 'BUY' },
      body: { ...shape, field: 'order.signatureType', limit: '0, 1, 2, 3', actual: 9 },
    },
    {
      what: 'no timestamp',
      order: { signatureType: 0 },
      body: { error: 'timestamp is required', code: 'missing_field', field: 'order.timestamp' },
    },
    {
      what: 'an order type',
      order: { timestamp: good.order.timestamp },
      body: { ...shape, field: 'orderType', limit: 'GTC, GTD, FOK, FAK', actual: 'IOC' },
    },
    {
      what: 'an expiration in words',
      whole: { orderType: 'GTC' },
      body: { ...shape, field: 'order.expiration', actual: 'soon' },
    },
  ];
}

function foreignThings({ exchange, alice, bob, good }: Stairs): Step[] {
  return [
    {
      what: "somebody else's key",
      order: { expiration: '0' },
      status: 403,
      body: {
        error: 'the order owner has to be the owner of the API KEY',
        code: 'owner_mismatch',
        field: 'owner',
        limit: alice.credentials.apiKey,
        actual: bob.credentials.apiKey,
      },
    },
    {
      what: 'an unknown token',
      whole: { owner: alice.credentials.apiKey },
      body: { error: 'token is not registered', code: 'token_unknown', actual: '7' },
    },
    {
      what: 'the condition of another market',
      order: { tokenId: good.order.tokenId },
      body: {
        code: 'condition_mismatch',
        field: 'order.conditionId',
        limit: exchange.plain.conditionId,
        actual: exchange.negRisk.conditionId,
      },
    },
    {
      what: 'a signature of one byte',
      order: { conditionId: exchange.plain.conditionId },
      body: { error: 'invalid order signature', code: 'malformed_signature' },
    },
    {
      what: "somebody else's signer",
      order: { signature: good.order.signature },
      status: 403,
      body: { code: 'signer_mismatch', limit: alice.address, actual: bob.address },
    },
    {
      what: "somebody else's wallet",
      order: { signer: alice.address },
      status: 403,
      body: { code: 'maker_mismatch', field: 'order.maker', limit: alice.address },
    },
    {
      what: 'a signature of another content',
      order: { maker: alice.address, makerAmount: '5000001' },
      body: {
        error: 'invalid order signature',
        code: 'signature_mismatch',
        limit: alice.address,
        recovered: [{ chainId: 137, contract: /^0x[0-9a-f]{40}$/, recovered: /^0x/ }],
      },
    },
  ];
}

const share = await shareTestExchange(t);

t.test('an order is checked by shape, key, token, then signature', async (t) => {
  const exchange = share();
  const alice = await exchange.trader(1);
  const bob = await exchange.trader(2);
  const before = exchange.stateHash();
  const payload = {
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
  const good = alice.order({ tokenId: exchange.plain.tokenIds[0] });
  const stairs = { exchange, alice, bob, good, payload };
  for (const step of [...wrongForms(stairs), ...foreignThings(stairs)]) {
    Object.assign(payload, step.whole);
    Object.assign(payload.order, step.order);
    const answer = await alice.signed('POST', '/order', payload);
    expectRefusal(t, answer, { status: 400, ...step });
    t.equal(exchange.stateHash(), before, 'nothing was changed');
  }
  payload.order.makerAmount = '5000000';
  t.match((await alice.signed('POST', '/order', payload)).body, { success: true, status: 'live' });
});
