/** docs/bounds.md names every bound of the engine, and tests that exist. */
import { existsSync, readFileSync } from 'node:fs';
import t from 'tap';
import { BOUNDS } from '../../engine/index.ts';

const TABLE = readFileSync(new URL('../../docs/bounds.md', import.meta.url), 'utf8');

t.test('the table names every bound of the engine', async (t) => {
  const missing = Object.keys(BOUNDS).filter((name) => !TABLE.includes(`\`${name}\``));
  t.strictSame(missing, [], 'add a row: who pays, how it empties, what is left for others');
});

t.test('each row of the table says its memory and names a test that exists', async (t) => {
  const rows = TABLE.split('\n').filter(
    (line) => line.startsWith('| ') && line.split('|').length === 8,
  );
  const resources = rows.filter((row) => !row.startsWith('| resource'));
  t.ok(resources.length > 20);
  for (const row of resources) {
    const tests = [...row.matchAll(/`([\w/-]+\.test\.ts)`/g)].map(([, name = '']) => name);
    t.ok(tests.length > 0, row);
    t.match(row.split(' | ')[2], /[a-z]|\d [KMG]B/, row);
    for (const name of tests) t.ok(existsSync(new URL(`../${name}`, import.meta.url)), name);
  }
});
