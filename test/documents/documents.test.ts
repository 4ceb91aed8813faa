import t from 'tap';
import { compareDocument, DOCUMENTS } from './documents.ts';
import { withTable } from './table.ts';

t.test('every document says what the code says', async (t) => {
  for (const path of Object.keys(DOCUMENTS)) {
    const { text, made } = compareDocument(path);
    t.equal(text, made, `${path} is out of date: run npm run documents`);
  }
});

t.test('a table is made again between the texts around it', async (t) => {
  const text =
    'Before.\n\n| name | size | why |\n|---|---|---|\n| a | 1 | small |\n| b | 2 |  |\n\nAfter.\n';
  const made = withTable(
    text,
    ['name', 'size', 'why'],
    [
      ['a', '3', undefined],
      ['c', '4', undefined],
    ],
  );
  const table = '| name | size | why |\n| --- | --- | --- |\n| a | 3 | small |\n| c | 4 |  |';
  t.equal(made, `Before.\n\n${table}\n\nAfter.\n`);
  t.throws(() => withTable(text, ['name'], []), /no table with the columns name/);
});
