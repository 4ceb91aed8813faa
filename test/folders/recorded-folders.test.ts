// Data folders that earlier programs recorded: each opens, shows what it showed, and verifies. The
// same folders with a version that no program has yet are refused, or used without the newer part.
import { globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import SqliteDatabase from 'better-sqlite3';
import t from 'tap';
import { CATALOG_VERSION } from '../../catalog/schema/migrations.ts';
import { RULES_VERSION } from '../../engine/model/rules.ts';
import { importFile } from '../../persistence/index.ts';
import { JournalReader } from '../../persistence/journal/reader.ts';
import { FORMAT_VERSION } from '../../persistence/journal/schema.ts';
import { PROJECTION_VERSION } from '../../persistence/projection/schema.ts';
import { isNewerVersion, PROGRAM_VERSION } from '../../persistence/shared/program-version.ts';
import { SNAPSHOT_VERSION } from '../../persistence/snapshots/file.ts';
import { listSnapshots } from '../../persistence/snapshots/folder.ts';
import { verifyFolder } from '../../persistence/tools/verify.ts';
import { runExchange } from '../../venue/program.ts';
import { TEST_SETTINGS } from '../default-settings.ts';
import { type Scope, temporaryFolder } from '../temporary-folder.ts';
import { ANSWERS, readAnswers } from './answers.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const RECORDED = readdirSync(HERE, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const NEWEST = RECORDED.toSorted((one, other) => formatOf(one) - formatOf(other)).at(-1) ?? '';
/** From this format on, snapshots have a new version whenever their parts change. */
const FIRST_EXACT = 6;
/** A program that does not exist yet. */
const LATER = '99.1.0';

/** The journal's format, in the name of a recorded folder. */
function formatOf(name: string): number {
  return Number(name.split('-')[1]);
}

/** A copy of a recorded folder as it was on its disk. */
function unpack(scope: Scope, name: string): string {
  const folder = join(temporaryFolder(scope), 'data');
  for (const file of globSync('**/*.gz', { cwd: join(HERE, name) })) {
    const path = join(folder, file.replace(/\.gz$/, ''));
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, gunzipSync(readFileSync(join(HERE, name, file))), { mode: 0o600 });
  }
  return folder;
}

function change(path: string, sql: string): void {
  const database = new SqliteDatabase(path);
  database.exec(sql);
  database.close();
}

function readValue(path: string, sql: string): unknown {
  const database = new SqliteDatabase(path, { readonly: true });
  const value = database.prepare(sql).pluck().get();
  database.close();
  return value;
}

const programOf = (folder: string) =>
  readValue(join(folder, 'journal.db'), "SELECT value FROM meta WHERE key = 'program_version'");

/** Starts an exchange on the folder at the time of its last command, and stops it. */
async function answersOf(dataDir: string): Promise<unknown> {
  const endMs = Number(readValue(join(dataDir, 'journal.db'), 'SELECT max(time_ms) FROM commands'));
  const settings = { port: 0, adminPort: 0, logLevel: 'silent', crowd: 'off' } as const;
  const running = await runExchange(
    { ...TEST_SETTINGS, ...settings, dataDir, devKeys: [], now: () => endMs },
    {
      catalog: [],
      onFatal: (error) => {
        throw error;
      },
    },
  );
  try {
    return await readAnswers(running.url);
  } finally {
    await running.close();
  }
}

function recordedAnswers(name: string): object {
  return JSON.parse(readFileSync(join(HERE, name, ANSWERS), 'utf8'));
}

t.test('a folder of the newest or the previous format is recorded', async (t) => {
  t.ok(formatOf(NEWEST) >= FORMAT_VERSION - 1, 'run record.ts before the format changes');
});

for (const name of RECORDED) {
  t.test(`the recorded folder ${name} opens and has everything`, async (t) => {
    const folder = unpack(t, name);
    t.match(await answersOf(folder), recordedAnswers(name));
    t.equal(programOf(folder), PROGRAM_VERSION, 'the folder names the program that opened it');
    // Before it, programs added numbers to snapshots without a new version.
    if (formatOf(name) < FIRST_EXACT) rmSync(join(folder, 'snapshots'), { recursive: true });
    const { findings } = await verifyFolder({ dataDir: folder });
    t.strictSame(findings, []);
  });
}

/** What a later program wrote, and the refusal of this one. */
const NEWER: readonly (readonly [what: string, file: string, sql: string, refusal: RegExp])[] = [
  [
    'journal format',
    'journal.db',
    `UPDATE meta SET value = '${FORMAT_VERSION + 1}' WHERE key = 'format_version'`,
    new RegExp(`format version ${FORMAT_VERSION + 1} and this program knows ${FORMAT_VERSION}: `),
  ],
  [
    'rules',
    'journal.db',
    `INSERT INTO rules VALUES (99999, ${RULES_VERSION + 1})`,
    new RegExp(`rules version ${RULES_VERSION + 1} and this program knows ${RULES_VERSION}: `),
  ],
  [
    'catalog',
    'catalog.db',
    `PRAGMA user_version = ${CATALOG_VERSION + 1}`,
    new RegExp(`catalog version ${CATALOG_VERSION + 1} and this program knows ${CATALOG_VERSION}`),
  ],
];

for (const [what, file, sql, refusal] of NEWER) {
  t.test(`a folder with a newer ${what} is refused with the program to start`, async (t) => {
    const folder = unpack(t, NEWEST);
    const note = `INSERT OR REPLACE INTO meta VALUES ('program_version', '${LATER}')`;
    change(join(folder, 'journal.db'), note);
    change(join(folder, file), sql);
    const code = file === 'journal.db' ? 'journal_newer' : 'catalog_newer';
    const start = new RegExp(`${refusal.source}.*start version ${LATER}, .* or a newer one`);
    await t.rejects(answersOf(folder), { code, message: start });
    t.equal(programOf(folder), LATER, 'an older program does not take its place');
    if (file === 'journal.db') {
      t.throws(() => new JournalReader(join(folder, file)), { code, message: start });
    } else {
      const empty = join(temporaryFolder(t), 'empty.json');
      writeFileSync(empty, '[]');
      const importing = { dataDir: folder, file: empty, onProgress: () => {} };
      t.throws(() => importFile(importing), { code, message: start });
    }
  });
}

t.test('a newer folder that names no program is refused with this version', async (t) => {
  const folder = unpack(t, NEWEST);
  change(join(folder, 'journal.db'), NEWER[0]?.[2] ?? '');
  const message = `this is version ${PROGRAM_VERSION} of the program: start the newer one`;
  await t.rejects(answersOf(folder), { code: 'journal_newer', message: new RegExp(message) });
});

t.test('newer analytics and snapshots are made again from the journal', async (t) => {
  const folder = unpack(t, NEWEST);
  const analytics = join(folder, 'analytics.db');
  change(analytics, `PRAGMA user_version = ${PROJECTION_VERSION + 1}; DELETE FROM trades`);
  for (const { path } of listSnapshots(join(folder, 'snapshots'))) {
    const text = readFileSync(path, 'latin1');
    const version = /"snapshotVersion":\d/;
    t.match(text, version);
    const newer = text.replace(version, `"snapshotVersion":${SNAPSHOT_VERSION + 1}`);
    writeFileSync(path, newer, 'latin1');
  }
  t.match(await answersOf(folder), recordedAnswers(NEWEST));
  t.equal(readValue(analytics, 'PRAGMA user_version'), PROJECTION_VERSION);
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
