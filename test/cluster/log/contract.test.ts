/** What each command log promises, tried on all of them. */
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import fc from 'fast-check';
import t from 'tap';
import { type CommandLog, LOG_START, type LogPosition } from '../../../cluster/log/index.ts';
import { BatchBuilder, type JournalBatch } from '../../../persistence/journal/batch.ts';
import { startJournal } from '../../../persistence/journal/host.ts';
import { type Scope, temporaryFolder } from '../../temporary-folder.ts';
import { OpenLog, startNodes, withoutEtcd } from './etcd-fixture.ts';
import { part } from './log-fixture.ts';

interface Opened {
  readonly log: Pick<CommandLog, 'append' | 'close'>;
  /** Payloads of all commands that are durable, as a reader finds them that was not there. */
  stored(): Promise<readonly string[]>;
}

interface Kind {
  readonly name: string;
  readonly skip: false | string;
  /** Opens an empty log, and afterwards the same one again. */
  prepare(scope: Scope): Promise<(onCommitted: (seq: number) => void) => Promise<Opened>>;
}

const SQLITE: Kind = {
  name: 'SQLite',
  skip: false,
  prepare: async (scope) => {
    const folder = temporaryFolder(scope);
    const path = join(folder, 'journal.db');
    const markPath = join(folder, 'durable.seq');
    const data = { path, markPath, temporary: false, delayMs: 0 };
    return async (committed) => {
      const { journal } = await startJournal(
        { ...data, funding: 'paper' },
        { committed, failed: () => undefined },
      );
      const stored = async () => {
        const database = new SqliteDatabase(path, { readonly: true });
        const select = database.prepare('SELECT payload FROM commands ORDER BY seq').pluck();
        const payloads = select.all().map(String);
        database.close();
        return payloads;
      };
      return {
        log: { append: (batch) => journal.append(batch), close: () => journal.close() },
        stored,
      };
    };
  },
};

const ETCD: Kind = {
  name: 'etcd',
  skip: withoutEtcd(),
  prepare: async (scope) => {
    const { urls } = await startNodes(scope);
    let known: LogPosition = LOG_START;
    return async (committed) => {
      const opened = await OpenLog.start(scope, {
        urls,
        onEvent: (event) => {
          if (event.kind === 'committed') committed(event.seq);
        },
      });
      await opened.claim();
      const reader = await OpenLog.start(scope, { urls, node: 'reader' });
      const stored = async () => {
        const payloads: string[] = [];
        for (known = LOG_START; ; ) {
          const page = await reader.log.entries(known);
          if (page.length === 0) return payloads;
          payloads.push(...page.flatMap((entry) => entry.payloads.map(String)));
          known = page.at(-1)!;
        }
      };
      return { log: opened.log, stored };
    };
  },
};

function batchOf(firstSeq: number, count: number): JournalBatch {
  const { timesMs, kinds, payloads } = part(firstSeq, count);
  return { ...new BatchBuilder(firstSeq).build(), timesMs, kinds, payloads };
}

for (const kind of [SQLITE, ETCD]) {
  const { name, skip } = kind;
  t.test(`${name}: entries commit in order, each whole, and stay`, { skip }, async (t) => {
    const open = await kind.prepare(t);
    let lastSeq = 0;
    const appended: string[] = [];
    const sizes = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 8 });
    const stays = fc.asyncProperty(sizes, async (counts) => {
      let report: (seq: number) => void = () => undefined;
      const { log, stored } = await open((seq) => report(seq));
      t.same(await stored(), appended, 'what was durable before is there');
      for (const count of counts) {
        const committed = new Promise<number>((resolve) => {
          report = resolve;
        });
        const batch = batchOf(lastSeq + 1, count);
        lastSeq += count;
        log.append(batch, []);
        t.equal(await committed, lastSeq);
        appended.push(...batch.payloads.map(String));
      }
      t.same(await stored(), appended, 'what was committed is there for others');
      await log.close();
    });
    await fc.assert(stays, { numRuns: 4, endOnFailure: true });
  });
}
