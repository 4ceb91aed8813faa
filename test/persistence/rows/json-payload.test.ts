// Payloads as JSON: every command with its evidence is read as it was written, also if a program of
// an older format wrote it.
import fc from 'fast-check';
import t from 'tap';
import {
  type CancelOrders,
  type Command,
  lots,
  micros,
  type PlaceOrder,
  ticks,
} from '../../../engine/index.ts';
import { commandIn, evidenceIn, jsonPayload } from '../../../persistence/rows/json-payload.ts';
import { valuesPayload } from './values-payload.ts';

/** Texts that look like a border between a command and its evidence. */
const text = fc.oneof(
  fc.string(),
  fc.constantFrom(
    ',"evidence":',
    '","evidence":{}',
    ',{"evidence":',
    '",{"evidence":{}',
    ',{',
    ',\\"evidence":',
    '}',
    ']',
    '{"command":',
    '[',
    '\\',
    '"',
    '',
  ),
);
const whole = fc.maxSafeNat();

/** Makes objects with the prototype that parsed objects have. */
function plain<Model>(model: { [Name in keyof Model]: fc.Arbitrary<Model[Name]> }) {
  return fc.record(model, { noNullPrototype: true });
}

/** A generator for each field. It does not compile if one is missing. */
type Fields<Kind> = { readonly [Name in keyof Required<Kind>]: fc.Arbitrary<Kind[Name]> };

const orderFields: Fields<PlaceOrder> = {
  kind: fc.constant('place_order'),
  orderId: text,
  account: text,
  owner: text,
  tokenId: text,
  side: fc.constantFrom('BUY', 'SELL'),
  type: fc.constantFrom('GTC', 'GTD', 'FOK', 'FAK'),
  postOnly: fc.boolean(),
  priceTicks: fc.integer({ min: 1, max: 9_999 }).map(ticks),
  lots: whole.map(lots),
  budgetMicros: whole.map(micros),
  expiresAtMs: whole,
  minimumLeadMs: whole,
  idCheckedSeq: whole,
  opens: plain({ wallet: fc.constantFrom('eoa', 'proxy'), paperMicros: whole.map(micros) }),
  apiKey: text,
  builder: text,
  broughtBy: text,
};
const { opens, builder, broughtBy, ...always } = orderFields;
const order = fc
  .tuple(plain(always), fc.option(opens), fc.option(builder), fc.option(broughtBy))
  .map(([command, opening, code, bringer]) => ({
    ...command,
    ...(opening === null ? {} : { opens: opening }),
    ...(code === null ? {} : { builder: code }),
    ...(bringer === null ? {} : { broughtBy: bringer }),
  }));
/** An order of the owner's own account, as most are. */
const ownOrder = order.map((command) => ({ ...command, owner: command.account }));
const cancelFields: Fields<CancelOrders> = {
  kind: fc.constant('cancel_orders'),
  owner: text,
  orderIds: fc.array(text),
};
const cancelAll = plain({
  kind: fc.constant('cancel_all' as const),
  owner: text,
  conditionId: text,
  tokenId: text,
});
const command: fc.Arbitrary<Command> = fc.oneof(order, ownOrder, plain(cancelFields), cancelAll);
/** A value that JSON keeps unchanged. */
const json = fc.jsonValue().map((value): unknown => JSON.parse(JSON.stringify(value)));
const evidence = fc.oneof(
  fc.constant(undefined),
  json,
  fc.array(json),
  plain({ by: text, reason: text, evidence: plain({ evidence: text }) }),
);

t.test('payloads of formats 5 and 6, without field names, are read, for any texts', async (t) => {
  fc.assert(
    fc.property(command, evidence, (written, beside) => {
      const payload = valuesPayload(written, beside);
      t.strictSame(commandIn(written.kind, payload), written);
      t.strictSame(evidenceIn(payload), beside);
    }),
    { numRuns: 500 },
  );
});

t.test('payloads with field names are read the same', async (t) => {
  fc.assert(
    fc.property(command, evidence, (written, beside) => {
      const payload = jsonPayload(written, beside);
      t.strictSame(commandIn(written.kind, payload), written);
      t.strictSame(evidenceIn(payload), beside);
    }),
    { numRuns: 500 },
  );
});

t.test('a payload that is not of the kind of its row is refused', async (t) => {
  const deposit = '{"command":{"kind":"deposit"}}';
  t.equal(commandIn('withdraw', deposit), undefined);
  t.equal(
    commandIn('deposit', '["0xa1",[]]'),
    undefined,
    'only orders and cancels are written without field names',
  );
  t.throws(
    () => commandIn('place_order', '["0xa1",[]]'),
    /an order has its fixed number of values/,
  );
  for (const values of ['["0xa1"]', '["0xa1","0xb2"]', '["0xa1",[],1]']) {
    t.throws(
      () => commandIn('cancel_orders', values),
      /a cancel has an owner and order ids/,
      values,
    );
  }
});

t.test('orders and cancels of existing journals have no field names', async (t) => {
  const orderId = `0x${'1'.repeat(64)}`;
  const account = `0x${'a'.repeat(40)}`;
  const placed: PlaceOrder = {
    kind: 'place_order',
    orderId,
    account,
    owner: account,
    tokenId: '9'.repeat(77),
    side: 'BUY',
    type: 'GTC',
    postOnly: false,
    priceTicks: ticks(4_000),
    lots: lots(500),
    budgetMicros: micros(0),
    expiresAtMs: 0,
    minimumLeadMs: 60_000,
    idCheckedSeq: 0,
    opens: { wallet: 'eoa', paperMicros: micros(1_000_000) },
    apiKey: '00000000-0000-4000-8000-000000000001',
  };
  t.equal(
    valuesPayload(placed, ['0xfeed']),
    `["${orderId}","${account}",null,"${placed.tokenId}","BUY","GTC",false,4000,500,0,0,60000,0,` +
      `["eoa",1000000],"${placed.apiKey}",null,{"evidence":["0xfeed"]}]`,
    'as in existing journals',
  );
  t.equal(
    valuesPayload({ kind: 'cancel_orders', owner: account, orderIds: [orderId] }, undefined),
    `["${account}",["${orderId}"]]`,
  );
});
