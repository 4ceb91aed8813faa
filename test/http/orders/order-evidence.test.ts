// The journal has everything that was signed of an order, so the order can be verified from it.
import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import t from 'tap';
import { Engine, type Input, type PlaceOrder } from '../../../engine/index.ts';
import { OrderIntake } from '../../../http/orders/intake.ts';
import { evidenceOf, signedContent } from '../../../http/orders/order-evidence.ts';
import { DomainTable } from '../../../http/signing/domain-table.ts';
import { DEFAULT_DOMAINS } from '../../../http/signing/domains.ts';
import type { SignedOrder } from '../../../http/signing/order-struct.ts';
import { verifyOrder } from '../../../http/signing/verify-order.ts';
import { ByteWriter } from '../../../persistence/rows/byte-writer.ts';
import { PayloadReader, packPayload } from '../../../persistence/rows/payload.ts';
import { proxyWallet, safeWallet } from '../../owned-wallets.ts';
import { shareTestExchange } from '../exchange-fixture.ts';
import { startVerifiers } from '../own-verifiers.ts';
import { toSignedOrder, toSigningDomain, VECTOR_ADDRESS, vectors } from '../signing/fixtures.ts';
import { withSubmit } from './with-submit.ts';

const ZERO_WORD = `0x${'0'.repeat(64)}`;
const WALLET = `0x${'e'.repeat(40)}`;
const BUILDER = `0x${'bd'.repeat(32)}`;

interface Journaled {
  readonly command: PlaceOrder;
  readonly evidence: unknown;
}

/** The command and its evidence as a reader of the journal finds them. */
function throughJournal(command: PlaceOrder, evidence: unknown): Journaled {
  const { kind, owner, account, tokenId } = command;
  const bytes = new ByteWriter();
  const engine = new Engine();
  const known = { ...engine.inputOf(command), account: 0, owner: 0, token: 0, opens: undefined };
  assert(packPayload(known as Input, command, evidence, bytes), 'it is packed');
  const names = { account: () => account, owner: () => owner, token: () => tokenId };
  const reader = new PayloadReader();
  const read = reader.command(kind, bytes.copy(), names);
  assert(read.kind === 'place_order');
  return { command: read, evidence: reader.evidence(kind, bytes.copy()) };
}

const share = await shareTestExchange(t);

t.test('an order of each signature type verifies again from the journal alone', async (t) => {
  const { running, trader, plain, negRisk } = share();
  const { exchange, registry, settings } = running.services;
  const journaled: Journaled[] = [];
  const verifiers = await startVerifiers(t, { exchange, settings });
  const recording = withSubmit(exchange, (command, evidence) => {
    if (command.kind === 'place_order') journaled.push(throughJournal(command, evidence));
    return exchange.submit(command, evidence);
  });
  const intake = new OrderIntake({ exchange: recording, registry, settings, verifiers });
  const alice = await trader(1, 'KUEST');
  const [tokenId] = plain.tokenIds;
  const negRiskDomain = settings.domains.find((one) => one.negRisk && one.struct === 'order11');
  assert(negRiskDomain !== undefined);
  const proxied = { maker: proxyWallet(alice.address), signatureType: 1 };
  const safe = { maker: safeWallet(alice.address), signatureType: 2 };
  const payloads = [
    alice.order({ tokenId }),
    alice.order({ tokenId, side: 'SELL' }),
    alice.order({ tokenId, changes: { builder: BUILDER, metadata: `0x${'AB'.repeat(32)}` } }),
    alice.order({ tokenId: negRisk.tokenIds[0], domain: negRiskDomain }),
    alice.order({ tokenId, changes: proxied }),
    alice.order({ tokenId, changes: safe }),
    alice.walletOrder({ tokenId }, WALLET),
  ];
  await intake.place(alice.caller, payloads);
  t.equal(journaled.length, payloads.length);
  for (const { command, evidence } of journaled) {
    const content = signedContent(command, evidence);
    assert(content !== undefined);
    const { domain, ...order } = content;
    const verified = (one: SignedOrder): object =>
      verifyOrder(one, {
        domains: new DomainTable([domain]),
        wallets: settings.wallets,
        negRisk: domain.negRisk === true,
        keyAddress: command.owner,
      });
    const good = { ok: true, orderHash: command.orderId, signer: command.owner, domain };
    t.match(verified(order), good, `type ${order.signatureType}`);
    t.notMatch(verified({ ...order, salt: `${order.salt}0` }), good);
  }
});

t.test('orders of the public clients verify again too, of both structs', async (t) => {
  const structs = new Set<string>();
  for (const vector of vectors.orders) {
    const order = toSignedOrder(vector.order, vector.signature);
    const domain = toSigningDomain(vector);
    const { builder = ZERO_WORD } = vector.order;
    const named = { account: order.maker, owner: VECTOR_ADDRESS, tokenId: order.tokenId };
    // The other fields of the command are not signed.
    const command = {
      ...named,
      side: order.side === 0 ? 'BUY' : 'SELL',
      ...(builder === ZERO_WORD ? {} : { builder }),
    } as PlaceOrder;
    const content = signedContent(command, evidenceOf(order, domain));
    assert(content !== undefined);
    const { domain: signedFor, ...signed } = content;
    const options = { domains: new DomainTable([signedFor]), wallets: [], negRisk: false };
    const makerOwner = order.signatureType === 3 ? {} : { makerOwner: VECTOR_ADDRESS };
    t.match(
      verifyOrder(signed, { ...options, ...makerOwner, keyAddress: VECTOR_ADDRESS }),
      { ok: true, orderHash: vector.orderHash },
      vector.label,
    );
    structs.add(signed.struct);
  }
  t.strictSame([...structs].sort(), ['order11', 'order12']);
});

const digits = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(String);
const address = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`);
const word = fc.oneof(
  fc.constant(ZERO_WORD),
  fc
    .uint8Array({ minLength: 32, maxLength: 32 })
    .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`),
);
const base = {
  salt: digits,
  maker: address,
  tokenId: digits,
  makerAmount: digits,
  takerAmount: digits,
  side: fc.constantFrom(0, 1),
  signature: fc.string(),
};
const order11 = fc.record({
  ...base,
  struct: fc.constant('order11'),
  signatureType: fc.constantFrom(0, 1, 2, 3),
  timestamp: digits,
  metadata: word,
  builder: word,
});
const order12 = fc.record({
  ...base,
  struct: fc.constant('order12'),
  signatureType: fc.constantFrom(0, 1, 2),
  taker: fc.constant(`0x${'0'.repeat(40)}`),
  expiration: digits,
  nonce: digits,
  feeRateBps: digits,
});

t.test('command and evidence contain everything that is signed', async (t) => {
  fc.assert(
    fc.property(
      fc.oneof(order11, order12),
      address,
      fc.constantFrom(...DEFAULT_DOMAINS),
      (signed, key, family) => {
        const { maker, tokenId, side, signatureType, struct } = signed;
        const signer = signatureType === 3 ? maker : key;
        const order: SignedOrder = { ...signed, signer };
        const builder = 'builder' in signed && signed.builder !== ZERO_WORD ? signed.builder : '';
        const named = { account: maker, owner: key, tokenId, side: side === 0 ? 'BUY' : 'SELL' };
        // The other fields of the command are not signed.
        const command = { ...named, ...(builder === '' ? {} : { builder }) } as PlaceOrder;
        const domain = { ...family, struct };
        const evidence = JSON.parse(JSON.stringify(evidenceOf(order, domain)));
        t.strictSame(signedContent(command, evidence), { ...order, domain });
      },
    ),
    { numRuns: 300 },
  );
});

t.test('other evidence is left to itself', async (t) => {
  const command = { owner: WALLET } as PlaceOrder; // its fields are not read
  for (const other of [
    undefined,
    null,
    {},
    { struct: 'order11' },
    [],
    ['order13'],
    ['order11'],
    'order11',
  ]) {
    t.equal(signedContent(command, other), undefined);
  }
});
