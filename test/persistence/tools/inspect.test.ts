/** What `inspect` shows, and its errors for what does not exist. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { inspectText } from '../../../cli/tools/inspect-text.ts';
import { RULES_VERSION } from '../../../engine/index.ts';
import { compactJournal, Inspector, inspectSnapshot } from '../../../persistence/index.ts';
import { namingFullDisk } from '../../../persistence/tools/compaction-limit.ts';
import { conditionOf, copyFolder, keptFolder } from '../kept-folder.ts';
import { ALICE, BOB, order, orderIdOf } from '../store-fixture.ts';

const good = await keptFolder();

function look(t: Test, dataDir: string): Inspector {
  const inspector = new Inspector({ dataDir });
  t.teardown(() => inspector.close());
  return inspector;
}

t.test('a command is shown with its events, also after a compaction', async (t) => {
  const folder = copyFolder(t, good);
  const shown = await look(t, folder).command(9);
  t.match(shown, { seq: 9, rules: RULES_VERSION, command: { kind: 'place_order', owner: BOB } });
  t.strictSame(
    shown.events.map(({ kind }) => kind),
    ['order_accepted', 'fill', 'order_closed', 'level_changed', 'order_closed'],
  );
  await compactJournal({ dataDir: folder });
  t.strictSame(await look(t, folder).command(9), shown);
  const deposit = await look(t, folder).command(14);
  t.match(deposit, { command: { kind: 'deposit' }, evidence: { by: 'somebody' } });
});

t.test('an order is shown with its events and its status', async (t) => {
  const inspector = look(t, good);
  const kindsOf = (life: readonly { readonly event: unknown }[]): unknown[] =>
    life.map(({ event }) => (event as { kind: string }).kind); // each is an event
  const matched = await inspector.order(orderIdOf(100));
  t.equal(matched.stands, 'closed: matched');
  t.strictSame(kindsOf(matched.life), ['order_accepted', 'fill', 'order_closed']);
  t.equal(matched.order, null);
  t.match(await inspector.order(orderIdOf(102)), { stands: 'closed: market_resolved' });
  const live = await inspector.order(orderIdOf(112));
  t.match(live, { stands: 'live', order: { orderId: orderIdOf(112), remainingLots: 10 } });
});

t.test('accounts and markets are shown as at the end of the journal', async (t) => {
  const inspector = look(t, good);
  const { account, orders } = await inspector.account(ALICE);
  t.match(account, { address: ALICE, heldMicros: 80_000 });
  t.strictSame(
    orders.map(({ orderId }) => orderId),
    [orderIdOf(112), orderIdOf(212)],
  );
  for (const id of [conditionOf(4), '41', '42']) {
    const { market, bids } = await inspector.market(id);
    t.equal(market.conditionId, conditionOf(4));
    t.strictSame(bids, [{ yesTicks: 4_000, restingLots: 20, orders: 2 }]);
  }
  t.match(inspector.fills(9, undefined), [{ ordinal: 0, lots: 10, match: 'mint' }]);
  t.match(inspectSnapshot(good, 21), { seq: 21, parts: [{ name: 'head', count: 1 }] });
  t.match(inspector.journal(), {
    seq: 21,
    firstSeq: 1,
    rules: [{ fromSeq: 1, version: RULES_VERSION }],
  });
});

t.test('a record that does not exist is refused with a sentence', async (t) => {
  const inspector = look(t, good);
  await t.rejects(inspector.command(22), { message: /no command 22: the journal has 1 to 21/ });
  await t.rejects(inspector.order(order(9_999).orderId), { message: /was ever accepted/ });
  await t.rejects(inspector.account(`0x${'00'.repeat(20)}`), { message: /there is no account/ });
  await t.rejects(inspector.market('999'), { message: /there is no market or token 999/ });
  t.throws(() => inspector.fills(1, undefined), { message: /command 1 made no fill/ });
  t.throws(() => inspector.fills(9, 1), { message: /fills 0 to 0, not 1/ });
  t.throws(() => inspectSnapshot(good, 3), { message: /no snapshot of seq 3. Snapshots: 21, 7/ });
  t.throws(() => new Inspector({ dataDir: join(good, 'no') }), { message: /is not a data folder/ });
});

t.test('values are shown with their units, and no secret is shown', async (t) => {
  const text = inspectText({
    amountMicros: -1_500_000,
    lots: 1_250,
    priceTicks: 4_200,
    feeBps: 250,
    timeMs: 1_700_000_000_000,
    delayMs: 500,
    none: [],
    ids: ['a', 'b'],
    nested: { payoutTicks: null, text: '' },
  });
  t.equal(
    text,
    [
      'amountMicros: -1.5 (-1500000 micros)',
      'lots: 12.5 tokens (1250 lots)',
      'priceTicks: 0.42 (4200 ticks)',
      'feeBps: 2.5% (250 basis points)',
      'timeMs: 2023-11-14T22:13:20.000Z (1700000000000 ms)',
      'delayMs: 500 ms',
      'none: none',
      'ids: a, b',
      'nested:',
      '  payoutTicks: null',
      "  text: ''",
      '',
    ].join('\n'),
  );
  const token = readFileSync(join(good, 'admin.token'), 'utf8').trim();
  t.notOk(inspectText(look(t, good).journal()).includes(token));
});

t.test('the error of a full disk says what to do', async (t) => {
  for (const code of ['ENOSPC', 'SQLITE_FULL', 'EDQUOT']) {
    const named = namingFullDisk('/there', Object.assign(new Error('no'), { code }));
    t.match(named, { message: /^\/there is full: make room/ });
  }
  const other = new Error('other');
  t.equal(namingFullDisk('/there', other), other);
});
