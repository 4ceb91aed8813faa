// The format of journals: the checksum of a row, what a newer version is refused with, and how an
// older one is migrated, with a migration that no program has.
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import t from 'tap';
import {
  checkReadable,
  commandChecksum,
  JOURNAL_FORMAT,
  prepareJournal,
} from '../../../persistence/journal/schema.ts';
import { isNewerVersion, PROGRAM_VERSION } from '../../../persistence/shared/format-version.ts';
import type { Scope } from '../../temporary-folder.ts';
import { openBeside, openFor, order, WORLD } from '../store-fixture.ts';
import { journalOf, makeClosedFolder, makeFolder } from './fixture.ts';

t.test('the checksum of a command is the CRC-32 of its columns joined by |', async (t) => {
  const unit = fc.string({ unit: 'grapheme' });
  fc.assert(
    fc.property(fc.nat(), fc.nat(), unit, unit, fc.nat(), (seq, timeMs, kind, payload, digest) => {
      const row = { seq, timeMs, kind, payload, digest };
      const whole = crc32(`${seq}|${timeMs}|${kind}|1|${digest}|${payload}`);
      t.equal(commandChecksum({ ...row, endsBatch: true }), whole);
      const packed = { ...row, payload: Buffer.from(payload), endsBatch: true };
      t.equal(commandChecksum(packed), whole, 'also of a packed payload');
      const within = crc32(`${seq}|${timeMs}|${kind}|0||${payload}`);
      t.equal(commandChecksum({ ...row, endsBatch: false, digest: null }), within);
    }),
    { numRuns: 200 },
  );
});

/** The format of a program that adds a column and a table. */
const NEXT = {
  ...JOURNAL_FORMAT,
  migrations: [
    `ALTER TABLE commands ADD COLUMN source TEXT NOT NULL DEFAULT 'unknown';
     CREATE TABLE sources (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
     INSERT INTO sources VALUES ('unknown');`,
  ],
};

/** What a migration keeps, and what it adds. */
function contentsOf(scope: Scope, path: string) {
  const database = openBeside(scope, path);
  const all = (sql: string) => database.prepare(sql).raw().all();
  return {
    version: database.pragma('user_version', { simple: true }),
    tables: all("SELECT name, sql FROM sqlite_schema WHERE type = 'table' ORDER BY name"),
    commands: all('SELECT seq, payload, checksum FROM commands'),
  };
}

function prepare(scope: Scope, path: string, format = JOURNAL_FORMAT, checkEnd = () => {}): void {
  const database = openBeside(scope, path);
  prepareJournal(database, { funding: 'paper' }, checkEnd, format);
  database.close();
}

t.test('a migration runs once, keeps every row, and a new journal has its tables', async (t) => {
  const path = journalOf(makeClosedFolder(t, [...WORLD, order(1)]));
  const before = contentsOf(t, path);
  t.equal(before.version, 1);
  prepare(t, path, NEXT);
  const migrated = contentsOf(t, path);
  t.equal(migrated.version, 2);
  t.strictSame(migrated.commands, before.commands);
  const sources = openBeside(t, path).prepare('SELECT source FROM commands WHERE seq = 1');
  t.equal(sources.pluck().get(), 'unknown');
  prepare(t, path, NEXT);
  t.strictSame(contentsOf(t, path), migrated, 'a second start changes nothing');
  const empty = journalOf(makeFolder(t, { durable: [] }));
  prepare(t, empty, NEXT);
  t.strictSame(contentsOf(t, empty).tables, migrated.tables);
});

t.test('a journal whose start is refused is not migrated', async (t) => {
  const path = journalOf(makeClosedFolder(t, WORLD));
  const before = contentsOf(t, path);
  const lost = () => {
    throw new Error('it lost its end');
  };
  t.throws(() => prepare(t, path, NEXT, lost), /it lost its end/);
  t.strictSame(contentsOf(t, path), before);
});

t.test('a reader refuses a journal that is not migrated yet', async (t) => {
  const database = openBeside(t, journalOf(makeClosedFolder(t, WORLD)));
  checkReadable(database);
  const message =
    'the journal has format version 1, and this program reads version 2: ' +
    'start the exchange on its folder once, which migrates the journal';
  t.throws(() => checkReadable(database, NEXT), { code: 'journal_older', message });
});

t.test('a program refuses the folder of a newer one, and names the one to start', async (t) => {
  const dataDir = makeClosedFolder(t, [...WORLD, order(1)]);
  const path = journalOf(dataDir);
  prepare(t, path, NEXT);
  const migrated = contentsOf(t, path);
  const refusal = 'the journal has format version 2 and this program knows 1: ';
  const unnamed = `this is version ${PROGRAM_VERSION} of the program: start the newer one`;
  const code = 'journal_newer';
  await t.rejects(openFor(t, dataDir), { code, message: new RegExp(refusal + unnamed) });
  openBeside(t, path).exec("UPDATE meta SET value = '99.1.0' WHERE key = 'program_version'");
  const named = /start version 99\.1\.0, which opened the folder before, or a newer one/;
  await t.rejects(openFor(t, dataDir), { code, message: named });
  t.throws(() => checkReadable(openBeside(t, path)), { code, message: named });
  t.strictSame(contentsOf(t, path), migrated, 'nothing is changed');
});

t.test('an older program does not take the place of the newest one', async (t) => {
  const path = journalOf(makeClosedFolder(t, WORLD));
  const program = openBeside(t, path).prepare(
    "SELECT value FROM meta WHERE key = 'program_version'",
  );
  t.equal(program.pluck().get(), PROGRAM_VERSION);
  openBeside(t, path).exec("UPDATE meta SET value = '99.1.0' WHERE key = 'program_version'");
  prepare(t, path);
  t.equal(program.pluck().get(), '99.1.0');
});

t.test('versions are compared by number', async (t) => {
  for (const [one, other, isNewer] of [
    ['0.2.0', '0.1.9', true],
    ['0.10.0', '0.9.0', true],
    ['1.0.0', '0.99.99', true],
    ['0.1.0', '0.1.0', false],
    ['0.1.9', '0.2.0', false],
    ['0.9.0', '0.10.0', false],
    ['0.1.0-rc.1', '0.1.0', false],
  ] as const) {
    t.equal(isNewerVersion(one, other), isNewer, `${one} and ${other}`);
  }
});
