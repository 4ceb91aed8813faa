// Idempotency keys that the engine has forgotten. History: all keys stayed in memory, up to a bound
// for everybody, after which nobody could split or merge ever again.
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import t from 'tap';
import { BOUNDS, type Command, lots } from '../../../engine/index.ts';
import type { Exchange } from '../../../persistence/index.ts';
import { verifyFolder } from '../../../persistence/tools/index.ts';
import { cutJournal } from '../../../persistence/tools/journal-cut.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { ALICE, CONDITION, createMarket, openAccount, openFor } from '../store-fixture.ts';

type Split = Extract<Command, { kind: 'split' }>;

function split(key: string, size = 1): Split {
  const conditionId = CONDITION;
  return { kind: 'split', account: ALICE, owner: ALICE, conditionId, lots: lots(size), key };
}

/** What the program does with a split. */
async function submit(exchange: Exchange, command: Split) {
  const { owner, key } = command;
  const { events } = await exchange.submit({
    ...command,
    ...(await exchange.lookUpKey({ owner, key })),
  });
  return events;
}

/** Splits and merges in turn, so that no amount of cash limits the number of keys. */
async function useKeys(exchange: Exchange, count: number): Promise<void> {
  for (let first = 0; first < count; first += 4_096) {
    const found = await exchange.lookUpKey({ owner: ALICE, key: 'none' });
    const size = Math.min(4_096, count - first);
    await Promise.all(
      Array.from({ length: size }, (_, index) => {
        const command = { ...split(`key-${first + index}`), ...found };
        return exchange.submit(index % 2 === 0 ? command : { ...command, kind: 'merge' });
      }),
    );
  }
}

t.test('a key moves money once, however many keys came after it', async (t) => {
  const dataDir = temporaryFolder(t);
  const exchange = await openFor(t, dataDir);
  await exchange.submit(createMarket);
  await exchange.submit(openAccount(ALICE));
  t.same(await exchange.lookUpKey({ owner: ALICE, key: 'first' }), {}, 'nothing is forgotten');
  t.match(await submit(exchange, split('first')), [{ kind: 'sets_moved' }]);
  await useKeys(exchange, 2 * BOUNDS.rememberedMoneyKeys + 2);

  const [stale] = (await exchange.submit(split('first'))).events;
  t.match(stale, { kind: 'rejected', code: 'money_key_unchecked' }, 'the engine has forgotten it');
  const known = [{ kind: 'known', command: 'split', amountMicros: -10_000, yesLots: 1 }];
  t.match(await submit(exchange, split('first')), known);
  t.match(await submit(exchange, split('first', 2)), [{ code: 'money_key_reused' }]);
  t.match(await submit(exchange, split('last')), [{ kind: 'sets_moved' }, {}]);
  const hash = exchange.stateHash();
  await exchange.close();

  const again = await openFor(t, dataDir);
  t.equal(again.stateHash(), hash, 'a start from a snapshot remembers the same keys');
  t.match(await submit(again, split('first')), known);
  t.match(await submit(again, split('last')), [{ kind: 'known' }]);
  await again.close();

  t.strictSame((await verifyFolder({ dataDir })).findings, []);
  cutJournal(dataDir, { seq: 2 * BOUNDS.rememberedMoneyKeys });
  const { findings } = await verifyFolder({ dataDir });
  const ofKeys = findings.filter(({ kind }) => kind === 'money_keys');
  t.strictSame(ofKeys, [], 'a journal that is cut has the keys that had left by then');
  const journal = new SqliteDatabase(join(dataDir, 'journal.db'));
  journal.exec("DELETE FROM money_keys WHERE name LIKE '% first'");
  journal.close();
  const { findings: later } = await verifyFolder({ dataDir });
  const missing = /the idempotency key first is missing from money_keys/;
  t.match(
    later.find(({ kind }) => kind === 'money_keys'),
    { sentence: missing },
  );
});
