/** The bounds of the explorer's reads, and that each statement reads ranges of indexes. */
import SqliteDatabase from 'better-sqlite3';
import t, { type Test } from 'tap';
import type { Command } from '../../../../engine/index.ts';
import type { JournalReader } from '../../../../persistence/journal/reader.ts';
import { prepareProjection } from '../../../../persistence/projection/schema.ts';
import {
  EXPLORER_COMMAND_SQL,
  exploreCommand,
  exploreCommands,
} from '../../../../persistence/reads/explorer/commands.ts';
import {
  exploreHoldings,
  HOLDING_SQL,
} from '../../../../persistence/reads/explorer/holding-history.ts';
import {
  EXPLORER_ACCOUNT_SQL,
  EXPLORER_MARKET_SQL,
  ORDER_FILLS_SQL,
} from '../../../../persistence/reads/explorer/orders.ts';
import { ReadTables } from '../../../../persistence/reads/tables/read-tables.ts';
import { STORE_BOUNDS } from '../../../../persistence/shared/index.ts';

const OWNER = `0x${'ab'.repeat(20)}`;
const MINUTE_MS = 60_000;

function emptyTables(t: Test): ReadTables {
  const database = new SqliteDatabase(':memory:');
  t.teardown(() => database.close());
  prepareProjection(database);
  return new ReadTables(database);
}

/** A journal of `lastSeq` commands; those before `firstSeq` are in a missing archive. */
function journalOf(
  commandOf: (seq: number) => Command,
  { lastSeq, firstSeq = 1 }: { readonly lastSeq: number; readonly firstSeq?: number },
): JournalReader {
  const journal = {
    firstSeq,
    lastSeq,
    rulesAt: () => 1,
    fills: () => [],
    commands: (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => {
        const seq = from + index + 1;
        if (seq < firstSeq) throw new Error(`command ${seq} is not here`);
        const command = commandOf(seq);
        const row = { seq, timeMs: 0, kind: command.kind, evidence: undefined, checksum: 0 };
        return { ...row, command: () => command };
      }),
  };
  // Safe: the reads call nothing else of a journal.
  return journal as unknown as JournalReader;
}

function reached(tables: ReadTables, seq: number): void {
  tables.database.prepare('UPDATE progress SET seq = ?').run(seq);
}

const ADVANCE: Command = { kind: 'advance_time' };

t.test('a page looks at a bounded number of commands, and the next one goes on', async (t) => {
  const lastSeq = 2 * STORE_BOUNDS.exploredCommands + 100;
  const tables = emptyTables(t);
  reached(tables, lastSeq);
  const every = { conditionId: '', tokenId: '', step: { most: 1_000 } } as const;
  const cancel: Command = { kind: 'cancel_all', owner: OWNER, ...every };
  const journal = journalOf((seq) => (seq === 50 ? cancel : ADVANCE), { lastSeq: lastSeq + 9 });
  const pages: number[][] = [];
  let beforeSeq = Number.MAX_SAFE_INTEGER;
  for (let more = true; more; ) {
    const page = exploreCommands(tables, journal, { beforeSeq, limit: 10, address: OWNER });
    t.equal(page.lastSeq, lastSeq, 'commands that the tables do not have yet are not shown');
    pages.push([page.lookedToSeq, ...page.records.map(({ seq }) => seq)]);
    beforeSeq = page.lookedToSeq;
    more = page.more;
  }
  const { exploredCommands } = STORE_BOUNDS;
  t.strictSame(pages, [[exploredCommands + 101], [101], [1, 50]]);
});

t.test('fills count like commands', async (t) => {
  const { exploredCommands } = STORE_BOUNDS;
  const tables = emptyTables(t);
  reached(tables, 20);
  const plain = journalOf(() => ADVANCE, { lastSeq: 20 });
  const fills = (from: number, to: number) =>
    Array.from({ length: (to - from) * 1_000 }, (_, index) => [
      from + 1 + Math.floor(index / 1_000),
    ]);
  // Safe: without a filter, only the seq of a fill is read.
  const journal = { ...plain, fills } as unknown as JournalReader;
  const page = exploreCommands(tables, journal, { limit: 100 });
  const looked = Math.ceil(exploredCommands / 1_001);
  t.strictSame([page.records.length, page.more, page.lookedToSeq], [looked, true, 21 - looked]);
});

t.test('a page ends when its commands have many items', async (t) => {
  const tables = emptyTables(t);
  reached(tables, 20);
  const orderIds = Array.from({ length: 1_000 }, (_, index) => `0x${index}`);
  const journal = journalOf(() => ({ kind: 'cancel_orders', owner: OWNER, orderIds }), {
    lastSeq: 20,
  });
  const { records, more, lookedToSeq } = exploreCommands(tables, journal, { limit: 100 });
  t.equal(records.length, STORE_BOUNDS.exploredItems / 1_000);
  t.strictSame([more, lookedToSeq], [true, 16]);
});

t.test('commands in a missing archive are not in the range', async (t) => {
  const tables = emptyTables(t);
  reached(tables, 30);
  tables.database.exec("INSERT INTO effects VALUES (21, '[]')");
  const journal = journalOf(() => ADVANCE, { lastSeq: 30, firstSeq: 21 });
  const page = exploreCommands(tables, journal, { limit: 100 });
  t.match(page, { firstSeq: 21, lastSeq: 30, lookedToSeq: 21, more: false });
  t.equal(page.records.length, 10);
  t.match(exploreCommand(tables, journal, 20), { kind: 'none', firstSeq: 21, lastSeq: 30 });
  t.match(exploreCommand(tables, journal, 31), { kind: 'none' });
  t.match(exploreCommand(tables, journal, 21), { kind: 'command', seq: 21 });
});

t.test('an empty journal has no command', async (t) => {
  const tables = emptyTables(t);
  const journal = journalOf(() => ADVANCE, { lastSeq: 0 });
  const none = { firstSeq: 0, lastSeq: 0 };
  t.strictSame(exploreCommand(tables, journal, 1), { kind: 'none', ...none });
  t.match(exploreCommands(tables, journal, { limit: 5 }), { ...none, records: [], more: false });
});

t.test('a command shows its first effects and counts all', async (t) => {
  const tables = emptyTables(t);
  reached(tables, 1);
  const count = STORE_BOUNDS.exploredEffects + 3;
  const effect = { kind: 'market_closed', conditionId: OWNER };
  const events = JSON.stringify(Array.from({ length: count }, () => effect));
  tables.database.prepare('INSERT INTO effects VALUES (1, ?)').run(events);
  const shown = exploreCommand(
    tables,
    journalOf(() => ADVANCE, { lastSeq: 1 }),
    1,
  );
  if (shown.kind !== 'command') throw new Error('the command is there');
  t.strictSame([shown.effects.length, shown.effectCount], [STORE_BOUNDS.exploredEffects, count]);
  t.strictSame(shown.effects[0], effect);
});

t.test('a history with too many changes is refused', async (t) => {
  const tables = emptyTables(t);
  const { database } = tables;
  database.prepare("INSERT INTO owners VALUES (1, '0x0')").run();
  database.prepare('INSERT INTO accounts VALUES (1, ?, 1, 1)').run(OWNER);
  const insert = database.prepare('INSERT INTO holding_points VALUES (1, ?, ?, 1)');
  const [assets, minutes] = [40, 1_000];
  const fill = database.transaction(() => {
    for (let asset = 2; asset < 2 + assets; asset += 1) {
      for (let minute = 0; minute < minutes; minute += 1) insert.run(asset, minute);
    }
  });
  fill();
  const window = { account: OWNER, startMs: 0, endMs: (minutes - 1) * MINUTE_MS, limit: 2_000 };
  const fine = { ...window, stepMs: MINUTE_MS };
  t.throws(() => exploreHoldings(tables, fine), { code: 'search_too_wide' });
  const coarse = exploreHoldings(tables, { ...window, stepMs: 30 * MINUTE_MS });
  t.equal(coarse.stepCount, 34);
  // 20 markets, each with a lot of YES and of NO: 1 unit of collateral is 20,000 half micros.
  t.strictSame([...new Set(coarse.valueHalfMicros)], [400_000n]);
  const few = exploreHoldings(tables, { ...fine, limit: 999 });
  t.strictSame([few.stepCount, few.cashMicros], [1_000, []]);
});

t.test('statements read ranges of indexes and sort nothing', async (t) => {
  const { database } = emptyTables(t);
  const { assets, ...lookups } = HOLDING_SQL;
  const { lastSeq: _, ...commands } = EXPLORER_COMMAND_SQL;
  const groups = [lookups, commands, EXPLORER_ACCOUNT_SQL, EXPLORER_MARKET_SQL, [ORDER_FILLS_SQL]];
  const wrong = [assets, ...groups.flatMap((group) => Object.values<string>(group))].flatMap(
    (sql) => {
      const steps = database
        .prepare<[], { detail: string }>(
          `EXPLAIN QUERY PLAN ${sql.replaceAll('?', '1').replaceAll(/@\w+/g, '1')}`,
        )
        .all()
        .map(({ detail }) => detail);
      // The recursive query walks over what it has found itself.
      const tables = steps.filter((step) => !/^SCAN found$/.test(step));
      const isNarrow = tables.every((step) => !/SCAN (?!found)|TEMP B-TREE|AUTOMATIC/.test(step));
      return isNarrow && tables.some((step) => step.startsWith('SEARCH')) ? [] : [{ sql, steps }];
    },
  );
  t.strictSame(wrong, []);
});
