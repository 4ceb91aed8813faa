// Where `prepare` puts a plus so that SQLite plans a statement once, and that results stay right.

import SqliteDatabase from 'better-sqlite3';
import t from 'tap';
import { openPlanStableDatabase, planStableSql } from '../../../persistence/shared/databases.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

for (const [sql, expected] of [
  ['SELECT a FROM t WHERE a = ?', 'SELECT a FROM t WHERE a = +?'],
  ['a >= @from AND a <@to', 'a >= +@from AND a <+@to'],
  ['ORDER BY a LIMIT ? OFFSET ?', 'ORDER BY a LIMIT +? OFFSET ?'],
  ['ORDER BY a LIMIT\n@limit', 'ORDER BY a LIMIT\n+@limit'],
  ['a LIMIT 5', 'a LIMIT 5'],
  ['a = b AND limits = 1 AND c IN (?)', 'a = b AND limits = 1 AND c IN (?)'],
] as const) {
  t.test(`${sql.replace('\n', ' ')} is planned once`, async (t) => {
    t.equal(planStableSql(sql), expected);
    t.equal(planStableSql(expected), expected, 'no second plus is added');
  });
}

t.test('a statement has the right result after other values were bound to it', async (t) => {
  const path = `${temporaryFolder(t)}/some.db`;
  const made = new SqliteDatabase(path);
  made.exec('CREATE TABLE t (a INTEGER PRIMARY KEY)');
  made.exec('INSERT INTO t SELECT value FROM json_each(json_array(1, 2, 3, 4, 5))');
  made.close();
  const database = openPlanStableDatabase({ path, readonly: true });
  t.teardown(() => database.close());
  const sql = 'SELECT a FROM t WHERE a > ? ORDER BY a LIMIT ? OFFSET ?';
  const statement = database.prepare<[number, number, number], number>(sql).pluck();
  t.strictSame(statement.all(1, 2, 0), [2, 3]);
  t.strictSame(statement.all(0, -1, 1), [2, 3, 4, 5]);
  t.strictSame(statement.all(2, 1, 1), [4]);
  t.strictSame(statement.all(0, 0, 0), []);
});
