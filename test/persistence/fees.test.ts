// A fee through the whole store: journal, replay, projection.
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import t from 'tap';
import { type Command, type CreateMarket, type Fill, lots } from '../../engine/index.ts';
import type { Applied, Exchange } from '../../persistence/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import {
  ALICE,
  BOB,
  counterOrder,
  createMarket,
  openAccount,
  openFor,
  order,
  orderIdOf,
  replayFolder,
  submitAll,
} from './store-fixture.ts';

const BUILDER = `0x${'bd'.repeat(32)}`;
const CAROL = `0x${'c3'.repeat(20)}`;

const COMMANDS: readonly Command[] = [
  // Safe: `createMarket` is a CreateMarket.
  { ...(createMarket as CreateMarket), takerFeeBps: 200, makerFeeBps: 50, feeExponent: 1 },
  ...[ALICE, BOB, CAROL].map((address) => openAccount(address)),
  {
    kind: 'set_builder',
    builder: BUILDER,
    account: CAROL,
    shareBps: 2_500,
    takerRateBps: 10,
    makerRateBps: 0,
  },
  order(1, { lots: lots(5_000) }),
  counterOrder(2, { lots: lots(2_000), builder: BUILDER }),
];

function fillOf(applied: Applied | undefined): Fill | undefined {
  return applied?.events.find((event) => event.kind === 'fill');
}

async function read({ reader }: Exchange) {
  return {
    trades: (await reader.trades({ offset: 0, limit: 10 })).records,
    orders: await reader.orders([1, 2].map(orderIdOf)),
  };
}

t.test('the fees of a fill are journaled, replayed and shown by reads', async (t) => {
  const dataDir = temporaryFolder(t);
  // Without a snapshot, the last start below replays the fills.
  const first = await openFor(t, dataDir, { snapshotPace: 'never' });
  const { fees } = fillOf((await submitAll(first, COMMANDS)).at(-1)) ?? {};
  t.ok(fees !== undefined && fees.makerMicros > 0, 'the maker pays a fee');
  t.ok(fees !== undefined && fees.takerBuilderMicros > 0);
  const shown = await read(first);
  t.match(shown.trades, [
    {
      feeMicros: fees?.takerMicros,
      builderFeeMicros: fees?.takerBuilderMicros,
      feeBps: 200,
      makers: [{ feeMicros: fees?.makerMicros, builderFeeMicros: 0, feeBps: 50 }],
    },
  ]);
  t.match(shown.orders, [{ feeMicros: fees?.makerMicros }, { feeMicros: fees?.takerMicros }]);
  const hash = first.stateHash();
  await first.close();

  t.equal((await replayFolder(dataDir)).stateHash, hash, 'a replay gives the same state');

  const journal = new SqliteDatabase(join(dataDir, 'journal.db'));
  journal.exec('UPDATE fills SET maker_fee_micros = maker_fee_micros + 10');
  journal.close();
  const message = /fill 0 has makerFeeMicros \d+ stored and \d+ replayed/;
  await t.rejects(openFor(t, dataDir), { code: 'replay_differs', message });
});
