/** As an operator runs them, `import` stores all or nothing, and `sync` continues. */
import {
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import t, { type Test } from 'tap';
import { eventRecord } from './catalog/fixture.ts';
import { startTestExchange } from './http/exchange-fixture.ts';
import { ProgramProcess, runProgram } from './program-process.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { runToolHere } from './tool-here.ts';

type Row = Readonly<Record<string, unknown>>;

/** The stored records. A reader sees only committed ones. */
function stored(dataDir: string, sql: string): readonly unknown[] {
  const path = join(dataDir, 'catalog.db');
  if (!existsSync(path)) return [];
  const database = new SqliteDatabase(path, { readonly: true });
  try {
    return database.prepare(sql).pluck().all();
  } finally {
    database.close();
  }
}

function fileOf(t: Test, records: readonly Row[]): string {
  const file = join(temporaryFolder(t), 'catalog.ndjson');
  writeFileSync(file, records.map((record) => JSON.stringify(record)).join('\n'));
  return file;
}

function eventIds(dataDir: string) {
  return stored(dataDir, 'SELECT id FROM events ORDER BY id');
}
function numbers(count: number) {
  return Array.from({ length: count }, (_, index) => index + 1);
}

t.test('a file with one invalid record changes nothing, and the record is named', async (t) => {
  const dataDir = join(temporaryFolder(t), 'data');
  const records = numbers(5).map((number) => eventRecord(number));
  const file = fileOf(t, [...records, eventRecord(6, { title: 7 })]);
  const refused = await runToolHere(['import', file, '--data', dataDir]);
  t.equal(refused.ok, false);
  t.match(refused.text, /^NOTHING of .* was imported: 1 refused/);
  t.match(refused.text, /events: 5 added, 0 updated, 0 unchanged, 1 refused/);
  t.match(
    refused.text,
    /Refused: events 6: title must be a text of 1 to 1000 characters, but is 7\./,
  );
  t.strictSame(eventIds(dataDir), []);
});

/** Waits until a process has read `bytes` of a file that it has open. */
async function untilRead(pid: number | undefined, file: string, bytes: number): Promise<void> {
  const process = `/proc/${pid}`;
  const placeOf = (name: string): number => {
    try {
      if (readlinkSync(`${process}/fd/${name}`, 'utf8') !== file) return 0;
      const [, place] =
        /^pos:\s*(\d+)/.exec(readFileSync(`${process}/fdinfo/${name}`, 'utf8')) ?? [];
      return Number(place);
    } catch {
      // It was closed in between.
      return 0;
    }
  };
  const endMs = Date.now() + 60_000;
  while (!readdirSync(`${process}/fd`).some((name) => placeOf(name) >= bytes)) {
    if (Date.now() > endMs) throw new Error(`the process never stood in the middle of ${file}`);
    await new Promise((done) => setTimeout(done, 1));
  }
}

t.test('an import that was killed left nothing and can be repeated', async (t) => {
  const dataDir = join(temporaryFolder(t), 'data');
  const count = 900;
  const words = 'of many words '.repeat(3_000);
  const records = numbers(count).map((number) => eventRecord(number, { description: words }));
  const file = fileOf(t, records);
  const killed = new ProgramProcess(t, ['import', file, '--data', dataDir]);
  await untilRead(killed.pid, file, statSync(file).size / 4);
  await killed.kill();
  t.strictSame(eventIds(dataDir), []);
  t.strictSame(stored(dataDir, 'PRAGMA user_version'), [1], 'it had begun');
  const again = await runProgram(t, ['import', file, '--data', dataDir, '--json']);
  t.equal(again.code, 0, again.stderr);
  t.match(JSON.parse(again.stdout), { refused: 0, counts: { events: { added: count } } });
  t.equal(eventIds(dataDir).length, count);
  t.strictSame(stored(dataDir, 'PRAGMA integrity_check'), ['ok']);
});

interface Gate {
  readonly url: string;
  readonly asked: string[];
  /** Resolves when the first request that is held has arrived. */
  readonly held: Promise<void>;
  open(): void;
}

/** Forwards requests to a source. Those that `holds` selects get no answer until it is opened. */
async function startGate(t: Test, source: string, holds: (path: string) => boolean): Promise<Gate> {
  const asked: string[] = [];
  const held = Promise.withResolvers<void>();
  let isOpen = false;
  const server = createServer(async ({ url = '' }, response) => {
    if (!isOpen && holds(url)) {
      held.resolve();
      return;
    }
    asked.push(url);
    const answer = await fetch(source + url);
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(await answer.text());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  // Safe: it listens on a port.
  const { port } = server.address() as AddressInfo;
  const open = (): void => {
    isOpen = true;
  };
  return { url: `http://127.0.0.1:${port}`, asked, held: held.promise, open };
}

t.test('a sync that was killed continues where it stopped', async (t) => {
  const source = await startTestExchange(t);
  const { write } = source.running.services.exchange.catalog;
  const parent = { type: 'Event', id: 11 } as const;
  const now = { nowIso: '2027-01-01T00:00:00Z', sinceIso: '2027-01-01T00:00:00Z' };
  const userAddress = `0x${'ad'.repeat(20)}`;
  await write.comment({ parent, userAddress, body: 'Written there', key: '', ...now });
  const gate = await startGate(t, source.running.url, (path) => path.startsWith('/markets'));
  const dataDir = join(temporaryFolder(t), 'data');
  const words = ['sync', '--from', gate.url, '--data', dataDir, '--json'];
  const killed = new ProgramProcess(t, words);
  await gate.held;
  await killed.kill();
  const before = eventIds(dataDir);
  const events = (await (await fetch(`${source.running.url}/events?limit=100`)).json()) as Row[];
  t.strictSame(
    before,
    events.map(({ id }) => Number(id)),
    'the events that came before are stored',
  );
  t.strictSame(stored(dataDir, 'SELECT count(*) FROM comments'), [0]);
  gate.open();
  gate.asked.length = 0;
  const resumed = await runProgram(t, words);
  t.equal(resumed.code, 0, resumed.stderr);
  const report = JSON.parse(resumed.stdout);
  t.match(report, { refused: 0, counts: { events: { added: 0 } } });
  t.notOk(
    gate.asked.some((path) => path.startsWith('/events?') && path.includes('order=id')),
    'events are not read from their beginning',
  );
  t.strictSame(stored(dataDir, "SELECT body FROM comments WHERE body = 'Written there'"), [
    'Written there',
  ]);
  const markets = events.flatMap((event) => event.markets as Row[]);
  const conditionIds = stored(dataDir, 'SELECT condition_id FROM markets ORDER BY id');
  t.strictSame(
    conditionIds,
    markets.toSorted((a, b) => Number(a.id) - Number(b.id)).map(({ conditionId }) => conditionId),
  );
  t.strictSame(stored(dataDir, 'PRAGMA foreign_key_check'), []);
});
