/** Records as labelled fields, and which page each id has. */
import t from 'tap';
import { fieldsOf, segmentsOf } from '../../../../console/browser/explorer/fields.ts';

t.test('a whole number and the decimal beside it are one field', async (t) => {
  const rows = [
    [{ price_ticks: 4_500, price: '0.45' }, ['Price', 4_500, 'ticks', '0.45']],
    [{ taker_price_ticks: 1, taker_price: '0.0001' }, ['Taker price', 1, 'ticks', '0.0001']],
    [{ lots: 12_500, tokens: '125' }, ['Size', 12_500, 'lots', '125']],
    [{ filled_lots: 1, filled_tokens: '0.01' }, ['Filled', 1, 'lots', '0.01']],
    [{ fee_micros: 5, fee_cash: '0.000005' }, ['Fee', 5, 'micros', '0.000005']],
    [{ micros: 5, cash: '0.000005' }, ['Cash', 5, 'micros', '0.000005']],
    [{ time_ms: 1, time: 'x' }, ['Time', 1, 'ms', 'x']],
    [{ release_ms: 1, release_time: 'x' }, ['Release', 1, 'ms', 'x']],
    [{ release_ms: 0, release_time: null }, ['Release', 0, 'ms', undefined]],
    [{ minimum_lead_ms: 60_000 }, ['Minimum lead', 60_000, 'ms', undefined]],
    [{ taker_fee_bps: 7 }, ['Taker fee bps', 7, undefined, undefined]],
    [{ id_checked_seq: 0 }, ['Id checked seq', 0, undefined, undefined]],
    [{ closed_seq: 7 }, ['Closed by command', 7, undefined, undefined]],
    [{ seq: 7 }, ['Command', 7, undefined, undefined]],
    // A text that has the name of a unit is no amount.
    [{ lots: 'many' }, ['Lots', 'many', undefined, undefined]],
  ] as const;
  for (const [record, wanted] of rows) {
    const fields = fieldsOf(record).map(({ label, value, unit, beside }) => [
      label,
      value,
      unit,
      beside,
    ]);
    t.strictSame(fields, [wanted], JSON.stringify(record));
  }
});

t.test('no field of a record is left out', async (t) => {
  const record = { price: '0.45', side: 'BUY', tokens: '1', cash: null, lots: 100, time: 'now' };
  t.strictSame(
    fieldsOf(record).map(({ name }) => name),
    ['price', 'side', 'cash', 'lots', 'time'],
    'the tokens are beside the lots',
  );
});

t.test('ids lead to their pages, and nothing else does', async (t) => {
  const hash = `0x${'ab'.repeat(32)}`;
  const address = `0x${'ab'.repeat(20)}`;
  const trade = '9fb7db48-6831-8547-abbc-4513b67b3f93';
  const rows = [
    ['seq', 7, 'command'],
    ['accepted_seq', 7, 'command'],
    ['id_checked_seq', 0, undefined],
    ['order_id', hash, 'order'],
    ['order_ids', hash, 'order'],
    ['taker_order_id', hash, 'order'],
    ['order_id', `${hash}"`, undefined],
    ['trade_id', trade, 'trade'],
    ['condition_id', hash, 'market'],
    ['condition_ids', hash, 'market'],
    ['token_id', '7'.repeat(77), 'token'],
    ['tokenId', '7'.repeat(77), 'token'],
    ['account', address, 'account'],
    ['maker_account', address, 'account'],
    ['owner', address, 'account'],
    ['signer', address, 'account'],
    ['taker', `0x${'0'.repeat(40)}`, undefined],
    ['owner', 'javascript:alert(1)', undefined],
    ['transaction_hash', hash, undefined],
    ['constructor', hash, undefined],
  ] as const;
  for (const [name, value, kind] of rows) {
    const wanted = kind === undefined ? undefined : ['explorer', kind, String(value)];
    t.strictSame(segmentsOf(name, value), wanted, `${name} ${value}`);
  }
});
