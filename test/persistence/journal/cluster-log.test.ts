// The journal of a node of a cluster is that of no exchange alone: both would go on differently.
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import t from 'tap';
import { micros, RULES_VERSION } from '../../../engine/index.ts';
import { logPlaceOf, prepareJournal, putLogPlace } from '../../../persistence/journal/schema.ts';
import { cutJournal } from '../../../persistence/tools/journal-cut.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { openFor } from '../store-fixture.ts';
import { durableOf, makeFolder } from './fixture.ts';

const PLACE = { logId: 'a-log', number: 7, check: '0'.repeat(32) };
const ACCOUNT = {
  kind: 'open_account',
  address: `0x${'1'.repeat(40)}`,
  owner: `0x${'1'.repeat(40)}`,
  wallet: 'eoa',
  paperMicros: micros(0),
} as const;

function placeIn(dataDir: string, change?: typeof PLACE) {
  const database = new SqliteDatabase(join(dataDir, 'journal.db'));
  try {
    if (change !== undefined) putLogPlace(database, change);
    return logPlaceOf(database);
  } finally {
    database.close();
  }
}

t.test('the folder of a node of a cluster does not open alone', async (t) => {
  const dataDir = temporaryFolder(t);
  await (await openFor(t, dataDir)).close();
  placeIn(dataDir, PLACE);
  const message = /of a node of a cluster and follows log a-log: start it with its --role/;
  await t.rejects(openFor(t, dataDir), { code: 'cluster_folder', message });
  t.strictSame(placeIn(dataDir), PLACE);
});

t.test('a journal that is cut has no place in the log any more', (t) => {
  const dataDir = makeFolder(t, { durable: durableOf([ACCOUNT]) });
  placeIn(dataDir, PLACE);
  cutJournal(dataDir, { seq: 1 });
  t.equal(placeIn(dataDir), undefined);
  t.end();
});

// A gateway with a newer program than its core noted its own rules, and those of the core after it.
t.test('the start of a node notes no rules: its commands bring those of the core', async (t) => {
  const older = RULES_VERSION - 1;
  for (const isOfNode of [false, true]) {
    const dataDir = makeFolder(t, { durable: durableOf([ACCOUNT]) });
    const database = new SqliteDatabase(join(dataDir, 'journal.db'));
    database.prepare('UPDATE rules SET version = ?').run(older);
    const terms = { funding: 'paper', isOfNode } as const;
    prepareJournal(database, terms, () => undefined);
    const rules = database.prepare('SELECT from_seq, version FROM rules').raw().all();
    database.close();
    t.strictSame(
      rules,
      isOfNode
        ? [[1, older]]
        : [
            [1, older],
            [2, RULES_VERSION],
          ],
    );
  }
});
