// Packed payloads: whatever an order, a cancel and their evidence contain, they are read as they
// were written, as what the engine takes and as a command with names.
import fc from 'fast-check';
import t from 'tap';
import {
  type CancelInput,
  type Command,
  Engine,
  type EngineNames,
  type Input,
  type OrderInput,
  type PlaceOrder,
} from '../../../engine/index.ts';
import { ByteWriter } from '../../../persistence/rows/byte-writer.ts';
import {
  jsonCommand,
  jsonPayload,
  type Payload,
  PayloadReader,
  packPayload,
} from '../../../persistence/rows/payload.ts';

const reader = new PayloadReader();
const noEngine = new Engine();

/** undefined if it can't be packed. */
function packed(input: Input, command: Command, evidence: unknown): Uint8Array | undefined {
  const bytes = new ByteWriter();
  bytes.text('before');
  const { length } = bytes;
  if (packPayload(input, command, evidence, bytes)) return bytes.copy().subarray(length);
  t.equal(bytes.length, length, 'nothing is left of what was not packed');
  return undefined;
}

/** Numbers stand for themselves, so that no number may be mistaken for another. */
const NAMES: EngineNames = {
  account: (index) => `account ${index}`,
  owner: (index) => `owner ${index}`,
  token: (index) => `token ${index}`,
};

const digit = fc.constantFrom(...'0123456789abcdef');
const hex = (bytes: number): fc.Arbitrary<string> =>
  fc.string({ unit: digit, minLength: 2 * bytes, maxLength: 2 * bytes }).map((text) => `0x${text}`);
const index = fc.oneof(fc.nat(300), fc.maxSafeNat());
/** Any number that JSON keeps. */
const number = fc.oneof(
  fc.nat(20_000),
  fc.maxSafeNat(),
  fc.constantFrom(0, 126, 127, 128, 2 ** 31 - 2, 2 ** 31 - 1, 2 ** 31, 2 ** 53 - 1, 2 ** 53, 1e300),
  fc.constantFrom(-1, -0.5, 0.1, Number.MIN_VALUE),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)),
);
const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'grapheme' }),
  fc.uuid(),
  hex(0),
  hex(20),
  hex(65),
  fc.nat().map(String),
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(String),
  fc.constantFrom('0x', '0x0', '0xAB', '0xäb', '0', '00', '007', '9007199254740991'),
  fc.constantFrom('9007199254740992', '9999999999999999', '-1', '1e3', '\ud800', '\udc00a', ''),
  fc.constantFrom(
    'order11',
    'order12',
    'CTF Exchange',
    '2',
    '12345678-1234-4234-8234-123456789ABC',
  ),
);

const orderNumbers = fc.record({ priceTicks: number, lots: number, budgetMicros: number });
const orderTimes = fc.record({
  expiresAtMs: number,
  minimumLeadMs: number,
  earlyEndMs: number,
  idCheckedSeq: number,
});
const orderChoices = fc.record({
  side: fc.constantFrom('BUY', 'SELL'),
  type: fc.constantFrom('GTC', 'GTD', 'FOK', 'FAK'),
  postOnly: fc.boolean(),
});
const known = fc.record({ account: index, owner: index, token: index, builder: index });
const orderTexts = fc.record(
  { apiKey: text, builder: hex(32), broughtBy: hex(32) },
  { requiredKeys: ['apiKey'], noNullPrototype: true },
);

interface Case {
  readonly input: Input;
  readonly command: Command;
}

/** An order whose names an engine knows, as input and with names. */
const order: fc.Arbitrary<Case> = fc
  .tuple(hex(32), orderNumbers, orderTimes, orderChoices, known, orderTexts)
  .map(([orderId, numbers, times, choices, { builder, ...numbered }, texts]) => {
    // Safe: the codec takes any numbers.
    const fields = { kind: 'place_order', orderId, ...choices, ...numbers, ...times } as PlaceOrder;
    const command = {
      ...fields,
      account: NAMES.account(numbered.account),
      owner: NAMES.owner(numbered.owner),
      tokenId: NAMES.token(numbered.token),
      ...texts,
    };
    const {
      apiKey: _,
      builder: __,
      broughtBy: ___,
      ...shared
    } = noEngine.inputOf(command) as OrderInput & PlaceOrder;
    const signed = texts.builder === undefined ? -1 : builder;
    return { input: { ...shared, ...numbered, builder: signed }, command };
  });

const cancel: fc.Arbitrary<Case> = fc
  .tuple(
    index,
    fc.array(
      hex(32).filter((id) => /[1-9a-f]/.test(id)),
      { minLength: 1, maxLength: 30 },
    ),
  )
  .map(([owner, orderIds]) => {
    const command = { kind: 'cancel_orders', owner: NAMES.owner(owner), orderIds } as const;
    return { input: { ...(noEngine.inputOf(command) as CancelInput), owner }, command };
  });

/** A value that JSON keeps unchanged. */
const json = fc.jsonValue().map((value): unknown => JSON.parse(JSON.stringify(value)));
const evidence = fc.oneof(
  fc.constant(undefined),
  json,
  fc.array(fc.oneof(text, number, fc.boolean(), fc.constant(null))),
  fc.array(json),
  text,
);

t.test('a packed command and its evidence are read as they were written', async (t) => {
  fc.assert(
    fc.property(fc.oneof(order, cancel), evidence, ({ input, command }, beside) => {
      const payload = packed(input, command, beside);
      if (command.kind === 'place_order' && !command.apiKey.isWellFormed()) {
        t.equal(payload, undefined, 'half a surrogate pair has no UTF-8');
        return;
      }
      t.ok(payload !== undefined);
      if (payload === undefined) return;
      const { kind } = command;
      // The packed form leaves out the names that only a refusal quotes.
      t.strictSame(
        { ...reader.input(kind, payload, noEngine), names: undefined },
        { ...input, names: undefined },
      );
      t.strictSame(reader.command(kind, payload, NAMES), command);
      t.strictSame(reader.evidence(kind, payload), beside);
    }),
    { numRuns: 500 },
  );
});

t.test('the evidence of an order is short, and reads as it was', async (t) => {
  const signature = `0x${'9f'.repeat(65)}`;
  const contract = '0xe111180000d2663c0091e4f400237545b87b996b';
  const domain = ['Polymarket CTF Exchange', '2', 137, contract, false];
  const signed = ['order11', ...domain, 0, '479249096354', '49000000', '100000000', signature];
  const input = { ...ORDER.input } as OrderInput;
  const bare = packed(input, ORDER.command, undefined)?.length ?? 0;
  const payload = packed(input, ORDER.command, [...signed, '1760000000000', null]);
  t.ok(payload !== undefined);
  t.strictSame(reader.evidence('place_order', payload as Payload), [
    ...signed,
    '1760000000000',
    null,
  ]);
  t.ok((payload?.length ?? 0) - bare < 120, `${(payload?.length ?? 0) - bare} bytes`);
});

const [ORDER = { input: { kind: 'advance_time' }, command: { kind: 'advance_time' } }] = fc.sample(
  order.filter(({ command }) => command.kind === 'place_order' && command.apiKey.isWellFormed()),
  1,
);

/** Changes of an order's input or command that have no packed form. */
const UNPACKED: readonly (readonly [name: string, input: object, command: object])[] = [
  ['an account that opens with the order', { opens: { wallet: 'eoa', paperMicros: 1 } }, {}],
  ['an unknown account', { account: -1 }, { account: 'somebody' }],
  ['an unknown owner', { owner: -1 }, { owner: 'somebody' }],
  ['an unknown token', { token: -1 }, { tokenId: 'something' }],
  ['a malformed id', { orderId: new Int32Array(0) }, { orderId: '0x12' }],
  ['a builder code in capitals', {}, { builder: `0x${'AB'.repeat(32)}` }],
  ['a short builder code', {}, { builder: '0xab' }],
  ['a malformed code that brought it', {}, { broughtBy: '' }],
  ['a side that does not exist', { side: 'HOLD' }, { side: 'HOLD' }],
  ['a type that does not exist', { type: 'IOC' }, { type: 'IOC' }],
  ['a flag that is a number', { postOnly: 1 }, { postOnly: 1 }],
  ['half a surrogate pair', {}, { apiKey: '\ud800' }],
];

for (const [name, changedInput, changedCommand] of UNPACKED) {
  t.test(`${name} makes JSON of an order`, async (t) => {
    // Safe: such values come from no type, but nothing may be lost of them.
    const input = { ...ORDER.input, ...changedInput } as Input;
    const command = { ...ORDER.command, ...changedCommand } as Command;
    t.equal(packed(input, command, undefined), undefined);
    t.strictSame(jsonCommand(command.kind, jsonPayload(command, undefined)), command);
  });
}

t.test('a cancel of malformed, of no and of too many ids is JSON', async (t) => {
  const id = `0x${'1'.repeat(64)}`;
  for (const orderIds of [[], [id, '0x12'], Array.from({ length: 20_000 }, () => id)]) {
    const command = { kind: 'cancel_orders', owner: 'somebody', orderIds } as const;
    const input = { ...(noEngine.inputOf(command) as CancelInput), owner: 1 };
    t.equal(packed(input, command, undefined), undefined);
  }
});

t.test('bytes that end early, or go on, are refused', async (t) => {
  const payload = packed(ORDER.input, ORDER.command, ['0xfeed', 7]);
  if (payload === undefined) throw new Error('it is packed');
  for (let length = 0; length < payload.length; length += 1) {
    t.throws(() => reader.evidence('place_order', payload.subarray(0, length)));
  }
  const longer = Buffer.concat([payload, Buffer.of(0)]);
  t.throws(() => reader.evidence('place_order', longer), /is read to its end/);
});
