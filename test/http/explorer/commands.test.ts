// GET /explorer/commands and /explorer/commands/{seq}, compared with the journal and `inspect`.
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { type Hex, hashTypedData, recoverTypedDataAddress } from 'viem';
import { Engine } from '../../../engine/index.ts';
import { shownRecord } from '../../../http/explorer/amounts.ts';
import type { ExplorerCommand, ExplorerCommandPage } from '../../../http/explorer/index.ts';
import { HIDDEN_KEY } from '../../../http/format/order.ts';
import { JournalReader } from '../../../persistence/journal/reader.ts';
import { applyStored } from '../../../persistence/recovery/recovery.ts';
import { Inspector } from '../../../persistence/tools/inspect.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { NEG_RISK_DOMAIN, startTestExchange } from '../exchange-fixture.ts';
import { allCommands, command, done, explored, exploredByOperator } from './explored.ts';

const folder = temporaryFolder(t);
const exchange = await startTestExchange(t, { dataDir: folder, temporary: false });
const [ada, ben, cat] = await Promise.all([1, 2, 3].map((number) => exchange.trader(number)));
if (ada === undefined || ben === undefined || cat === undefined) throw new Error('three traders');
const { plain, negRisk } = exchange;
const [yes, no] = plain.tokenIds;

// A life with every kind of effect that clients and the operator can cause.
await done(
  exchange.operator('POST', `/markets/${plain.conditionId}/terms`, {
    taker_fee_bps: 100,
    fee_exponent: 1,
  }),
);
const resting: string[] = [];
for (const priceTicks of [4000, 4100, 4200]) {
  const { body } = await done(ada.place({ tokenId: yes, priceTicks, lots: 1000 }));
  resting.push(body.orderID);
}
const taken = await done(ben.place({ tokenId: no, priceTicks: 5900, lots: 1500 }));
await done(cat.place({ tokenId: no, priceTicks: 5900, lots: 50_000, orderType: 'FAK' }));
await done(ada.cancel(resting[0]));
const sets = { market: negRisk.conditionId, amount: '5', key: 'split-1' };
await done(ada.signed('POST', '/sets/split', sets));
for (const priceTicks of [1000, 1100]) {
  await done(cat.place({ tokenId: yes, priceTicks, lots: 500 }));
}
const money = { account: ben.address, amount: '12.5', key: 'deposit-1' };
await done(exchange.operator('POST', '/deposits', money));
await done(cat.signed('DELETE', '/cancel-all'));
const elsewhere = { tokenId: negRisk.tokenIds[0], priceTicks: 2000, domain: NEG_RISK_DOMAIN };
await done(ada.place(elsewhere));
await done(cat.place({ tokenId: yes, priceTicks: 1200, lots: 500 }));
const end = { payout: '1', redeem_all: false };
await done(exchange.operator('POST', `/markets/${plain.conditionId}/resolve`, end));
await done(ada.signed('POST', '/sets/redeem', { market: plain.conditionId, key: 'redeem-1' }));
const { durableSeq } = exchange.running.services.exchange;

t.test('walking all commands by number gives exactly the journal', async (t) => {
  const journal = new JournalReader(join(folder, 'journal.db'));
  t.teardown(() => journal.close());
  const stored = journal.commands(0, journal.lastSeq);
  let seq: number | null = 1;
  const engine = new Engine();
  for (const one of stored) {
    const { timeMs, checksum } = one;
    const asked = applyStored(engine, one).command;
    const shown: ExplorerCommand = await exploredByOperator<typeof ExplorerCommand>(
      exchange,
      `commands/${seq}`,
    );
    const { kind, ...fields } = asked;
    t.strictSame(
      [shown.seq, shown.time_ms, shown.kind, shown.command, shown.checksum],
      [seq, timeMs, kind, JSON.parse(JSON.stringify(shownRecord(fields))), checksum],
    );
    t.equal(shown.previous_seq, seq === 1 ? null : Number(seq) - 1);
    seq = shown.next_seq;
  }
  t.equal(seq, null);
});

t.test('each command did what `inspect` finds by a replay', async (t) => {
  const inspector = new Inspector({ dataDir: folder });
  t.teardown(() => inspector.close());
  const kinds = new Set<string>();
  for (let seq = 1; seq <= durableSeq; seq += 1) {
    const { events, evidence, rules } = await inspector.command(seq);
    const shown = await command(exchange, seq);
    const effects = events.filter(({ kind }) => kind !== 'level_changed');
    t.strictSame(
      shown.events,
      effects.map((effect) => withoutKey(shownRecord(effect))),
    );
    t.equal(shown.event_count, effects.length);
    t.equal(shown.fill_count, effects.filter(({ kind }) => kind === 'fill').length);
    t.equal(shown.rules, rules);
    const isOrder = shown.kind === 'place_order';
    t.strictSame(shown.asked_by ?? undefined, isOrder ? undefined : (evidence ?? undefined));
    for (const { kind } of effects) kinds.add(kind);
  }
  const all = ['fill', 'order_closed', 'sets_moved', 'redeemed', 'market_resolved', 'cash_moved'];
  for (const kind of all) t.ok(kinds.has(kind), kind);
});

function withoutKey(record: object): object {
  return 'api_key' in record ? { ...record, api_key: HIDDEN_KEY } : record;
}

t.test('an order shows the message that its owner signed, as wallets hash it', async (t) => {
  const orders = await allCommands(exchange, '&kind=place_order');
  t.equal(orders.length, 9);
  for (const { seq } of orders) {
    const { signed, command: asked } = await command(exchange, seq);
    if (signed === null) throw new Error('an order is signed');
    const { types, primaryType, domain, message } = signed.typed_data;
    // Safe: hex texts, as viem wants them.
    const typed = {
      types,
      primaryType,
      domain: { ...domain, verifyingContract: domain.verifyingContract as Hex },
      message,
    };
    t.equal(hashTypedData(typed), asked.order_id);
    t.equal(signed.digest, asked.order_id);
    const signer = await recoverTypedDataAddress({ ...typed, signature: signed.signature as Hex });
    t.equal(signer.toLowerCase(), asked.owner);
    t.equal(signed.signer, asked.owner);
  }
});

t.test('trades have the ids that clients were told, and amounts as decimals too', async (t) => {
  const [seq] = (await allCommands(exchange, `&kind=place_order&account=${ben.address}`))
    .filter(({ command: { order_id } }) => order_id === taken.body.orderID)
    .map((one) => one.seq);
  const shown = await command(exchange, seq ?? 0);
  t.strictSame(
    shown.trades.map(({ id }) => id),
    taken.body.tradeIDs,
  );
  t.match(shown.command, { price_ticks: 5900, price: '0.59', lots: 1500, tokens: '15' });
  t.match(shown.trades, [
    { price_ticks: 5800, price: '0.58', lots: 1000, tokens: '10', bucket_index: 0 },
    { price_ticks: 5900, price: '0.59', lots: 500, tokens: '5', bucket_index: 1 },
  ]);
  t.match(shown.events[1], { kind: 'fill', maker_price: '0.42', fees: { taker_fee_bps: 100 } });
});

t.test('pages of any size have each command once, newest first', async (t) => {
  const all = Array.from({ length: durableSeq }, (_, index) => durableSeq - index);
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 200 }),
      fc.nat(durableSeq),
      fc.nat(durableSeq + 3),
      async (limit, after, before) => {
        const path = `commands?limit=${limit}&after=${after}&before=${before}`;
        const page = await explored<typeof ExplorerCommandPage>(exchange, path);
        const range = all.filter((seq) => seq > after && seq < before);
        t.strictSame(
          page.data.map(({ seq }) => seq),
          range.slice(0, limit),
        );
        t.equal(page.next_before, range.length > limit ? (range[limit - 1] ?? 0) : null);
      },
    ),
    { numRuns: 25 },
  );
  const found = await allCommands(exchange, '', 4);
  t.strictSame(
    found.map(({ seq }) => seq),
    all,
  );
});

t.test(
  'a filter finds what names an account or market, and whose orders were touched',
  async (t) => {
    const touching = async (names: readonly string[]): Promise<number[]> => {
      const seqs: number[] = [];
      for (let seq = durableSeq; seq > 0; seq -= 1) {
        const { command: asked, events } = await command(exchange, seq);
        // An order that others closed or filled is named by the events.
        const text = JSON.stringify([asked, events]);
        if (names.some((name) => text.includes(`"${name}"`))) seqs.push(seq);
      }
      return seqs;
    };
    for (const { address } of [ada, ben, cat]) {
      const found = await allCommands(exchange, `&account=${address}`);
      t.strictSame(
        found.map(({ seq }) => seq),
        await touching([address]),
      );
    }
    for (const { conditionId, tokenIds } of [plain, negRisk]) {
      const found = await allCommands(exchange, `&market=${conditionId}`);
      t.strictSame(
        found.map(({ seq }) => seq),
        await touching([conditionId, ...tokenIds]),
      );
    }
    const both = await allCommands(exchange, `&market=${plain.conditionId}&account=${cat.address}`);
    const kinds = both.map(({ kind }) => kind);
    const placed = Array<string>(3).fill('place_order');
    t.strictSame(kinds, ['resolve_market', 'place_order', 'cancel_all', ...placed]);
    t.strictSame(await allCommands(exchange, `&account=0x${'9'.repeat(40)}`), []);
    t.equal((await allCommands(exchange, '&kind=deposit')).length, 1);
  },
);

t.test('the operator sees API keys, and the public zeros', async (t) => {
  const [issued] = await allCommands(exchange, '&kind=issue_api_key');
  const path = `commands/${issued?.seq}`;
  const shown = await exploredByOperator<typeof ExplorerCommand>(exchange, path);
  const keys = [ada, ben, cat].map(({ credentials }) => credentials.apiKey);
  t.ok(keys.includes(String(shown.command.api_key)));
  const text = JSON.stringify(await allCommands(exchange, ''));
  t.notOk(keys.some((key) => text.includes(key)));
  for (const { credentials } of [ada, ben, cat]) {
    const { secret, passphrase } = credentials;
    const whole = JSON.stringify(await exploredByOperator(exchange, 'commands?limit=200'));
    t.notOk(whole.includes(secret) || whole.includes(passphrase), 'no secret is journaled');
  }
});

const FAULTS: readonly (readonly [path: string, code: string, field: string])[] = [
  ['commands/0', 'invalid_parameter', 'seq'],
  ['commands/-1', 'invalid_parameter', 'seq'],
  ['commands/1.0', 'invalid_parameter', 'seq'],
  ['commands/1e3', 'invalid_parameter', 'seq'],
  ['commands/1234567890123456', 'invalid_parameter', 'seq'],
  ['commands/999999999999999', 'command_not_found', 'seq'],
  ['commands?limit=0', 'invalid_parameter', 'limit'],
  ['commands?limit=201', 'invalid_parameter', 'limit'],
  ['commands?before=-1', 'invalid_parameter', 'before'],
  ['commands?after=x', 'invalid_parameter', 'after'],
  ['commands?kind=place', 'invalid_parameter', 'kind'],
  ['commands?market=0x12', 'invalid_parameter', 'market'],
  ['commands?account=somebody', 'invalid_parameter', 'account'],
];

t.test('what is malformed or missing is refused with its field', async (t) => {
  for (const [path, code, field] of FAULTS) {
    for (const send of [exchange.send, exchange.operator]) {
      const { status, body } = await send('GET', `/explorer/${path}`);
      t.match(body, { code, field }, path);
      t.equal(status, code.endsWith('not_found') ? 404 : 400, path);
    }
  }
  const { text } = await exchange.send('GET', '/explorer/commands/999999999999999');
  t.match(JSON.parse(text), { limit: `1..${durableSeq}`, actual: 999999999999999 });
});

t.test('with real money, or strictly, only operators may look', async (t) => {
  for (const settings of [{ funding: 'ledger', paperMicros: 0 }, { strict: true }] as const) {
    const strict = await startTestExchange(t, settings);
    for (const path of ['commands', 'commands/1', `accounts/${ada.address}`]) {
      const { status, body } = await strict.send('GET', `/explorer/${path}`);
      t.match([status, body], [403, { code: 'sandbox_only' }], path);
    }
    t.equal((await strict.operator('GET', '/explorer/commands/1')).status, 200);
    const url = `http://127.0.0.1:${strict.running.adminPort}/explorer/commands`;
    t.equal((await fetch(url)).status, 401);
  }
});
