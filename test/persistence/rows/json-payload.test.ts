// Payloads as JSON: every command with its evidence is read as it was written.
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
import { jsonCommand, jsonPayload, PayloadReader } from '../../../persistence/rows/payload.ts';

const reader = new PayloadReader();

/** Texts that look like a border between a command and its evidence. */
const text = fc.oneof(
  fc.string(),
  fc.constantFrom(
    ',"evidence":',
    '","evidence":{}',
    ',\\"evidence":',
    '}',
    '{"command":',
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
  earlyEndMs: whole,
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
  step: plain({ most: fc.nat() }),
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

t.test('a command and its evidence are read as they were written, for any texts', async (t) => {
  fc.assert(
    fc.property(command, evidence, (written, beside) => {
      const payload = jsonPayload(written, beside);
      t.strictSame(jsonCommand(written.kind, payload), written);
      t.strictSame(reader.evidence(written.kind, payload), beside);
    }),
    { numRuns: 500 },
  );
});

t.test('a payload that is not of the kind of its row is refused', async (t) => {
  const deposit = '{"command":{"kind":"deposit"}}';
  t.throws(() => jsonCommand('withdraw', deposit), /is of the kind of its row/);
});
