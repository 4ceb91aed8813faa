import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import t from 'tap';
import { Engine, FEE_ACCOUNT, RULES_VERSION, stateHash } from '../../../engine/index.ts';
import type { DurableCommand } from '../../../persistence/index.ts';
import { JournalReader, type RulesBorder } from '../../../persistence/journal/reader.ts';
import { commandChecksum } from '../../../persistence/journal/schema.ts';
import { jsonPayload } from '../../../persistence/rows/index.ts';
import { type Scope, temporaryFolder } from '../../temporary-folder.ts';
import { valuesPayload } from '../rows/values-payload.ts';
import {
  counterOrder,
  openAccount,
  openBeside,
  openFor,
  order,
  orderIdOf,
  replayFolder,
  submitAll,
  WORLD,
} from '../store-fixture.ts';
import { makeClosedFolder, makeFolder } from './fixture.ts';

/** The parts in which the tables of old programs differ. */
interface OldTables {
  readonly fees: string;
  readonly others: string;
}

function tablesWith({ fees, others }: OldTables): string {
  return `
CREATE TABLE commands (
  seq INTEGER PRIMARY KEY,
  time_ms INTEGER NOT NULL,
  kind TEXT NOT NULL,
  payload TEXT NOT NULL,
  checksum INTEGER NOT NULL
) STRICT;

CREATE TABLE fills (
  seq INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  bucket INTEGER NOT NULL,
  match TEXT NOT NULL,
  condition_id BLOB NOT NULL,
  taker_order_id BLOB NOT NULL,
  maker_order_id BLOB NOT NULL,
  taker_account BLOB NOT NULL,
  maker_account BLOB NOT NULL,
  taker_outcome INTEGER NOT NULL,
  taker_side TEXT NOT NULL,
  maker_outcome INTEGER NOT NULL,
  maker_side TEXT NOT NULL,
  taker_price_ticks INTEGER NOT NULL,
  maker_price_ticks INTEGER NOT NULL,
  lots INTEGER NOT NULL,
  ${fees}
  PRIMARY KEY (seq, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE order_ids (
  order_id BLOB PRIMARY KEY,
  seq INTEGER NOT NULL,
  type TEXT NOT NULL,
  post_only INTEGER NOT NULL,
  expires_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

${others}
CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;
}

const SNAPSHOTS_1 = `
CREATE TABLE snapshots (
  seq INTEGER PRIMARY KEY,
  format INTEGER NOT NULL,
  state BLOB NOT NULL,
  checksum INTEGER NOT NULL
) STRICT;
`;

const ARCHIVES_3 = `
CREATE TABLE rules (
  from_seq INTEGER PRIMARY KEY,
  version INTEGER NOT NULL
) STRICT;

CREATE TABLE archives (
  last_seq INTEGER PRIMARY KEY,
  first_seq INTEGER NOT NULL,
  last_checksum INTEGER NOT NULL,
  commands_checksum INTEGER NOT NULL,
  fill_count INTEGER NOT NULL
) STRICT;
`;

const NEW_ORDER_IDS_4 = `
CREATE TABLE new_order_ids (
  first_seq INTEGER PRIMARY KEY,
  packed BLOB NOT NULL
) STRICT;
`;

const MONEY_KEYS_6 = `
CREATE TABLE money_keys (
  name TEXT PRIMARY KEY,
  seq INTEGER NOT NULL,
  record TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;

const FEES_2 = `
  taker_fee_micros INTEGER NOT NULL DEFAULT 0,
  maker_fee_micros INTEGER NOT NULL DEFAULT 0,
  taker_builder_micros INTEGER NOT NULL DEFAULT 0,
  maker_builder_micros INTEGER NOT NULL DEFAULT 0,
  taker_fee_bps INTEGER NOT NULL DEFAULT 0,
  maker_fee_bps INTEGER NOT NULL DEFAULT 0,`;

interface OldProgram {
  readonly format: 1 | 2 | 3 | 4 | 5 | 6;
  readonly rules: number;
  readonly tables: string;
  readonly fillColumns: number;
}

const TABLES_1 = tablesWith({ fees: '', others: SNAPSHOTS_1 });
const OLD_PROGRAMS: readonly OldProgram[] = [
  { format: 1, rules: 1, tables: TABLES_1, fillColumns: 16 },
  { format: 1, rules: 3, tables: TABLES_1, fillColumns: 16 },
  {
    format: 2,
    rules: 4,
    tables: tablesWith({ fees: FEES_2, others: SNAPSHOTS_1 }),
    fillColumns: 22,
  },
  {
    format: 3,
    rules: 4,
    tables: tablesWith({ fees: FEES_2, others: ARCHIVES_3 }),
    fillColumns: 22,
  },
  {
    format: 4,
    rules: 4,
    tables: tablesWith({ fees: FEES_2, others: ARCHIVES_3 + NEW_ORDER_IDS_4 }),
    fillColumns: 22,
  },
  {
    format: 5,
    rules: 4,
    tables: tablesWith({ fees: FEES_2, others: ARCHIVES_3 + NEW_ORDER_IDS_4 }),
    fillColumns: 22,
  },
  {
    format: 6,
    rules: 7,
    tables: tablesWith({ fees: FEES_2, others: ARCHIVES_3 + NEW_ORDER_IDS_4 + MONEY_KEYS_6 }),
    fillColumns: 22,
  },
];

interface Column {
  readonly name: string;
}

/** The definitions of a table's columns. */
function columnsOf(scope: Scope, dataDir: string, table: string): Column[] {
  return openBeside(scope, join(dataDir, 'journal.db'))
    .prepare<[], Column>(`PRAGMA table_xinfo(${table})`)
    .all();
}

const TABLES = [
  ...[
    'commands',
    'fills',
    'rules',
    'order_ids',
    'new_order_ids',
    'money_keys',
    'content_records',
    'archives',
    'meta',
  ],
];

/** The names of the tables, sorted. */
function tablesOf(scope: Scope, dataDir: string): unknown[] {
  return openBeside(scope, join(dataDir, 'journal.db'))
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .pluck()
    .all();
}

function metaKeysOf(scope: Scope, dataDir: string): unknown[] {
  return openBeside(scope, join(dataDir, 'journal.db'))
    .prepare('SELECT key FROM meta ORDER BY key')
    .pluck()
    .all();
}

function formatOf(scope: Scope, dataDir: string): unknown {
  return openBeside(scope, join(dataDir, 'journal.db'))
    .prepare("SELECT value FROM meta WHERE key = 'format_version'")
    .pluck()
    .get();
}

/** Rewrites payloads and checksums as a program of this format wrote them. */
function rewrite(old: Database, format: number, durable: readonly DurableCommand[]): void {
  const update = old.prepare('UPDATE commands SET payload = ?, checksum = ? WHERE seq = ?');
  for (const { seq, timeMs, command } of durable) {
    const { kind } = command;
    const payload = (format < 5 ? jsonPayload : valuesPayload)(command, undefined);
    update.run(payload, commandChecksum({ seq, timeMs, kind, payload, endsBatch: true }), seq);
  }
}

/** Replaces a journal by one with the same rows and the tables of an old program. */
function makeOld(dataDir: string, program: OldProgram, durable: readonly DurableCommand[]): void {
  const path = join(dataDir, 'journal.db');
  const old = new SqliteDatabase(`${path}.old`);
  old.exec(program.tables);
  old.prepare('ATTACH ? AS new').run(path);
  for (const table of ['commands', 'fills', 'order_ids', 'meta']) {
    const columns = old
      .prepare<[], Column>(`PRAGMA main.table_info(${table})`)
      .all()
      .map(({ name }) => name);
    old.exec(`INSERT INTO ${table} SELECT ${columns.join(', ')} FROM new.${table}`);
  }
  rewrite(old, program.format, durable);
  old.exec(`
    UPDATE meta SET value = '${program.format}' WHERE key = 'format_version';
    ${
      program.format < 3
        ? `INSERT INTO meta VALUES ('rules_version', '${program.rules}');`
        : `INSERT INTO rules VALUES (1, ${program.rules});`
    }
  `);
  old.close();
  for (const ending of ['', '-wal', '-shm']) rmSync(`${path}${ending}`, { force: true });
  renameSync(`${path}.old`, path);
}

const CAROL = `0x${'c3'.repeat(20)}`;

interface OldFolder {
  readonly dataDir: string;
  readonly hash: string;
}

/** Commands under old rules. Rules before 4 allow an account at the fee account's address. */
function oldLife(rules: number) {
  const engine = new Engine();
  engine.rules = rules;
  const commands = [
    ...WORLD,
    order(1),
    counterOrder(2),
    order(3),
    counterOrder(4),
    openAccount(rules < 4 ? FEE_ACCOUNT : CAROL),
  ];
  const durable = commands.map((command, index): DurableCommand => {
    const events = engine.applyNamed(index + 1, 1_000 + index, command);
    return { seq: index + 1, timeMs: 1_000 + index, command, events };
  });
  return { durable, hash: stateHash(engine.state()) };
}

/** A data folder whose journal an old program made; it has trades. */
function oldFolder(scope: Scope, program: OldProgram): OldFolder {
  const { durable, hash } = oldLife(program.rules);
  const dataDir = makeFolder(scope, { durable, rules: program.rules });
  rmSync(join(dataDir, 'analytics.db'));
  makeOld(dataDir, program, durable);
  return { dataDir, hash };
}

function rulesOf(dataDir: string): RulesBorder[] {
  const journal = new JournalReader(join(dataDir, 'journal.db'));
  const borders = journal.rulesBorders();
  journal.close();
  return borders;
}

/** A folder that this program made. */
const newDir = temporaryFolder(t);
await (await openFor(t, newDir)).close();

for (const program of OLD_PROGRAMS) {
  const { format, rules } = program;
  const name = `of format ${format} and rules ${rules}`;

  t.test(`a journal ${name} is migrated to the new format, and replays as it ran`, async (t) => {
    const { dataDir, hash } = oldFolder(t, program);
    t.equal(columnsOf(t, dataDir, 'fills').length, program.fillColumns);
    const migrated = await openFor(t, dataDir);
    t.equal(migrated.stateHash(), hash);
    t.match(await migrated.reader.order(orderIdOf(1)), { status: 'matched' }, 'reads work');
    t.match(await migrated.audit(), { ok: true }, 'audits work');
    const { events } = await migrated.submit(openAccount(FEE_ACCOUNT, 7));
    t.match(
      events,
      [{ kind: 'rejected', code: 'address_reserved' }],
      'new commands run under the new rules',
    );
    await submitAll(migrated, [order(5), counterOrder(6)]);
    const traded = migrated.stateHash();
    await migrated.close();

    for (const table of TABLES) {
      t.strictSame(columnsOf(t, dataDir, table), columnsOf(t, newDir, table));
    }
    t.strictSame(tablesOf(t, dataDir), [...TABLES].sort());
    t.strictSame(tablesOf(t, newDir), [...TABLES].sort());
    t.strictSame(metaKeysOf(t, dataDir), metaKeysOf(t, newDir));
    t.equal(formatOf(t, dataDir), '7', 'older programs refuse this format');
    t.same(
      rulesOf(dataDir),
      [
        { fromSeq: 1, version: rules },
        { fromSeq: 9, version: RULES_VERSION },
      ],
      'commands before the migration keep the old rules',
    );
    const fees = openBeside(t, join(dataDir, 'journal.db')).prepare(
      'SELECT seq, taker_fee_micros, maker_fee_micros, taker_builder_micros, ' +
        'maker_builder_micros, taker_fee_bps, maker_fee_bps FROM fills ORDER BY seq',
    );
    t.strictSame(
      fees.raw().all(),
      [5, 7, 10].map((seq) => [seq, 0, 0, 0, 0, 0, 0]),
      'old fills cost nothing',
    );
    t.equal((await replayFolder(dataDir)).stateHash, traded, 'both parts replay as they ran');
  });

  t.test(`a journal ${name} that is refused is not migrated`, async (t) => {
    const { dataDir } = oldFolder(t, program);
    writeFileSync(join(dataDir, 'durable.seq'), '10');
    await t.rejects(openFor(t, dataDir), { code: 'journal_behind' });
    t.equal(formatOf(t, dataDir), String(format));
    t.equal(columnsOf(t, dataDir, 'fills').length, program.fillColumns);
    t.throws(() => rulesOf(dataDir), {
      code: 'journal_older',
      message: /start the exchange on its folder once/,
    });
  });
}

t.test('rules that no command ran under are replaced by newer rules', async (t) => {
  const dataDir = makeClosedFolder(t, []);
  const database = openBeside(t, join(dataDir, 'journal.db'));
  database.exec('UPDATE rules SET version = 2');
  database.close();
  await (await openFor(t, dataDir)).close();
  t.same(rulesOf(dataDir), [{ fromSeq: 1, version: RULES_VERSION }]);
});
