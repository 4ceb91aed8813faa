/** What the benchmark gives to the program of liquibook, and how it refuses what can't be built. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { buildLiquibook, Liquibook } from '../../../bench/engine/liquibook/liquibook.ts';
import { encodeRound } from '../../../bench/engine/liquibook/records.ts';
import type { Operation } from '../../../bench/engine/workload.ts';
import { placeOrder } from '../../../bench/harness/commands.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const ID = `0x0123456789abcdef${'5'.repeat(48)}`;
const ID_BYTES = 'efcdab8967452301';
/** A place has the price and the side of the one book, not of the command: here it sells NO. */
const OPERATIONS: readonly (readonly [what: string, operation: Operation, record: string])[] = [
  ['a bid that rests', placing('GTC', true, 4_999, 700), '87130000 bc020000 00000000 01000000'],
  ['an ask that rests', placing('GTC', false, 5_001, 700), '89130000 bc020000 00000000 00000000'],
  ['a FAK', placing('FAK', true, 9_900, 65_536), 'ac260000 00000100 01000000 01000000'],
  ['a FOK', placing('FOK', false, 100, 1), '64000000 01000000 02000000 00000000'],
  [
    'a cancel',
    {
      command: { kind: 'cancel_orders', owner: '0xo', orderIds: [ID] },
      isBid: false,
      bookTicks: 0,
      sizeLots: 0,
      events: [],
    },
    '00000000 00000000 03000000 00000000',
  ],
];

function placing(
  type: 'GTC' | 'FAK' | 'FOK' | 'GTD',
  isBid: boolean,
  bookTicks: number,
  sizeLots: number,
): Operation {
  const terms = { account: '0xa', tokenId: '2', side: 'SELL', apiKey: '' } as const;
  const command = placeOrder({ orderId: ID, ...terms, type, priceTicks: 3, lots: 9 });
  return { command, isBid, bookTicks, sizeLots, events: [] };
}

function hexOf(operations: readonly Operation[]): string {
  return encodeRound(operations).toString('hex');
}

t.test('an operation is a record of 24 bytes', async (t) => {
  for (const [what, operation, record] of OPERATIONS) {
    t.equal(hexOf([operation]), `01000000${ID_BYTES}${record.replaceAll(' ', '')}`, what);
  }
});

t.test('a round begins with the number of its operations', async (t) => {
  const records = OPERATIONS.map(([, , record]) => ID_BYTES + record.replaceAll(' ', ''));
  t.equal(hexOf(OPERATIONS.map(([, operation]) => operation)), `05000000${records.join('')}`);
  t.equal(hexOf([]), '00000000');
});

t.test('an order of another type is refused', async (t) => {
  t.throws(() => hexOf([placing('GTD', true, 5_000, 5)]), {
    message: `the order ${ID} is GTD; liquibook.cpp knows GTC, FAK, FOK, cancel_orders`,
  });
});

t.test('what cannot be built is refused, and nothing is left', async (t) => {
  const before = process.env.TMPDIR;
  const temporary = temporaryFolder(t);
  const checkout = temporaryFolder(t);
  process.env.TMPDIR = temporary;
  t.teardown(() => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  });
  t.throws(() => buildLiquibook(checkout), {
    message:
      `--liquibook is "${checkout}"; ` +
      'it must be a checkout of liquibook, but has no src/book/order_book.h',
  });
  mkdirSync(join(checkout, 'src/book'), { recursive: true });
  writeFileSync(join(checkout, 'src/book/order_book.h'), '');
  t.throws(() => buildLiquibook(checkout, 'no-such-compiler'), {
    message: "the compiler no-such-compiler can't run: spawnSync no-such-compiler ENOENT",
  });
  t.throws(() => buildLiquibook(checkout, 'false'), {
    message: 'false ended with 1 on liquibook:\n',
  });
  t.strictSame(readdirSync(temporary), []);
});

t.test('a program that ends is an error', async (t) => {
  const liquibook = new Liquibook('true');
  await t.rejects(liquibook.run([]), {
    message: 'the program of liquibook ended; its messages are above',
  });
  await liquibook.stop();
});
